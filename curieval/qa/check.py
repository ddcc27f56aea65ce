"""Is the judge any good: canaries, and agreement with people where they rated answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec

from curieval.qa.adjudicator import Adjudicator
from curieval.qa.ratings import Ratings
from curieval.report.schema import JudgeInfo
from curieval.report.tables import Column, inert, table, wrapped
from scoring.statistics import Estimate, agreement, mean_interval, prediction_powered_mean

MEANINGS = {
    "empty": "an empty answer is 0 without a call",
    "reference": "the reference gets at least 95",
    "another_protein": "another protein's reference gets at most 20",
    "denied": "the denied reference gets at most 20",
    "injection": "orders in an answer gain nothing",
    "padding": "true but idle sentences gain nothing",
    "order": "the order of the points changes nothing",
    "readable": "the verdict can be read",
}
FEWEST_PEOPLE = 30


@dataclass(frozen=True, kw_only=True)
class HumanAgreement:
    """Judge against people: figures with intervals, and what people's mean would be.

    `figures` are those of scoring.statistics.agreement. `people_mean` rests on the rated answers
    alone, `prediction_powered` on all; `judge_mean` is the judge's own over all.
    """

    n: int
    unscored: int
    raters: int
    cases: int
    figures: Mapping[str, Estimate]
    people_mean: Estimate
    judge_mean: float | None
    prediction_powered: Estimate | None
    prediction_powered_tuned: Estimate | None
    unrated: int


@dataclass(frozen=True, kw_only=True)
class JudgeReport:
    """All that was found of a judge."""

    judge: JudgeInfo
    line: str
    settings: Mapping[str, Any]
    own_family: Sequence[str]
    people: HumanAgreement | None
    calls: int
    cost_usd: float | None
    repairs: Mapping[str, int] = field(default_factory=dict)
    notes: Sequence[str] = ()

    @property
    def trusted(self) -> bool:
        """Whether the judge's canaries hold."""
        assert self.judge.check is not None
        return self.judge.check.trusted

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return {
            "judge": msgspec.to_builtins(self.judge),
            "trusted": self.trusted,
            "line": self.line,
            "settings": dict(self.settings),
            "own_family": list(self.own_family),
            "people": asdict(self.people) if self.people else None,
            "calls": self.calls,
            "cost_usd": self.cost_usd,
            "notes": list(self.notes),
        }

    def as_text(self, width: int) -> str:
        """Canaries, known answers and agreement, table by table."""
        check = self.judge.check
        assert check is not None
        verdict = "trusted" if self.trusted else "NOT TRUSTED"
        lines = [
            wrapped(
                f"judge {self.judge.model}: {verdict}; mode {self.settings['mode']}, prompt "
                f"{self.settings['prompt_sha256'][:12]}",
                width,
            ),
            "",
        ]
        canaries = check.canaries
        lines += table(
            [
                Column(head="canary", cells=[*canaries], left=True),
                Column(head="held", cells=[str(each.held) for each in canaries.values()]),
                Column(head="of", cells=[str(each.n) for each in canaries.values()]),
                Column(
                    head="what must hold",
                    cells=[MEANINGS.get(name, "") for name in canaries],
                    worth=1,
                    left=True,
                ),
            ],
            width,
        )
        lines.append("")
        known = check.known_quality
        lines += table(
            [
                Column(head="answer", cells=[*known], left=True),
                Column(head="worth", cells=[f"{each['worth']:g}" for each in known.values()]),
                Column(head="given", cells=[_number(each["mean"]) for each in known.values()]),
                Column(head="n", cells=[str(each["n"]) for each in known.values()]),
            ],
            width,
        )
        failed = [
            f"{name} {each.case} ({_number(each.score)})"
            for name, canary in canaries.items()
            for each in canary.failed
        ]
        if failed:
            more = f" and {len(failed) - 8} more" if len(failed) > 8 else ""
            lines += ["", wrapped(f"failed: {', '.join(failed[:8])}{more}", width)]
        if self.people is not None:
            lines += ["", *_people_lines(self.people, width)]
        if self.own_family:
            lines += [
                "",
                wrapped(f"own family: may favour answers by {', '.join(self.own_family)}", width),
            ]
        if self.calls:
            cost = "cost unknown" if self.cost_usd is None else f"${self.cost_usd:.4f}"
            lines += ["", f"{self.calls} calls, {cost}"]
        return inert("\n".join(lines) + "\n")


def check_with_people(
    adjudicator: Adjudicator,
    *,
    ratings: Ratings | None = None,
    models: Sequence[str] = (),
    repairs: Mapping[str, int] | None = None,
) -> JudgeReport:
    """Try the judge's canaries and, with ratings, hold it against people."""
    info, line = adjudicator.info(), adjudicator.line()
    notes: list[str] = []
    people = None
    if ratings is not None:
        people = hold_against(adjudicator, ratings, notes)
    return JudgeReport(
        judge=info,
        line=line,
        settings=adjudicator.settings(),
        own_family=adjudicator.relatives([*models, *(ratings.models if ratings else ())]),
        people=people,
        calls=adjudicator.calls,
        cost_usd=None if adjudicator.unpriced else adjudicator.spent_usd,
        repairs=repairs or {},
        notes=notes,
    )


def hold_against(
    adjudicator: Adjudicator, ratings: Ratings, notes: list[str]
) -> HumanAgreement | None:
    """Judge all answers and compare with people's scores; what to mind is added to `notes`."""
    verdicts = adjudicator.judge([*ratings.items, *ratings.unrated])
    scores = [verdict.score for verdict in verdicts]
    rated, others = scores[: len(ratings.items)], scores[len(ratings.items) :]
    kept = [n for n, score in enumerate(rated) if score is not None]
    unscored = len(rated) - len(kept)
    if unscored:
        notes.append(f"{unscored} of {len(rated)} rated answers got no score from the judge")
    if not kept:
        return None
    judge = [score for score in rated if score is not None]
    more = [score for score in others if score is not None]
    means = [ratings.means[n] for n in kept]
    cases = [ratings.items[n].case.id for n in kept]
    figures = agreement(
        judge,
        [[row[n] for n in kept] for row in ratings.people],
        clusters=cases if len(set(cases)) < len(cases) else None,
    )
    alone = mean_interval(mean / 100 for mean in means)
    if len(kept) < FEWEST_PEOPLE:
        notes.append(f"{len(kept)} rated answers: the intervals are rough below {FEWEST_PEOPLE}")
    if len(more) < 2:
        notes.append(
            "no prediction-powered mean: there are no answers besides the rated ones; leave rows "
            "without a score in the table, or name the run with --report"
        )
    return HumanAgreement(
        n=len(kept),
        unscored=unscored,
        raters=len(ratings.raters),
        cases=len(set(cases)),
        figures=figures,
        people_mean=Estimate(
            value=100 * alone.mean, low=100 * alone.low, high=100 * alone.high, n=alone.n
        ),
        judge_mean=sum((*judge, *more)) / (len(judge) + len(more)),
        prediction_powered=_powered(more, judge, means, tuned=False),
        prediction_powered_tuned=_powered(more, judge, means, tuned=True),
        unrated=len(more),
    )


def _powered(
    judged: Sequence[float], judged_too: Sequence[float], people: Sequence[float], *, tuned: bool
) -> Estimate | None:
    if len(judged) < 2 or len(people) < 2:
        return None
    found = prediction_powered_mean(judged, judged_too, people, tuned=tuned)
    return Estimate(value=found.mean, low=found.low, high=found.high, n=found.n)


def _people_lines(people: HumanAgreement, width: int) -> list[str]:
    rows: dict[str, Estimate] = {**people.figures, "people_mean": people.people_mean}
    if people.prediction_powered is not None:
        rows["prediction_powered"] = people.prediction_powered
    if people.prediction_powered_tuned is not None:
        rows["prediction_powered_tuned"] = people.prediction_powered_tuned
    head = f"against people ({people.raters} raters, {people.cases} questions)"
    if people.raters == 1:
        head = f"against people (1 rater, {people.cases} questions)"
    return [
        *table(
            [
                Column(head=head, cells=[name.replace("_", " ") for name in rows], left=True),
                Column(head="value", cells=[_fine(each.value) for each in rows.values()]),
                Column(head="95 %", cells=[_interval(each) for each in rows.values()]),
                Column(head="n", cells=[str(each.n) for each in rows.values()]),
            ],
            width,
        ),
        wrapped(
            f"judge's own mean {_number(people.judge_mean)} over {people.n + people.unrated} "
            "answers; bias is judge less people",
            width,
        ),
    ]


def _interval(each: Estimate) -> str:
    return "–" if each.low is None else f"{_fine(each.low)} to {_fine(each.high)}"


def _fine(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}" if abs(value) > 1 else f"{value:.2f}"


def _number(value: float | None) -> str:
    return "no score" if value is None else f"{value:.1f}"
