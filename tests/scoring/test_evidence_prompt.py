"""The prompt: six rules, a bank of contrastive pairs, and what one sentence alone has."""

import re

import pytest
from indra import statements as indra
from indra.statements import Agent, Evidence, Phosphorylation, get_all_descendants

from scoring import choose_examples, evidence_prompt, example_bank, example_texts, parse_verdict
from scoring.contamination import find_contamination
from scoring.evidence import RULES
from scoring.examples import ExamplePair
from scoring.grounding import Entity, Grounding

TYPES = sorted({kind.__name__ for kind in get_all_descendants(indra.Statement)})
FREQUENT = {
    "Acetylation", "Activation", "ActiveForm", "Autophosphorylation", "Complex", "Conversion",
    "Deacetylation", "DecreaseAmount", "Dephosphorylation", "Deubiquitination", "Gap", "Gef",
    "Glycosylation", "GtpActivation", "HasActivity", "Hydroxylation", "IncreaseAmount",
    "Influence", "Inhibition", "Methylation", "Palmitoylation", "Phosphorylation",
    "Ribosylation", "Sumoylation", "Translocation", "Ubiquitination",
}  # fmt: skip
PHENOMENA = {
    "negation", "hedging", "direction", "family and member", "site", "kind of activity",
    "activity and amount", "co-occurrence", "negative result", "entity sense",
}  # fmt: skip


def pair(id, kind, **more):
    return ExamplePair(
        id=id, type=kind, phenomenon=id, claim="A [x] B", agents=("A", "B"), correct="c",
        incorrect="i", **more,
    )  # fmt: skip


def test_the_bank_covers_types_and_phenomena():
    bank = example_bank()
    assert len(bank) >= 60
    assert {one.type for one in bank} >= FREQUENT
    assert {one.phenomenon for one in bank} >= PHENOMENA
    assert {one.type for one in bank} <= set(TYPES)


def test_every_pair_is_one_claim_with_two_sentences():
    texts = example_texts()
    assert len({text.text for text in texts}) == len(texts) == 2 * len(example_bank())
    assert len({one.id for one in example_bank()}) == len(example_bank())
    for one in example_bank():
        assert re.search(rf"\[{one.type}\]", one.claim), one.id
        assert all(agent in one.claim for agent in one.agents), one.id
        assert set(one.confidence) <= {"high", "medium", "low"}


def test_no_pair_gives_another_away():
    for found in find_contamination(example_texts(), example_texts()):
        assert found.example.id.rpartition("-")[0] == found.case.id.rpartition("-")[0], found


@pytest.mark.parametrize("kind", [*TYPES, "Lipidation"])
def test_no_type_is_without_examples(kind):
    chosen = choose_examples(kind)
    assert len(chosen) == 7
    assert len(set(chosen)) == 7
    assert chosen == choose_examples(kind)


def test_own_pairs_go_first_then_neighbours_then_universal_ones():
    kinds = [one.type for one in choose_examples("Ubiquitination")]
    assert kinds[:5] == ["Ubiquitination"] * 3 + ["Deubiquitination"] * 2
    assert all(one.universal for one in choose_examples("Ubiquitination")[5:])
    unknown = choose_examples("Lipidation")
    assert all(one.universal for one in unknown)


def test_the_order_is_own_neighbour_universal_base_any():
    bank = [
        pair("any", "Conversion"),
        pair("base", "Conversion", base=True),
        pair("universal", "Conversion", universal=True),
        pair("near", "Deubiquitination"),
        pair("own", "Ubiquitination"),
    ]
    chosen = [one.id for one in choose_examples("Ubiquitination", bank=bank)]
    assert chosen == ["own", "near", "universal", "base", "any"]
    assert [one.id for one in choose_examples("Lipidation", bank=bank)][:2] == ["universal", "base"]
    assert len(choose_examples("Ubiquitination", bank=bank, most=3)) == 3


def test_phenomena_are_spread():
    phenomena = [one.phenomenon for one in choose_examples("Phosphorylation")]
    assert len(set(phenomena)) == 7


def statement():
    return Phosphorylation(Agent("RPS6KA1"), Agent("YBX1"), "S", "102")


def grounded(status, **more):
    values = {"auto_reject": False, "claim_name": "YBX1", "raw_text": "YB-1"}
    return Grounding(status=status, **(values | more))


def user(*groundings, text="RSK1 phosphorylates\n YB-1.", **more):
    return evidence_prompt(statement(), Evidence(text=text, **more), groundings).user


def test_what_is_shared_stands_first_and_byte_identical():
    one = evidence_prompt(statement(), Evidence(text="A."))
    two = evidence_prompt(Phosphorylation(None, Agent("B")), Evidence(text="C."))
    other = evidence_prompt(indra.Gef(Agent("A"), Agent("B")), Evidence(text="C."))
    assert one.system == two.system != other.system
    assert one.system.startswith(RULES)
    assert other.system.startswith(RULES)
    assert one.system.count("Sentence:") == 14
    assert len(re.findall(r"^\d\. ", RULES, re.M)) == 6


def test_claim_aliases_and_sentence_follow():
    names = ("YBX1", "YB1", "DBPB", "a systematic name " * 4)
    lines = user(grounded("MATCH", names=names)).splitlines()
    assert lines == [
        "Claim: RPS6KA1 [Phosphorylation] YBX1 @S102",
        "Names: YBX1 is also YB1, DBPB",
        "Sentence: RSK1 phosphorylates YB-1.",
        "Answer with the JSON object only.",
    ]


def test_a_negated_claim_is_marked():
    assert user(epistemics={"negated": True}).startswith("Claim: not: RPS6KA1 [Phosphorylation]")


def test_doubts_of_tier_1_are_told():
    other = Entity(db="HGNC", id="1", name="SLU7", score=0.6)
    assert 'read from "YB-1", which may also mean SLU7' in user(
        grounded("AMBIGUOUS", rivals=(other,))
    )
    assert 'YBX1 was read from "YB-1", which mostly means SLU7' in user(
        grounded("MISMATCH", best=other)
    )
    assert 'Note: YBX1 was read from "YB-1"' in user(grounded("UNRESOLVABLE"))
    assert "Note" not in user(None, grounded(None, raw_text=None))


def test_names_in_the_sentence_go_first():
    names = (*(f"N{n}" for n in range(10)), "long name in here")
    told = user(grounded("MATCH", names=names), text="The long name in here acts.")
    assert "Names: YBX1 is also long name in here, N0, N1, N2, N3, N4\n" in told


def test_an_echo_of_the_prompt_is_no_verdict():
    assert parse_verdict(RULES).verdict is None


def test_json_of_evidence_is_read():
    prompt = evidence_prompt(statement(), {"text": "A.", "epistemics": {"negated": True}})
    assert "\nSentence: A.\n" in prompt.user
    assert prompt.user.startswith("Claim: not: ")
