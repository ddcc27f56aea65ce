"""Claims: one text for every statement type of the installed INDRA, with all that it asserts."""

import datetime
from types import SimpleNamespace

import pytest
from indra import statements as indra
from indra.statements import (
    ActivityCondition,
    Agent,
    BoundCondition,
    Concept,
    Event,
    ModCondition,
    MovementContext,
    MutCondition,
    QualitativeDelta,
    QuantitativeState,
    RefContext,
    TimeContext,
    WorldContext,
    get_all_descendants,
)

from scoring import claim_text
from scoring.claims import claim_agents

A, B, C = Agent("RPS6KA1"), Agent("YBX1"), Agent("CREB1")
MODIFICATIONS = [
    kind.__name__
    for parent in (indra.AddModification, indra.RemoveModification)
    for kind in (parent, *get_all_descendants(parent))
]
RAIN = Event(Concept("rainfall"), QualitativeDelta(1, ["heavy", "sudden"]))
FLOOD = Event(
    Concept("flooding"),
    QualitativeDelta(-1),
    WorldContext(time=TimeContext(text="in May"), geo_location=RefContext("Juba")),
)
MIGRATION = indra.Migration(
    Concept("migration"),
    QuantitativeState("person", 400, "absolute", "at least", "400 people", 1),
    MovementContext(
        [
            {"location": RefContext("Bor"), "role": "origin"},
            {"location": RefContext("Juba"), "role": "destination"},
        ],
        TimeContext(start=datetime.datetime(2024, 5, 1)),
    ),
)

EXAMPLES = {
    **{
        name: (getattr(indra, name)(A, B, "S", "102"), f"RPS6KA1 [{name}] YBX1 @S102")
        for name in [*MODIFICATIONS, "Modification"]
    },
    "SelfModification": (indra.SelfModification(A, "S"), "RPS6KA1 [SelfModification] @S"),
    "Autophosphorylation": (
        indra.Autophosphorylation(A, None, "380"),
        "RPS6KA1 [Autophosphorylation] @380",
    ),
    "Transphosphorylation": (
        indra.Transphosphorylation(Agent("A", bound_conditions=[BoundCondition(B)]), "Y", "7"),
        "A (bound to YBX1) [Transphosphorylation] YBX1 @Y7",
    ),
    "Activation": (
        indra.Activation(A, B, "transcription"),
        "RPS6KA1 [Activation] YBX1, transcriptional activity",
    ),
    "Inhibition": (indra.Inhibition(A, B), "RPS6KA1 [Inhibition] YBX1"),
    "GtpActivation": (
        indra.GtpActivation(A, B, "gtpbound"),
        "RPS6KA1 [GtpActivation] YBX1, GTP-bound activity",
    ),
    "ActiveForm": (
        indra.ActiveForm(Agent("YBX1", mods=[ModCondition("sumoylation")]), "kinase", False),
        "YBX1 (sumoylated) [ActiveForm] kinase inactive",
    ),
    "HasActivity": (
        indra.HasActivity(A, "phosphatase", False),
        "RPS6KA1 [HasActivity] no phosphatase activity",
    ),
    "Gef": (indra.Gef(A, B), "RPS6KA1 [Gef] YBX1"),
    "Gap": (indra.Gap(A, B), "RPS6KA1 [Gap] YBX1"),
    "Complex": (indra.Complex([A, B, C]), "RPS6KA1 [Complex] YBX1, CREB1"),
    "Translocation": (
        indra.Translocation(A, "cytoplasm", "nucleus"),
        "RPS6KA1 [Translocation] from cytoplasm to nucleus",
    ),
    "RegulateAmount": (indra.RegulateAmount(A, B), "RPS6KA1 [RegulateAmount] YBX1"),
    "IncreaseAmount": (indra.IncreaseAmount(A, B), "RPS6KA1 [IncreaseAmount] YBX1"),
    "DecreaseAmount": (indra.DecreaseAmount(None, B), "? [DecreaseAmount] YBX1"),
    "Conversion": (
        indra.Conversion(A, [Agent("glucose"), Agent("ATP")], [Agent("G6P"), Agent("ADP")]),
        "RPS6KA1 [Conversion] glucose, ATP -> G6P, ADP",
    ),
    "Influence": (
        indra.Influence(RAIN, FLOOD),
        "rainfall (increase; described as heavy, sudden) [Influence] "
        "flooding (decrease; place Juba; time in May)",
    ),
    "Association": (
        indra.Association([RAIN, Event(Concept("harvest"))]),
        "rainfall (increase; described as heavy, sudden) [Association] harvest",
    ),
    "Event": (RAIN, "[Event] rainfall (increase; described as heavy, sudden)"),
    "Migration": (
        MIGRATION,
        "[Migration] migration (increase; at least 400 absolute person (400 people); origin Bor; "
        "destination Juba; time 2024-05-01 00:00:00 to ?)",
    ),
    "Unresolved": (indra.Unresolved("0f3a"), "[Unresolved] statement 0f3a"),
}
# RegulateActivity is abstract in all but name: its constructor keeps nothing.
ABSTRACT = {"RegulateActivity", "Statement"}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_statement_type(name):
    statement, expected = EXAMPLES[name]
    assert type(statement).__name__ == name
    assert claim_text(statement) == expected


def test_the_examples_cover_the_installed_version():
    installed = {kind.__name__ for kind in get_all_descendants(indra.Statement)}
    assert installed - ABSTRACT == set(EXAMPLES)


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        (
            Agent("X", mods=[ModCondition("phosphorylation", "T", "185")]),
            "X (phosphorylated at T185)",
        ),
        (Agent("X", mods=[ModCondition("ubiquitination", "K")]), "X (ubiquitinated at K)"),
        (
            Agent("X", mods=[ModCondition("phosphorylation", None, "9", False)]),
            "X (not phosphorylated at 9)",
        ),
        (Agent("X", mods=[ModCondition("modification")]), "X (modified)"),
        (Agent("X", mutations=[MutCondition("600", "V", "E")]), "X (mutated V600E)"),
        (Agent("X", mutations=[MutCondition("600", "V", None)]), "X (mutated V600?)"),
        (Agent("X", mutations=[MutCondition(None, None, None)]), "X (mutated)"),
        (Agent("X", activity=ActivityCondition("kinase", True)), "X (kinase active)"),
        (Agent("X", activity=ActivityCondition("activity", False)), "X (inactive)"),
        (Agent("X", activity=ActivityCondition("gtpbound", True)), "X (GTP-bound)"),
        (Agent("X", location="nucleus"), "X (in nucleus)"),
        (Agent("X", bound_conditions=[BoundCondition(B)]), "X (bound to YBX1)"),
        (Agent("X", bound_conditions=[BoundCondition(B, False)]), "X (not bound to YBX1)"),
        (
            Agent(
                "X",
                mods=[ModCondition("acetylation", "K", "4"), ModCondition("methylation")],
                mutations=[MutCondition("1", "A", "C")],
                bound_conditions=[BoundCondition(Agent("Y", location="cytosol"))],
                activity=ActivityCondition("catalytic", False),
                location="nucleus",
            ),
            "X (acetylated at K4, methylated, mutated A1C, bound to Y (in cytosol), "
            "catalytically inactive, in nucleus)",
        ),
    ],
)
def test_the_state_of_an_agent(agent, expected):
    assert claim_text(indra.Inhibition(A, agent)) == f"RPS6KA1 [Inhibition] {expected}"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (indra.Phosphorylation(None, B), "? [Phosphorylation] YBX1"),
        (indra.Phosphorylation(A, B, "Y"), "RPS6KA1 [Phosphorylation] YBX1 @Y"),
        (indra.Phosphorylation(A, B, None, 102), "RPS6KA1 [Phosphorylation] YBX1 @102"),
        (indra.Translocation(A, None, "nucleus"), "RPS6KA1 [Translocation] from ? to nucleus"),
        (indra.Conversion(None, None, [B]), "? [Conversion] ? -> YBX1"),
        (indra.Complex([A]), "RPS6KA1 [Complex]"),
        (indra.HasActivity(A, "activity", True), "RPS6KA1 [HasActivity] activity"),
        (indra.ActiveForm(Agent("X"), "activity", True), "X [ActiveForm] active"),
        (indra.Unresolved(shallow_hash=9), "[Unresolved] statement 9"),
    ],
)
def test_what_is_unknown_is_shown_as_such(statement, expected):
    assert claim_text(statement) == expected


def test_a_negated_claim_says_so():
    assert claim_text(indra.Gef(A, B), negated=True) == "not: RPS6KA1 [Gef] YBX1"


def test_statements_that_assert_different_things_have_different_texts():
    agents = [
        Agent("X", mods=[ModCondition("phosphorylation", *site, flag)])
        for site in [("S", "1"), ("S", "2"), ("T", "1"), (None, None)]
        for flag in (True, False)
    ]
    texts = {
        claim_text(indra.Activation(A, agent, kind))
        for agent in agents
        for kind in ("kinase", "gef", "activity")
    }
    assert len(texts) == 24


def test_a_type_of_a_later_version_shows_agents_and_fields():
    class Lipidation:
        def __init__(self):
            self.lipid, self.chain, self.uuid, self._hash = "C16", 2, "u", 5

        def agent_list(self):
            return [A, None]

    assert claim_text(Lipidation()) == "RPS6KA1 [Lipidation] ?, chain=2, lipid=C16"


def test_agents_are_listed_also_where_indra_refuses():
    assert claim_agents(indra.Complex([A, None])) == [A, None]
    assert claim_agents(indra.Unresolved("u")) == []
    assert claim_agents(indra.Conversion(None, [A], [B, C])) == [None, A, B, C]
    assert claim_agents(indra.Influence(RAIN, FLOOD)) == [RAIN.concept, FLOOD.concept]
    assert claim_text(indra.Complex([A, None])) == "RPS6KA1 [Complex] ?"


def test_agents_bound_in_a_circle_end():
    left, right = Agent("L"), Agent("R")
    left.bound_conditions = [BoundCondition(right)]
    right.bound_conditions = [BoundCondition(left)]
    text = claim_text(indra.Complex([left]))
    assert text.startswith("L (bound to R (bound to L (")
    assert text.endswith("))))) [Complex]")


def test_blanks_in_a_name_do_not_break_the_line():
    agent = SimpleNamespace(name=" tumor\n necrosis  factor ")
    assert claim_text(SimpleNamespace(members=[agent])) == "tumor necrosis factor [SimpleNamespace]"
