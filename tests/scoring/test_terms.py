"""The strict rule for `label [CURIE]`, held against the expression that defines it."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring import parse_term

RULE = re.compile(r"_*(?P<label>.+?)\s*\[(?P<curie>[A-Za-z0-9_]+:[0-9]+)\]")


def by_the_rule(text):
    found = RULE.fullmatch(str(text).strip().strip('"'))
    return (found["label"].strip(), found["curie"]) if found else (None, None)


@pytest.mark.parametrize(
    ("text", "label", "curie"),
    [
        ("forest biome [ENVO:01000174]", "forest biome", "ENVO:01000174"),
        ('  ""forest biome[ENVO:01000174]" \n', "forest biome", "ENVO:01000174"),
        ("____tunnel [ENVO:00000068]", "tunnel", "ENVO:00000068"),
        ("forest biome [envo:1]", "forest biome", "envo:1"),
        ("a [b] c [X:1]", "a [b] c", "X:1"),
        ("_[X:1]", "_", "X:1"),
        (" _ [X:1]", "", "X:1"),
    ],
)
def test_read(text, label, curie):
    parsed = parse_term(text)
    assert (parsed.label, parsed.curie, parsed.reasons) == (label, curie, ())
    assert parsed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "forest biome",
        "[ENVO:01000174]",
        "forest biome [ENVO:01000174].",
        "forest biome [ENVO: 01000174]",
        "forest biome [ENVO:01000174]\n\n. ",
        "forest\nbiome [ENVO:01000174]",
        "forest biome [ENVO:٠١٠٠٠١٧٤]",
        "forest biome [ÉNVO:01000174]",
        "forest biome [ENVO:0100017४]",
        '" forest biome [ENVO:01000174] "',
        None,
        float("nan"),
        17,
    ],
)
def test_not_read(text):
    parsed = parse_term(text)
    assert not parsed
    assert (parsed.label, parsed.curie) == (None, None)


PIECES = st.sampled_from(
    ["_", " ", "\n", "\t", "\u00a0", '"', "[", "]", ":", "a", "forest", "ENVO", "1", "X:1", "[X:1]"]
)


@given(st.lists(PIECES, max_size=12).map("".join) | st.text())
@example("_\n[X:1]")
@example("__ \n [X:1]")
@example("_\n_a [X:1]")
def test_the_rule_and_nothing_else(text):
    parsed = parse_term(text)
    assert (parsed.label, parsed.curie) == by_the_rule(text)


@given(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.binary()
    | st.lists(st.text())
    | st.characters(codec="utf-16", categories=("Cs", "Cc", "Cf"))
)
def test_takes_anything_and_never_raises(value):
    assert isinstance(bool(parse_term(value)), bool)


def test_every_term_of_envo_reads_back(envo):
    for curie in envo:
        label = envo.label(curie)
        if label:
            parsed = parse_term(f"{label} [{curie}]")
            assert (parsed.label, parsed.curie) == (label, curie)


@given(
    st.data(),
    st.integers(0, 9),
    st.text(alphabet=" \t\r\n\u00a0", max_size=3),
    st.text(alphabet=" \t\r\n\u00a0", max_size=3),
    st.booleans(),
)
def test_indentation_blanks_and_quotes_change_nothing(envo, data, depth, before, after, quoted):
    curie = data.draw(st.sampled_from(list(envo)))
    plain = f"{envo.label(curie)} [{curie}]"
    quote = '"' if quoted else ""
    assert parse_term(f"{before}{quote}{'_' * depth}{plain}{quote}{after}") == parse_term(plain)


@pytest.mark.parametrize("filler", ["_", " ", "[", "[X:1", "a ", '"', "\n"])
def test_reading_takes_one_pass(filler):
    # A backtracking expression needs minutes for this much text.
    assert not parse_term(filler * 2_000_000)
