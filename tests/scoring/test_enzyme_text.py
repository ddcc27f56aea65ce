"""Reading EC numbers: every row of the vectors, the rules one by one, and what always holds."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring import ec_text
from scoring.ec_text import parse_ec

VECTORS = Path(__file__).parents[1] / "vectors" / "ec.jsonl"

# Text to the numbers in it, by the rule that each shows.
RULES = {
    "labels and forms": {
        "1.1.1.1": "1.1.1.1",
        "EC:1.1.1.1": "1.1.1.1",
        "EC_1.1.1.1": "1.1.1.1",
        "EC=1.1.1.1": "1.1.1.1",
        "EC number 5.3.1.9": "5.3.1.9",
        "EC number: 5.3.1.9": "5.3.1.9",
        "EC no 5.3.1.9": "5.3.1.9",
        "EC no. 5.3": "5.3.-.-",
        "EC numbers: 5.3.1.9, 1.1.1.1": "5.3.1.9 1.1.1.1",
        "eC 1.1.1.1": "1.1.1.1",
        "EC Number: [1.1.1.1]": "1.1.1.1",
        "https://identifiers.org/ec-code/1.1.1.1": "1.1.1.1",
        "ec-code:1.1.1": "1.1.1.-",
        "https://enzyme.expasy.org/EC/1.1.1.1": "1.1.1.1",
        "https://www.brenda-enzymes.org/enzyme.php?ecno=1.1.1.1": "1.1.1.1",
        "{EC 1.1.1.1}": "1.1.1.1",
        "<EC 1.1.1.1>": "1.1.1.1",
        "EC 1.1.1.\u200b1": "1.1.1.1",
        "1.1.1.1,": "1.1.1.1",
        "1.1.1.1;": "1.1.1.1",
        "EC 1.1.1.1!": "1.1.1.1",
    },
    "partial numbers": {
        "3.-.-.-": "3.-.-.-",
        "EC 3.-.-.-": "3.-.-.-",
        "EC 1.1.1": "1.1.1.-",
        "EC 3.6": "3.6.-.-",
        "EC 3.6.–.–": "3.6.-.-",
        "EC 3.6.−.−": "3.6.-.-",
        "EC 3.6.1.n": "3.6.1.-",
        "EC 3.6.1.N": "3.6.1.-",
        "1.1.1.x": "1.1.1.-",
        "1.1.1.*": "1.1.1.-",
        "1.1.1.?": "1.1.1.-",
        "3": "",
    },
    "gaps and broken dots": {
        "EC 1.1.-.1": "",
        "-.1.1.1": "",
        "EC -.1.1.1": "",
        "EC 1..1.1": "",
        "EC 1.1..1": "",
    },
    "look-alike characters": {
        "EC 1·1·1·1": "1.1.1.1",
        "EC 1・1・1・1": "1.1.1.1",
        "EC １.１.１.１": "1.1.1.1",
        "EC 1．1．1．1": "1.1.1.1",
        "EC 1。1。1。1": "1.1.1.1",
        "EC l.1.1.1": "",
        "EC I.1.1.1": "",
        "EC 1.1.1.l": "",
    },
    "preliminary numbers": {
        "3.6.1.n2": "3.6.1.n2",
        "EC 3.6.1.N2": "3.6.1.n2",
        "EC 1.14.13.b5": "1.14.13.B5",
        "1.14.13.B5": "1.14.13.B5",
        "EC 3.6.n1.2": "",
        "EC n1.1.1.1": "",
    },
    "ranges of fields": {
        "EC 0.1.1.1": "",
        "EC 9.1.1.1": "",
        "EC 1.0.1.1": "",
        "EC 1.1.0.1": "",
        "EC 1.1.1.0": "",
        "EC 1.1.1.1000": "",
        "EC 1.1.1.00001": "1.1.1.1",
        "EC 01.01.01.01": "1.1.1.1",
        "EC 1.1.1.n05": "1.1.1.n5",
    },
    "nothing given": {
        "   ": "",
        "\n": "",
        "-": "",
        "NA": "",
        "null": "",
        "unknown": "",
        "No EC number has been assigned.": "",
        "EC: none": "",
        "EC number: N/A": "",
        "non-enzyme": "",
        "I don't know.": "",
    },
    "json": {
        '{"ec": "1.1.1.1"}': "1.1.1.1",
        '{"ec_number": "1.1.1.1"}': "1.1.1.1",
        '{"EC Number": "1.1.1.1"}': "1.1.1.1",
        '{"ec_numbers": ["1.1.1.1", "2.7.1.1"]}': "1.1.1.1 2.7.1.1",
        '{"ecs": []}': "",
        '{"ec": null}': "",
        '{"ec": "1.1.1"}': "1.1.1.-",
        '{"ec": 1}': "",
        '{"ec": [1.1, "1.1.1.1"]}': "1.1.1.1",
        '{"result": {"ec": "1.1.1.1"}}': "1.1.1.1",
        'Here: {"ec": "1.1.1.1"} as asked, not EC 1.1.1.2': "1.1.1.1",
        "{'ec': '1.1.1.1'}": "1.1.1.1",
        '{"answer": "EC 1.1.1.1"}': "1.1.1.1",
        '{"answer": "1.1.1.1"}': "1.1.1.1",
        '["1.1.1.1","2.7.1.1"]': "1.1.1.1 2.7.1.1",
        '{"ec": "1.1.1.1", "version": "2.7.1.1"}': "1.1.1.1",
        '{"ec":"none"}': "",
        '{"ec": "EC 1.1.1.1; EC 2.7.1.1"}': "1.1.1.1 2.7.1.1",
        '{"ec": true}': "",
    },
    "not EC": {
        "EC50 = 3.4 nM": "",
        "EC50 1.2.3.4": "",
        "EC 200-578-6": "",
        "200-578-6": "",
        "EC number 200-578-6": "",
        "TC 3.A.1.1.1": "",
        "TCDB 1.A.1.1.1": "",
        "TC# 2.A.1": "",
        "E. coli": "",
        "ECO:0000269 EC 1.1.1.1": "1.1.1.1",
        "Regulation (EC) No 1272/2008": "",
        "Regulation (EC) No 1/2003": "",
    },
    "cues in a sentence": {
        "v2.7.1.1": "",
        "v 2.7.1.1 of it": "",
        "the release 2.7.1.1 of": "",
        "IP 1.1.1.1": "",
        "IP address: 1.1.1.1": "",
        "ping 1.1.1.1": "",
        "1.1.1.1:8080": "",
        "use 1.1.1.1/24 here": "",
        "1.1.1.1/24": "",
        "http://1.1.1.1/": "",
        "Figure 1.2.3.4": "",
        "Fig. 1.2.3.4": "",
        "Table 1.2.3.4 shows": "",
        "see chapter 1.2.3.4": "",
        "doi:10.1000/1.2.3.4": "",
        "doi 10.1000/x1.2.3.4": "",
        "catalogue number 3.1.1.7": "",
        "Cat. No. 3.1.1.7": "",
        "cat# 3.1.1.7": "",
        "cat. no. 3.1.1.7 was bought": "",
        "rs1.1.1.1": "",
        "abc-1.1.1.1": "",
        "1.1.1.1a": "",
        "EC 1.1.1.1a": "",
        "CATH 3.40.50.72": "",
        "G3DSA:3.40.50.72": "",
    },
    "excluded by words": {
        "EC 1.14.14.1, not EC 1.14.1.1": "1.14.14.1",
        "It is not EC 1.1.1.2 but EC 1.1.1.1": "1.1.1.1",
        "EC 3.6.3.9 has been transferred to EC 7.2.2.13": "7.2.2.13",
        "EC 3.6.3.9 (transferred to EC 7.2.2.13)": "7.2.2.13",
        "EC 3.6.3.9 was transferred to 7.2.2.13": "7.2.2.13",
        "formerly EC 1.1.1.2, now EC 1.1.1.1": "1.1.1.1",
        "EC 1.1.1.2 is now EC 1.1.1.1": "1.1.1.1",
        "not only EC 1.1.1.1 but also EC 2.7.1.1": "1.1.1.1 2.7.1.1",
        "neither EC 1.1.1.1 nor EC 2.7.1.1": "",
        "This is not hexokinase (EC 2.7.1.1) but glucokinase (EC 2.7.1.2).": "2.7.1.2",
        "previously known as EC 1.1.1.2 and EC 1.1.1.3, EC 1.1.1.1": "1.1.1.1",
        "EC 1.1.1.1 (formerly 1.1.1.2)": "1.1.1.1",
        "1.1.1.1 (previously 1.1.1.2)": "1.1.1.1",
        "1.1.1.1, formerly 1.1.1.2": "1.1.1.1",
        "1.1.1.1 rather than 1.1.1.2": "1.1.1.1",
        "EC 1.1.1.1 instead of EC 1.1.1.2": "1.1.1.1",
        "I am not sure, but EC 1.1.1.1": "1.1.1.1",
        "not sure: EC 1.1.1.1": "1.1.1.1",
    },
    "final answer": {
        "Final answer: 1.1.1.1": "1.1.1.1",
        "Final answer: 3.4.21": "3.4.21.-",
        "EC 1.1.1.2?\nFinal answer: none": "",
        "EC 1.1.1.1 is my final answer.": "1.1.1.1",
        "My final answer is EC 1.1.1.1": "1.1.1.1",
        "**Final Answer**\n\nEC 1.1.1.1": "1.1.1.1",
        "**Final Answer:** EC 1.1.1.1, not 1.1.1.2": "1.1.1.1",
        "Maybe EC 2.1.1.1. Final EC numbers: 1.1.1.1; 2.7.1.1": "1.1.1.1 2.7.1.1",
        "EC 2.1.1.1 final EC number 3": "3.-.-.-",
        "Final EC number(s): 1.1.1": "1.1.1.-",
        "final answer - EC 1.1.1.1": "1.1.1.1",
    },
    "thinking": {
        "<think>EC 1.1.1.1": "",
        "EC 1.1.1.1</think>EC 1.1.1.2": "1.1.1.2",
        "<thinking>x</thinking>1.1.1": "1.1.1.-",
    },
    "markdown": {
        "`1.1.1.1`": "1.1.1.1",
        "**EC 1.1.1.1**": "1.1.1.1",
        "**The number is EC 1.1.1.1.**": "1.1.1.1",
        "**1.1.1.1**,**2.7.1.1**": "1.1.1.1 2.7.1.1",
        "**1.1.1.1****2.7.1.1**": "1.1.1.1 2.7.1.1",
        "*EC 3.4.*.**": "3.4.-.-",
        "EC `1.1.1.1`": "1.1.1.1",
        "1) EC 1.1.1.1\n2) EC 2.7.1.1": "1.1.1.1 2.7.1.1",
        "| EC | 1.1.1.1 |": "1.1.1.1",
        "| EC number | 1.1.1 |": "1.1.1.-",
    },
    "lists": {
        "1.1.1.1, 2.7.1.1": "1.1.1.1 2.7.1.1",
        "1.1.1.1; 2.7.1.1": "1.1.1.1 2.7.1.1",
        "1.1.1.1/2.7.1.1": "1.1.1.1 2.7.1.1",
        "1.1.1.1|2.7.1.1": "1.1.1.1 2.7.1.1",
        "1.1.1.1 & 2.7.1.1": "1.1.1.1 2.7.1.1",
        "1.1.1.1 and 2.7.1.1": "1.1.1.1 2.7.1.1",
        "1.1.1.1\n2.7.1.1": "1.1.1.1 2.7.1.1",
        "EC 1.1.1.1/2.7.1.1": "1.1.1.1 2.7.1.1",
        "EC 1.1.1.1 & 2.7.1": "1.1.1.1 2.7.1.-",
        "EC 1.1.1.1 2.7.1": "1.1.1.1 2.7.1.-",
        "EC 1.1.1.1, 2.7.-.-": "1.1.1.1 2.7.-.-",
        "EC 1.1.1.1, 3": "1.1.1.1",
        "EC 1.1.1.1, 2.7": "1.1.1.1",
    },
    "latex": {
        "$\\text{EC }1.1.1.1$": "1.1.1.1",
        "\\boxed{1.1.1.1}": "1.1.1.1",
        "\\boxed{\\text{EC 1.1.1}}": "1.1.1.-",
        "\\(1.1.1.1\\)": "1.1.1.1",
        "EC~1.1.1.1": "1.1.1.1",
        "EC\\,1.1.1.1": "1.1.1.1",
        "\\textbf{1.1.1.1}": "1.1.1.1",
        "EC 1\\.1\\.1\\.1": "1.1.1.1",
    },
    "html": {
        "<p>EC 1.1.1.1</p>": "1.1.1.1",
        "1.1.1.1<br>2.7.1.1": "1.1.1.1 2.7.1.1",
        "<code>3.4.21</code>": "3.4.21.-",
        "EC&#58; 1.1.1.1": "1.1.1.1",
        "<ec>1.1.1</ec>": "1.1.1.-",
    },
    "sentences": {
        "The EC number is 1.1.1.1.": "1.1.1.1",
        "The EC number is 1.1.1": "1.1.1.-",
        "EC numbers are 1.1.1.1 and 2.7.1.1": "1.1.1.1 2.7.1.1",
        "ATPase, 3.6.-.-": "3.6.-.-",
        "kinase 2.7.11.1 (human)": "2.7.11.1",
        "It is 2.7.11 family": "",
        "version 1.2.3.4 and 1.2.3.5": "",
        "EC 1.1.1.1.The enzyme": "1.1.1.1",
        "EC 1.1.1.1. 3 genes were found": "1.1.1.1",
        "EC 1.1.1. 3 genes were found": "1.1.1.-",
        "EC 1.1. 1.1": "1.1.1.1",
        "1 . 1 . 1 . 1": "1.1.1.1",
        "1. 1. 1. 1": "1.1.1.1",
    },
    "figures that are no code": {
        "EC 1:1:1:1": "",
        "EC 1/1/1/1": "",
        "EC 1 1 1 1": "",
        "EC 1_1_1_1": "",
        "EC 1, 1, 1, 1": "",
        "EC 1.1-1.1": "",
        "EC 1.1,1.1": "",
        "EC 1-1-1-1 or EC 1.1.1.1": "1.1.1.1",
    },
    "labels in words": {
        "EC numbers:\n1. 1.1.1.1\n2. 2.7.1.1": "1.1.1.1 2.7.1.1",
        "EC 1.1.1.1-2.7.1.1": "1.1.1.1 2.7.1.1",
        "EC 1.1.1.1-like": "1.1.1.1",
        "EC 3 (hydrolases)": "3.-.-.-",
        "EC 3.1 hydrolase": "3.1.-.-",
        "EC-Nummer 1.1.1": "1.1.1.-",
        "Enzyme Commission (EC) number 1.1.1": "1.1.1.-",
        "Enzyme Commission class 3": "3.-.-.-",
        "EC class: 3": "3.-.-.-",
        "EC subclass 3.4": "3.4.-.-",
        "E. C. 3.4": "3.4.-.-",
        "E.C. No. 3.4.21": "3.4.21.-",
        "EC(3.4.21.4)": "3.4.21.4",
        'EC: "3.4.21"': "3.4.21.-",
    },
    "other scripts": {
        "酶EC1.1.1.1催化": "1.1.1.1",
        "答案是1.1.1.1。": "1.1.1.1",
        "ＥＣ１.１.１.１": "1.1.1.1",
        "EC 1.1.1.1²": "1.1.1.1",
        "EC ١.١.١.١": "1.1.1.1",
    },
    "five fields and more": {
        "1.1.1.1.1": "",
        "1.1.1.1.-": "",
        "1.1.1.1.n1": "",
        "EC 1.1.1.1.1 and EC 2.7.1.1": "2.7.1.1",
        "8.1.1.1": "",
        "The answer is 1.1.1.1": "1.1.1.1",
        "Answer: 1.1.1.1": "1.1.1.1",
        "Answer: 3.4.21": "3.4.21.-",
        "EC 1.1.1.1 (confidence 0.9)": "1.1.1.1",
        "MEROPS S01.151, EC 3.4.21.4": "3.4.21.4",
        "EC 2.7.11.1/2": "2.7.11.1",
        "EC 1.1.1.1 | EC 1.1.1.1": "1.1.1.1",
        "EC 99999999999999999999.1.1.1": "",
        "the class 3.4.21.4-type": "3.4.21.4",
        "The enzyme catalyses step 1.2.3.4": "",
        "192.168.0.1": "",
        "10.0.0.1/24": "",
        "Protein X (1.1.1.1) localises": "1.1.1.1",
        "EC 1.1.1.1, EC 2.7.1.- and EC 3": "1.1.1.1 2.7.1.- 3.-.-.-",
        "~~EC 1.1.1.2~~ EC 1.1.1.1": "1.1.1.1",
        "EC:1.1.1.1,1.1.1.2": "1.1.1.1 1.1.1.2",
        "EC 1.1.1,2.7.1": "1.1.1.- 2.7.1.-",
        "EC: 1.1.1.1 and/or 2.7.1.1": "1.1.1.1 2.7.1.1",
        "not an enzyme (EC: -)": "",
        "EC 1.1.1.−": "1.1.1.-",
        "2.7.11.1 or 2.7.11": "2.7.11.1 2.7.11.-",
        "EC 1.1.1.1\u00a0/\u00a02.7.1.1": "1.1.1.1 2.7.1.1",
    },
    "words of transfer": {
        "Previously this was unknown; it is EC 1.1.1.1": "1.1.1.1",
        "The old EC number 1.1.1.2 became EC 1.1.1.1": "1.1.1.1",
        "EC 1.1.1.1, unlike EC 1.1.1.2 or EC 1.1.1.3": "1.1.1.1",
        "Unlike 1.1.1.2, it is 1.1.1.1": "1.1.1.1",
        "EC 2.7.1.37 and EC 2.7.1.38 were transferred to EC 2.7.11.1": "2.7.11.1",
        "EC 7.2.2.13 (transferred from EC 3.6.3.9)": "7.2.2.13",
        "Transferred entry: 7.2.2.13": "7.2.2.13",
        "EC 3.6.3.9 -> Transferred entry: 7.2.2.13": "7.2.2.13",
        "EC 3.6.3.9 was transferred to EC 7.2.2.13 and EC 7.2.2.14": "7.2.2.13 7.2.2.14",
        "EC 7.2.2.13 (was EC 3.6.3.9)": "7.2.2.13",
        "Previously, EC 3.6.3.9; EC 7.2.2.13": "7.2.2.13",
        "EC 1.1.1.1 was transferred to EC 1.1.1.2, which was transferred to EC 1.1.1.3": "1.1.1.3",
        "EC 1.1.1.B": "",
        "EC 1.1.1、2.7.1": "1.1.1.- 2.7.1.-",
        "EC 3.6.3.9 (Na+/K+-exchanging ATPase) was transferred to EC 7.2.2.13.": "7.2.2.13",
    },
}


def vectors():
    with VECTORS.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["kind"] == "parse_ec"]
    return [pytest.param(row, id=row["id"]) for row in rows]


@pytest.mark.parametrize("row", vectors())
def test_vectors(row):
    answer = parse_ec(row["input"]["text"])
    assert list(answer.codes) == row["expected"]["codes"]
    assert answer.reason == row["expected"]["reason"]


@pytest.mark.parametrize(
    ("rule", "text", "codes"),
    [(rule, text, codes) for rule, texts in RULES.items() for text, codes in texts.items()],
)
def test_rules(rule, text, codes):
    answer = parse_ec(text)
    assert " ".join(answer.codes) == codes, rule
    assert (answer.reason == "ok") == bool(codes)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "empty"),
        (float("nan"), "empty"),
        ("<think>EC 1.1.1.1", "empty"),
        ("unlike EC 1.1.1.1", "excluded"),
        ("EC 200-578-6", "no_candidate"),
        ("EC 1.1.1.1.1 or EC 8.1.1.1", "too_many_fields"),
        ('{"ec": [2.7, "8.1.1.1"]}', "json_number"),
        (1.1, "ambiguous_bare_partial"),
        ("I cannot tell.", "no_candidate"),
        ("version 1.2.3.4, but it is not an enzyme", "explicit_none"),
    ],
)
def test_reasons(text, reason):
    answer = parse_ec(text)
    assert (answer.codes, answer.reason) == ((), reason)


def test_notes_say_what_was_left_out():
    answer = parse_ec("Not EC 1.1.1.2. Final answer: EC 1.1.1.1, formerly EC 1.1.1.3, EC 8.1.1.1")
    assert answer.notes == ("final_marker", "excluded:1.1.1.3", "refused:8.1.1.1:no_such_class")


SERIALS = st.one_of(
    st.integers(1, 999).map(str),
    st.integers(1, 999).map("n{}".format),
    st.integers(1, 999).map("B{}".format),
)
FULL = st.builds(
    "{}.{}.{}.{}".format, st.integers(1, 7), st.integers(1, 99), st.integers(1, 99), SERIALS
)
CODES = st.builds(
    lambda code, depth: ".".join((code.split(".")[:depth] + ["-"] * 4)[:4]), FULL, st.integers(1, 4)
)
PIECES = st.sampled_from(
    [
        *("EC ", "1.1.1.1", "3.6.-.-", "ec:", ", ", " and ", "not ", "formerly ", "(", ")"),
        *("<think>", "</think>", "Final answer: ", '{"ec": "', '"}', "version ", "**", "$"),
        *("was transferred to ", "\\text{", "}", "`", "1", ".", "-", "x", "n2", "[", "\n"),
        *("ＥＣ", "·", "²", "٣", "é", "\u200b"),
    ]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=24).map("".join)))
@example('{"ec": ' * 3000)
@example('{"ec": ' + "[" * 5000)
@example("EC " + "1" * 10_000)
@example("EC 1." * 2000)
@example("İEC 1.1.1.1")
@example("not " * 3000 + "EC 1.1.1.1")
@example("<think>" * 5000)
def test_any_text_is_read_and_what_was_read_is_read_again(text):
    answer = parse_ec(text)
    assert (answer.reason == "ok") == bool(answer.codes)
    assert len(set(answer.codes)) == len(answer.codes)
    assert parse_ec(", ".join(answer.codes)).codes == answer.codes


@given(st.lists(CODES, min_size=1, max_size=6, unique=True))
def test_every_list_of_numbers_is_read_in_order(codes):
    for text in (
        ", ".join(codes),
        "\n".join(f"- EC {code}" for code in codes),
        "The protein is bifunctional: EC " + "; EC ".join(codes) + ".",
        json.dumps({"ec_numbers": codes}),
        f"<think>EC 6.6.6.6</think>Final answer: {' | '.join(codes)}",
    ):
        assert parse_ec(text).codes == tuple(codes)


SHORT = st.sampled_from(
    [
        *("EC ", "EC:", "1.1.1.1", "2.7.11.22", "3.4.21.999", ", ", "; ", "|", " ", "\n", "**"),
        *("*", " and ", " or ", "'", '"', ".", "EC", "1.1.1", "(", "/"),
    ]
)


@given(st.lists(SHORT, min_size=1, max_size=7).map("".join))
def test_numbers_alone_read_at_once_are_those_read_in_full(text):
    codes = ec_text._only_codes(text)
    assert not codes or ec_text._parse(text).codes == codes


@given(CODES, CODES)
def test_a_former_number_is_no_answer(code, former):
    expected = (code,)
    assert parse_ec(f"EC {code} (formerly EC {former})").codes == expected
    assert (
        parse_ec(f"EC {former} was transferred to EC {code}.").codes == expected or code == former
    )


@given(FULL, st.sampled_from(["see section {}.", "version {} of it", "the host {} is up"]))
def test_a_cue_refuses_a_bare_number_and_a_label_saves_it(code, sentence):
    assert parse_ec(sentence.format(code)).codes == ()
    assert parse_ec(sentence.format(f"EC {code}")).codes == (code,)
