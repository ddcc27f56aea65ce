"""Tables, objects, marks and prose around one term: none of it is taken for the term."""

import pytest

from scoring import parse_terms

TUNDRA = "ENVO:01000180"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("| term | id |\n|---|---|\n| tundra biome | ENVO:01000180 |", "tundra biome"),
        ("| label | CURIE |\n|:--|:-:|\n| tundra biome | [ENVO:01000180] |\n", "tundra biome"),
        ("| tundra biome | ENVO:01000180 |\n|---|---|", "tundra biome"),
        ("<table><tr><td>tundra biome</td><td>ENVO:01000180</td></tr></table>", "tundra biome"),
        ("ENVO:01000180 ! tundra biome", "tundra biome"),
        ("ENVO:01000180! tundra biome", "tundra biome"),
        ("tundra biome \u27e8ENVO:01000180\u27e9", "tundra biome"),
        ("tundra biome \u2039ENVO:01000180\u203a", "tundra biome"),
        ("tundra biome \u3008ENVO:01000180\u3009", "tundra biome"),
        ("\u2705 tundra biome [ENVO:01000180]", "tundra biome"),
        ("\u2714\ufe0f tundra biome [ENVO:01000180]", "tundra biome"),
        ("$tundra biome [ENVO:01000180]$", "tundra biome"),
        ("<s>[INST] tundra biome [ENVO:01000180] [/INST]", "tundra biome"),
        ("<|assistant|>tundra biome [ENVO:01000180]<|im_end|>", "tundra biome"),
        ("tundra biome (soil) [ENVO:01000180]", "tundra biome (soil)"),
        ("Label | tundra biome\nCURIE | ENVO:01000180", "tundra biome"),
        ("| label | tundra biome |\n| id | ENVO:01000180 |", "tundra biome"),
        ("It isn't clear, maybe tundra biome [ENVO:01000180]?", "tundra biome"),
        ("¿tundra biome [ENVO:01000180]?", "tundra biome"),
        ("tundra biome\u2800[ENVO:01000180]", "tundra biome"),
        (
            '{"reasoning": "forest biome [ENVO:01000174] is unlikely", '
            '"answer": "tundra biome [ENVO:01000180]"}',
            "tundra biome",
        ),
        (
            '{"explanation": "no forest biome [ENVO:01000174]", "label": "tundra biome", '
            '"id": "ENVO:01000180"}',
            "tundra biome",
        ),
        (
            '{"thoughts": ["soil [ENVO:00001998]"], '
            '"env_broad_scale": "tundra biome [ENVO:01000180]"}',
            "tundra biome",
        ),
        ("The answer is (tundra biome) [ENVO:01000180]", "tundra biome"),
    ],
)
def test_what_stands_around_a_term_is_no_part_of_it(text, label):
    (found,) = parse_terms(text)
    assert (found.label, found.curie) == (label, TUNDRA)
    assert "multi_term" not in found.reasons


def test_the_words_of_the_asked_form_are_no_answer(envo):
    # CHEBI, which ENVO imports in part, has a term of that name.
    assert envo.resolve("label")
    assert parse_terms("label [CURIE]") == []
    assert parse_terms("Label") == []
