"""The figures of beliefs: verdicts on all sentences of a statement, composed and held to truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from curieval.models.types import Figure
from evals.indra_belief.cases import PRIORS, BeliefCase
from evals.indra_evidence.cases import CORRECT
from scoring.belief import compose_belief
from scoring.verdict import Verdict, VerdictWord

FIGURES = (
    Figure(name="belief_error", aggregate="absolute_error", primary=True),
    Figure(name="brier", aggregate="brier"),
    Figure(name="ece", aggregate="ece"),
    Figure(name="auroc", aggregate="auroc"),
    Figure(name="two_tier_belief_error", aggregate="two_tier_absolute_error"),
    Figure(name="two_tier_brier", aggregate="two_tier_brier"),
    Figure(name="two_tier_ece", aggregate="two_tier_ece"),
    Figure(name="two_tier_auroc", aggregate="two_tier_auroc"),
    Figure(name="accuracy"),
)
INCORRECT: VerdictWord = "incorrect"
Record = Mapping[str, Any]
Scores = Mapping[str, Any]


class Group(NamedTuple):
    """The scored sentences of one statement, asked for the n-th time."""

    statement: str
    repeat: int
    sentences: list[Scores]

    @property
    def is_whole(self) -> bool:
        """Whether each of the statement's sentences was scored."""
        return len(self.sentences) == int(self.sentences[0]["n_sentences"])


def score_sentence(case: BeliefCase, said: Verdict, *, rejected: bool) -> dict[str, Any]:
    """The columns of one sentence, from which its statement's belief is composed.

    An unreadable verdict is wrong in accuracy, and no verdict in the belief: its sentence survives.
    """
    return {
        "accuracy": float(said.verdict == case.reference),
        "statement": case.statement,
        "n_sentences": case.n_sentences,
        "outcome": int(case.reference == CORRECT),
        "negated": case.negated,
        "verdict": said.verdict,
        "confidence": said.confidence,
        "reading": said.reason,
        "rejected": rejected,
        "reader": case.reader,
        "cluster": case.cluster,
    }


def groups_of(records: Sequence[Record]) -> list[Group]:
    """The scored sentences by statement and repeat, whole or not."""
    groups: dict[tuple[str, int], Group] = {}
    for record in records:
        statement, repeat = str(record["scores"]["statement"]), int(record.get("repeat", 1))
        group = groups.setdefault((statement, repeat), Group(statement, repeat, []))
        group.sentences.append(record["scores"])
    return list(groups.values())


def compose(records: Sequence[Record]) -> list[Record]:
    """One record for each statement all of whose sentences were scored.

    `probability` is the belief that the model's verdicts give, `two_tier_probability` the one
    with what tier 1 rejects taken out, `expected` that of the reference verdicts; `outcome` is
    whether any sentence supports the statement.
    """
    return [
        {
            "case": group.statement,
            "scores": {
                "probability": belief(group, lambda one: one["verdict"]),
                "two_tier_probability": belief(group, two_tier),
                "expected": belief(group, reference),
                "outcome": int(is_supported(group)),
                "cluster": group.statement,
            },
        }
        for group in groups_of(records)
        if group.is_whole
    ]


def belief(group: Group, verdict_of: Callable[[Scores], Any], *, priors: str = PRIORS) -> float:
    """The belief in a statement after the verdicts that a rule gives on its sentences."""
    composed = compose_belief(
        [
            {
                "source_api": one["reader"],
                "negated": one["negated"],
                "verdict": verdict_of(one),
            }
            for one in group.sentences
        ],
        priors=priors,
    )
    return composed.belief


def reference(one: Scores) -> str:
    """The verdict of the sentence's curator."""
    return CORRECT if one["outcome"] else INCORRECT


def two_tier(one: Scores) -> Any:  # noqa: ANN401 - a verdict or none
    """The model's verdict unless tier 1 rejects the sentence."""
    return INCORRECT if one["rejected"] else one["verdict"]


def is_supported(group: Group) -> bool:
    """Whether any sentence supports the statement, by the curators."""
    return any(one["outcome"] and not one["negated"] for one in group.sentences)
