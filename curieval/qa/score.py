"""Scores a table of answers made elsewhere by an adjudicator: the same rows, scores beside them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from curieval.qa import rows as has
from curieval.qa.adjudicator import Adjudicator, Item, Verdict
from curieval.report.judges import LEAST_COVERAGE
from curieval.report.schema import JudgeInfo
from curieval.report.tables import inert, wrapped
from curieval.tables import Batch, Ids, Table, find_fields, open_output, refuse_doubled
from scoring.judge import Mode
from scoring.statistics import Interval, is_rough, mean_interval

READ = (
    *(has.ID, has.QUESTION, has.REFERENCE, has.PREDICTION),
    *(has.RUBRIC, has.MUST_NOT, has.MODEL),
)
COLUMNS = ("llm_score", "judge_state", "judge_reason", "judge_calls", "judge_cost_usd")
SPREAD = "judge_spread"
ROWS_AT_A_TIME = 500


@dataclass(kw_only=True)
class Tally:
    """What was counted over all rows."""

    rows: int = 0
    empty: int = 0
    scores: list[float] = field(default_factory=list)
    spreads: list[float] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Result:
    """LLM-Score of a table: mean over scored rows from 0 to 100, bounds, and who judged.

    `bounds` are the mean with what has no score as 0 and as 100. `spread` is the mean distance
    of the highest from the lowest score where the judge was asked several times.
    """

    table: str
    rows: int
    scored: int
    unscored: int
    not_run: int
    coverage: float
    llm_score: float | None
    low: float | None
    high: float | None
    bounds: tuple[float, float] | None
    spread: float | None
    reasons: Mapping[str, int]
    judge: JudgeInfo
    judge_line: str
    settings: Mapping[str, Any]
    own_family: Mapping[str, int]
    calls: int
    cost_usd: float | None
    repairs: Mapping[str, int]
    notes: Sequence[str]

    @property
    def is_covered(self) -> bool:
        """Whether enough answers got a score for the mean to be believed."""
        return self.coverage >= LEAST_COVERAGE

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {
            "task": "protein_qa",
            **plain,
            "judge": msgspec.to_builtins(self.judge),
            "covered": self.is_covered,
        }

    def as_text(self, width: int) -> str:
        """The score, what it rests on, and whether its judge can be believed."""
        lines = [f"{self.table}: {self.rows} rows, {self.scored} scored"]
        rest = [(self.unscored, "unscored"), (self.not_run, "not run")]
        lines[0] += "".join(f", {count} {what}" for count, what in rest if count)
        if self.llm_score is not None and self.bounds is not None:
            rough = ", rough" if is_rough(self.llm_score / 100, self.scored) else ""
            lines.append(
                f"LLM-Score {self.llm_score:.1f} (95 % {self.low:.1f}–{self.high:.1f}{rough}), "
                f"n {self.scored}"
            )
            if self.scored < self.rows:
                lines.append(
                    f"bounds {self.bounds[0]:.1f}–{self.bounds[1]:.1f}, with what has no score "
                    "as 0 and as 100"
                )
        if not self.is_covered:
            lines.append(
                f"coverage {self.coverage:.1%}, at least {LEAST_COVERAGE:.0%} is wanted: "
                "this score stands for the judge's failures too"
            )
        lines += [self.judge_line, self._how()]
        if self.own_family:
            named = ", ".join(f"{name} ({count} rows)" for name, count in self.own_family.items())
            lines.append(f"own family: the judge may favour {named}")
        failed = {why: n for why, n in self.reasons.items() if why.startswith("judge_")}
        if failed:
            lines.append("no score: " + ", ".join(f"{why} {n}" for why, n in failed.items()))
        return inert("\n".join(wrapped(line, width) for line in lines) + "\n")

    def _how(self) -> str:
        told = f"mode {self.settings['mode']}, prompt {self.settings['prompt_sha256'][:12]}"
        if self.spread is not None:
            told += f", asked {self.settings['repeats']} times, mean spread {self.spread:.1f}"
        if self.calls:
            cost = "cost unknown" if self.cost_usd is None else f"${self.cost_usd:.4f}"
            told += f"; {self.calls} calls, {cost}"
        return told


def score_table(
    table: Table,
    adjudicator: Adjudicator,
    *,
    mapping: Mapping[str, str],
    out: Path | None = None,
    checked: bool = True,
    doubled_ids: bool = False,
) -> Result:
    """Have every row judged, write the table where `out` names one, and sum up.

    TableError where the table cannot be read; then nothing is written.
    """
    found = find_fields(table, READ, mapping)
    tally = Tally()
    _read_once(table, found, doubled_ids)
    line = adjudicator.line(checked=checked)
    names = output_columns(table.columns, adjudicator.repeats)
    with open_output(out, names, source=table.path) if out else nullcontext() as output:
        for batch in table.again().batches():
            for start in range(0, len(batch), ROWS_AT_A_TIME):
                rows = _part(batch, start)
                verdicts = adjudicator.judge(_items(table, rows, found))
                _count(tally, rows, verdicts, found)
                if output is not None:
                    output.write(_written(rows, verdicts, names), len(rows))
    tally.repairs.update(table.repairs)
    if output is not None:
        tally.repairs.update(output.repairs)
    replaced = [name for name in table.columns if name in (*COLUMNS, SPREAD)]
    if replaced:
        tally.notes.append(f"columns of the input that were replaced: {', '.join(replaced)}")
    if tally.empty:
        tally.notes.append(f"{tally.empty} empty answers score 0 without a call")
    return _result(table.path.name, tally, adjudicator, line, checked)


def usual_mode(table: Table, mapping: Mapping[str, str]) -> Mode:
    """`rubric` where the table brings rubrics or asks the project's questions, else `card`."""
    found = find_fields(table, READ, mapping)
    if found["rubric"] is not None:
        return "rubric"
    own = has.project_cases()
    for batch in table.again().batches():
        pairs = zip(batch.texts(found["id"]), batch.texts(found["reference"]), strict=True)
        if not all(i in own and own[i].reference == reference for i, reference in pairs):
            return "card"
    return "rubric"


def output_columns(columns: Sequence[str], repeats: int = 1) -> list[str]:
    """The row's own columns, then ours."""
    ours = (*COLUMNS, SPREAD) if repeats > 1 else COLUMNS
    return [*(name for name in columns if name not in (*COLUMNS, SPREAD)), *ours]


def _read_once(table: Table, found: Mapping[str, str | None], doubled_ids: bool) -> None:
    """Every row read and checked before the first call, so that a mistake costs nothing."""
    ids = Ids()
    for batch in table.batches():
        _items(table, batch, found)
        if found["id"] is not None:
            ids.add(batch.texts(found["id"]))
    if not doubled_ids:
        doubled = ids.doubled(table, found["id"])
        refuse_doubled(doubled, found["id"], "give each row its own, or allow --doubled-ids")


def _items(table: Table, rows: Batch, found: Mapping[str, str | None]) -> list[Item]:
    texts = {name: rows.texts(found[name]) for name in ("id", "question", "reference")}
    answers = rows.texts(found["prediction"])
    items = []
    for n, line in enumerate(rows.lines):
        case = has.case_of(
            place=table.place(line),
            case_id=texts["id"][n] or f"row-{line}",
            question=texts["question"][n],
            reference=texts["reference"][n],
            rubric=_cell(rows, found["rubric"], n),
            must_not=_cell(rows, found["must_not"], n),
        )
        items.append(Item(case=case, answer=answers[n]))
    return items


def _cell(rows: Batch, column: str | None, n: int) -> Any:  # noqa: ANN401 - a list in JSON lines
    if column is None or column not in rows.columns:
        return ""
    value = rows.columns[column][n]
    return value if isinstance(value, list) else rows.texts(column)[n]


def _part(batch: Batch, start: int) -> Batch:
    end = start + ROWS_AT_A_TIME
    columns = {name: values[start:end] for name, values in batch.columns.items()}
    return Batch(lines=batch.lines[start:end], columns=columns)


def _count(
    tally: Tally, rows: Batch, verdicts: Sequence[Verdict], found: Mapping[str, str | None]
) -> None:
    tally.rows += len(rows)
    tally.models.update(filter(None, rows.texts(found["model"])))
    for verdict in verdicts:
        tally.states[verdict.state] += 1
        tally.reasons[verdict.reason] += 1
        tally.empty += verdict.reason == "nothing_to_judge"
        if verdict.score is not None and verdict.spread is not None:
            tally.scores.append(verdict.score)
            tally.spreads.append(verdict.spread)


def _written(
    rows: Batch, verdicts: Sequence[Verdict], names: Sequence[str]
) -> dict[str, Sequence[Any]]:
    own = {name: values for name, values in rows.columns.items() if name in names}
    costs = [[reply.cost_usd for reply in verdict.replies] for verdict in verdicts]
    made: dict[str, Sequence[Any]] = {
        "llm_score": [verdict.score for verdict in verdicts],
        "judge_state": [verdict.state for verdict in verdicts],
        "judge_reason": [verdict.reason for verdict in verdicts],
        "judge_calls": [len(verdict.replies) for verdict in verdicts],
        "judge_cost_usd": [
            None if not each or None in each else math.fsum(map(float, filter(None, each)))
            for each in costs
        ],
        SPREAD: [verdict.spread for verdict in verdicts],
    }
    return {**own, **{name: values for name, values in made.items() if name in names}}


def _result(name: str, tally: Tally, adjudicator: Adjudicator, line: str, checked: bool) -> Result:
    scored = len(tally.scores)
    missing = tally.rows - scored
    interval: Interval | None = None
    bounds = None
    if tally.rows:
        total = math.fsum(tally.scores)
        bounds = (total / tally.rows, (total + 100 * missing) / tally.rows)
    if scored:
        interval = mean_interval(score / 100 for score in tally.scores)
    related = adjudicator.relatives([*tally.models])
    return Result(
        table=name,
        rows=tally.rows,
        scored=scored,
        unscored=tally.states["unscored"],
        not_run=tally.states["not_run"],
        coverage=scored / tally.rows if tally.rows else 0.0,
        llm_score=100 * interval.mean if interval else None,
        low=100 * interval.low if interval else None,
        high=100 * interval.high if interval else None,
        bounds=bounds,
        spread=sum(tally.spreads) / scored if scored and adjudicator.repeats > 1 else None,
        reasons=dict(tally.reasons.most_common()),
        judge=adjudicator.info(checked=checked),
        judge_line=line,
        settings=adjudicator.settings(),
        own_family={model: tally.models[model] for model in related},
        calls=adjudicator.calls,
        cost_usd=None if adjudicator.unpriced else adjudicator.spent_usd,
        repairs=dict(tally.repairs),
        notes=tally.notes,
    )
