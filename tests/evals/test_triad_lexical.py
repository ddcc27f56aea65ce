"""The keyword answer to the triad, on an example that is small enough to work out by hand."""

import pytest

from curieval.models.backends.baselines import answer_by_rule
from evals.env_triad.cases import load_cases
from evals.env_triad.lexical import lexical_answer
from evals.env_triad.prompt import build_request
from scoring import load_ontology

LAKE, MARSH, SALT_MARSH = "lake [T:1]", "marsh [T:2]", "salt marsh [T:3]"
CANDIDATES = (LAKE, MARSH, SALT_MARSH)


@pytest.mark.parametrize(
    ("notes", "answer"),
    [
        # ln(1 + 3/2)² = 0.840 for marsh, ln(1 + 3/1)² = 1.922 for salt: the length of
        # "salt marsh" is √2.762 = 1.662, that of "marsh" 0.916.
        ("marsh", MARSH),  # 0.840/0.916 = 0.916 against 0.840/1.662 = 0.505
        ("Salt, of the MARSH; marsh", SALT_MARSH),  # 1.833 against 3.601/1.662 = 2.167
        ("salt marsh marsh marsh", MARSH),  # 2.749 against 4.441/1.662 = 2.672
        ("nothing of the kind", LAKE),  # all 0: the first
    ],
)
def test_the_nearest_name_is_the_answer(notes, answer):
    assert lexical_answer((("notes", notes), ("depth", "")), CANDIDATES) == answer


def test_names_of_fields_are_no_metadata():
    assert lexical_answer((("marsh", "a lake"),), CANDIDATES) == LAKE


def test_an_exact_synonym_names_its_term_and_a_related_one_does_not():
    candidates = ("sea ice [ENVO:00002200]", "soil [ENVO:00001998]", "saline lake [ENVO:00000019]")
    scopes = dict(load_ontology("envo").synonyms("ENVO:00000019"))
    assert (scopes["salt lake"], scopes["salina"]) == ("EXACT", "RELATED")
    assert lexical_answer((("notes", "salt crusts"),), candidates) == candidates[-1]
    assert lexical_answer((("notes", "a salina"),), candidates) == candidates[0]


def test_the_model_named_lexical_answers_by_it():
    case = next(case for case in load_cases() if case.template == "air_data")
    reply = answer_by_rule("lexical")(build_request(case))
    assert reply.text == build_request(case).hints.answers["lexical"]()
    assert reply.text in build_request(case).hints.allowed
