"""Lenient reading: values as people write them, any wrapping of any term, any text."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import check_term, load_ontology, parse_term, parse_terms

VECTORS = Path(__file__).parents[1] / "vectors" / "triad_values.jsonl"
# The vectors' words for two states that TermCheck names as the specification does.
STATUS = {"absent": "unknown", "not_checkable": "other_ontology"}
TUNDRA = "ENVO:01000180"


def vector_rows():
    with VECTORS.open(encoding="utf-8") as lines:
        return [pytest.param(row, id=row["id"]) for row in map(json.loads, lines)]


@pytest.mark.parametrize("row", vector_rows())
def test_values_as_written_in_the_wild(row, envo):
    slot = row["slot"] if row["slot"] != "unknown" else None
    found = []
    for term in parse_terms(row["raw"]):
        check = check_term(term, ontology=envo, slot=slot)
        found.append(
            {
                "curie": term.curie,
                "label": term.label,
                "raw_id": term.raw_id,
                "status": check.status,
                "canonical_label": check.canonical_label,
                "label_check": check.label_check,
                "label_resolves_to": list(check.resolves_to),
                "consider": list(check.consider),
            }
        )
    expected = [
        {
            "label_resolves_to": [],
            "consider": [],
            **{key: value for key, value in term.items() if key != "replaced_by"},
            "status": STATUS.get(term["status"], term["status"]),
        }
        for term in row["expected"]["terms"]
    ]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("tundra biome [ENVO_01000180]", "curie_separator"),
        ("tundra biome [ENVO.01000180]", "curie_separator"),
        ("tundra biome [ENVO-01000180]", "curie_separator"),
        ("tundra biome [ENVO01000180]", "curie_separator"),
        ("tundra biome [ENVO 01000180]", "curie_separator"),
        ("tundra biome [ENVO: 01000180]", "space_in_curie"),
        ("tundra biome [ENVO：01000180]", "fullwidth_punctuation"),
        ("tundra biome【ENVO:01000180】", "fullwidth_punctuation"),
        ("tundra biome [envo:01000180]", "prefix_case"),
        ("tundra biome [EVNO:01000180]", "prefix_typo"),
        ("tundra biome [ENVOO:01000180]", "prefix_typo"),
        ("tundra biome [ENVO:ENVO:01000180]", "doubled_prefix"),
        ("tundra biome [obo:ENVO_01000180]", "doubled_prefix"),
        ("tundra biome [01000180]", "prefix_missing"),
        ("tundra biome [ENVO:O1OOO18O]", "letter_o_for_zero"),
        ("tundra biome [ENV0:01000180]", "letter_o_for_zero"),
        ("tundra biome (http://purl.obolibrary.org/obo/ENVO_01000180)", "iri"),
        ("[tundra biome](https://bioregistry.io/ENVO:01000180)", "iri"),
        ("tundra biome <http%3A%2F%2Fpurl.obolibrary.org%2Fobo%2FENVO_01000180>", "iri"),
        ("tundra biome ENVO:01000180", "bracket_missing"),
        ("tundra biome (ENVO:01000180)", "bracket_style"),
        ("tundra biome [ENVO:01000180", "bracket_unbalanced"),
        ("tundra biome [ENVO:01000180}", "bracket_unbalanced"),
        ("ENVO:01000180 (tundra biome)", "label_after_curie"),
        ("ENVO:01000180 - tundra biome", "label_after_curie"),
        ("The answer is ENVO:01000180, which is the tundra biome.", "label_after_curie"),
        ("'tundra biome [ENVO:01000180]'", "quotes"),
        ("`tundra biome [ENVO:01000180]`", "backticks"),
        ("```text\ntundra biome [ENVO:01000180]\n```", "code_fence"),
        ("**tundra biome** [ENVO:01000180]", "bold"),
        ("tundra biome [ENVO:01000180].", "full_stop"),
        ("Answer: tundra biome [ENVO:01000180]", "extra_text"),
        ("1. tundra biome [ENVO:01000180]", "extra_text"),
        ("I think this is tundra biome [ENVO:01000180]", "extra_text"),
        ("tundra biome [ENVO:01000180] since it is cold; soils are frozen", "trailing_text"),
        ('{"label": "tundra biome", "curie": "ENVO:01000180"}', "json"),
        ("{'term': 'tundra biome', 'id': 'ENVO:01000180'}", "json"),
        ('{"env_broad_scale": {"name": "tundra biome", "id": "ENVO:01000180"}}', "json"),
        ("label: tundra biome\nid: ENVO:01000180", "bracket_missing"),
        ("____tundra biome [ENVO:01000180]", "leading_underscores"),
        ("tundra biome\u00a0[ENVO:01000180]", "odd_blank"),
        ("<think>forest biome [ENVO:01000174]?</think>tundra biome [ENVO:01000180]", "thinking"),
        ("tundra biome[ENVO:01000180]", "no_space_before_bracket"),
        ("tundra biome [ENVO:01000180]|", "empty_part"),
        ("tundra biome | ENVO:01000180", "bracket_missing"),
    ],
)
def test_each_repair_is_named(text, reason):
    parsed = parse_term(text, lenient=True)
    assert (parsed.label, parsed.curie) == ("tundra biome", TUNDRA)
    assert reason in parsed.reasons
    assert "several_answers" not in parsed.reasons


def test_a_clean_value_needs_no_repair():
    assert parse_term("tundra biome [ENVO:01000180]", lenient=True).reasons == ()


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("tundra biome", "tundra biome", "label_only"),
        ("The answer is tundra biome.", "tundra biome", "label_only"),
        ("Based on the latitude (70 N), the biome is tundra biome.", "tundra biome", "prose"),
        ("ENVO:tundra biome", "tundra biome", "prefix_on_label"),
        ("frozen?soil?", "frozen soil", "mojibake"),
    ],
)
def test_a_label_alone(text, label, reason):
    parsed = parse_term(text, lenient=True)
    assert (parsed.label, parsed.curie) == (label, None)
    assert {"label_only", reason} <= set(parsed.reasons)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "missing",
        "Not Applicable",
        "not collected: lost",
        "missing: control sample",
        "N/A",
        "nan",
        "-",
        "#N/A",
        "I'm sorry, I cannot determine the biome from this metadata.",
        "Unfortunately there is not enough information.",
        None,
    ],
)
def test_no_answer(text):
    assert parse_terms(text) == []
    parsed = parse_term(text, lenient=True)
    assert not parsed
    assert parsed.reasons == ("no_answer",)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (
            "soil [ENVO:00001998]|sand [ENVO:01000017]",
            [("soil", "ENVO:00001998"), ("sand", "ENVO:01000017")],
        ),
        (
            "soil [ENVO:00001998], sand [ENVO:01000017] and clay [ENVO:00002982]",
            [("soil", "ENVO:00001998"), ("sand", "ENVO:01000017"), ("clay", "ENVO:00002982")],
        ),
        (
            "1. soil (ENVO_00001998)\n2. sand (ENVO_01000017)",
            [("soil", "ENVO:00001998"), ("sand", "ENVO:01000017")],
        ),
        (
            "ENVO:00001998 soil; ENVO:01000017 sand",
            [("soil", "ENVO:00001998"), ("sand", "ENVO:01000017")],
        ),
        ("soil; sand", [("soil", None), ("sand", None)]),
        (
            "soil [ENVO:00001998] and ENVO:01000017",
            [("soil", "ENVO:00001998"), (None, "ENVO:01000017")],
        ),
        (
            "epishelf lake|soil [ENVO:00001998]",
            [("epishelf lake", None), ("soil", "ENVO:00001998")],
        ),
        ('["soil [ENVO:00001998]", "sand"]', [("soil", "ENVO:00001998"), ("sand", None)]),
        ("soil [ENVO:00001998] ENVO:00001998", [("soil", "ENVO:00001998")]),
    ],
)
def test_several_terms(text, terms):
    found = parse_terms(text)
    assert [(term.label, term.curie) for term in found] == terms
    first = parse_term(text, lenient=True)
    assert (first.label, first.curie) == terms[0]
    assert ("several_answers" in first.reasons) is (len(terms) > 1)


@pytest.mark.parametrize(
    ("text", "raw_id", "reason"),
    [
        ("cell culture [ENVO:020000008]", "ENVO:020000008", "wrong_digit_count"),
        ("leaf [PO:25034]", "PO:25034", "wrong_digit_count"),
        ("tundra [NOPE:0000]", "NOPE:0000", "unknown_prefix"),
    ],
)
def test_ids_that_cannot_be_one(text, raw_id, reason):
    parsed = parse_term(text, lenient=True)
    assert (parsed.curie, parsed.raw_id) == (None, raw_id)
    assert reason in parsed.reasons


@pytest.mark.parametrize(
    "text",
    [
        "sampled at 10 m, pH 7, 2020-05-01, zip MA: 02139",
        "so 2020 was a dry year",
        "ratio 3:1 at depth:10 [pH 7]",
        "sample 12345678901",
    ],
)
def test_numbers_that_are_no_ids(text):
    assert all(term.curie is None and term.raw_id is None for term in parse_terms(text))


WRAPPINGS = (
    "{label} [{curie}]",
    "____{label} [{curie}]",
    '"{label} [{curie}]"',
    "'{label} [{curie}]'",
    "`{label} [{curie}]`",
    "```\n{label} [{curie}]\n```",
    "**{label} [{curie}]**",
    "**{label}** [{curie}]",
    "{label} [{curie}].",
    "{label}[{curie}]",
    "{label}  [{curie}]",
    "{label}\u00a0[{curie}]",
    "{label} ({curie})",
    "{label} {curie}",
    "{label} [{curie}",
    "{label} {curie}]",
    "{label} [[{curie}]]",
    "{label} [{prefix}_{digits}]",
    "{label} [{prefix} : {digits}]",
    "{label} [{prefix}:{prefix}:{digits}]",
    "{label} <http://purl.obolibrary.org/obo/{prefix}_{digits}>",
    "[{label}](http://purl.obolibrary.org/obo/{prefix}_{digits})",
    "{label}【{prefix}：{digits}】",
    "{curie} ({label})",
    "{curie}: {label}",
    "Answer: {label} [{curie}]",
    "The most likely value is {label} [{curie}].",
    '{{"label": "{label}", "id": "{curie}"}}',
    '{{"answer": "{label} [{curie}]"}}',
    "label: {label}\nid: {curie}",
    "env_broad_scale: {label} [{curie}]",
    "{label} [{curie}]\n\nThe sample was taken far north.",
    "<think>Perhaps soil [ENVO:00001998]?</think>\n{label} [{curie}]",
)


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_any_wrapping_of_any_term_reads_back(wrapping, envo, po):
    # Ids of the ontologies that are loaded: their digits are known, and their labels.
    for ontology in (envo, po):
        for curie in list(ontology)[::7]:
            prefix, _, digits = curie.partition(":")
            label = ontology.label(curie)
            if prefix not in ("ENVO", "PO"):
                continue
            text = wrapping.format(label=label, curie=curie, prefix=prefix, digits=digits)
            found = parse_terms(text)
            assert [term.curie for term in found] == [curie], text
            assert found[0].label.casefold() == label.casefold(), text


@given(st.sampled_from(WRAPPINGS), st.data())
def test_wrapping_reads_back_over_imports_too(wrapping, data):
    envo = load_ontology("envo")
    curie = data.draw(st.sampled_from(list(envo)))
    prefix, _, digits = curie.partition(":")
    if prefix in ("CHEBI", "NCBITaxon"):
        return  # Too few digits to be told from a number when brackets or colons are off.
    text = wrapping.format(label=envo.label(curie), curie=curie, prefix=prefix, digits=digits)
    assert [term.curie for term in parse_terms(text)] == [curie]


PIECES = st.sampled_from(
    (
        *'_ []()"`*:;,|.?-&%#=<>{}\n\t0',
        "ENVO",
        "ENVO:01000180",
        "PO_0025034",
        "01000180",
        "soil",
        "tundra biome",
        "Answer: ",
        " is the ",
        "not applicable",
        '{"label": "soil", "id": "ENVO:00001998"}',
        "http://purl.obolibrary.org/obo/",
        "<think>",
        "</think>",
        "\u00a0",
        "：",
        "\ud800",
        "\x00",
        "[" * 3000,
    )
)


@given(st.lists(PIECES, max_size=20).map("".join) | st.text() | st.floats() | st.none())
def test_never_raises_on_any_text(text):
    envo = load_ontology("envo")
    for term in parse_terms(text):
        assert term.curie or term.label or term.raw_id
        check_term(term, ontology=envo, slot="env_medium")
    assert parse_term(text, lenient=True).reasons is not None


@pytest.mark.parametrize(
    "filler",
    [
        '"',
        "(",
        "[",
        "[X:1",
        "0O",
        "O",
        "ENVO:",
        "ENV0:1 ",
        "ENVO:00000446 ",
        "(((((ENVO:00000446",
        "http://a/",
        "|;",
        '{"a":',
        "is the ",
        "<think>",
        "label: id: ",
        "soil, ",
        " ",
        ",",
        "]",
        "a|b\n|--|\n",
        "<|",
        "forest biome (",
    ],
)
def test_reading_takes_time_in_proportion(filler):
    # Quadratic reading of this much would take hours.
    parse_terms(filler * (1_000_000 // len(filler)))
