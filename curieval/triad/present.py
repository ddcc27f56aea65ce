"""A scored table on the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from curieval.report.tables import Column, cut, inert, table, wrapped
from curieval.triad.score import Scoring
from curieval.triad.tally import FigureSummary, Summary, Tally, Total

MOST_REASONS = 6
_STANDING = ("exact", "descendant", "ancestor", "unrelated", "cross_ontology")


@dataclass(frozen=True, kw_only=True)
class Result:
    """All that was counted, in the words of the JSON.

    `summaries` begin with that of all rows; `replies` sums time, tokens and cost; `repairs`
    and `notes` say what was mended and assumed.
    """

    task: str
    table: str
    reading: str
    rows: int
    ontologies: Sequence[Mapping[str, str]]
    summaries: Sequence[Summary]
    suspect_references: Mapping[str, int]
    replies: Mapping[str, Total]
    reasons: Mapping[str, int]
    repairs: Mapping[str, int]
    notes: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return asdict(self)

    def as_text(self, width: int) -> str:
        """The figures slot by slot, what the answers are like, and what stayed out."""
        whole = self.summaries[0]
        releases = ", ".join(f"{each['name']} {each['release']}" for each in self.ontologies)
        head = f"{self.table}: {whole.rows} rows, {whole.scored} scored"
        if whole.unscored:
            head += f", {whole.unscored} unscored (suspect reference)"
        lines = [wrapped(f"{head}; {self.reading} reading, {releases}", width), ""]
        for summary in self.summaries:
            lines += [*_figure_table(summary, width), ""]
        lines += [wrapped(line, width) for line in _remarks(self)]
        return inert("\n".join(lines) + "\n")


def result_of(name: str, tally: Tally, scoring: Scoring) -> Result:
    """Sum up a table that was scored."""
    return Result(
        task="env_triad",
        table=name,
        reading="lenient" if scoring.lenient else "strict",
        rows=tally.rows,
        ontologies=[
            {"name": each.name, "release": each.release, "sha256": each.sha256}
            for each in scoring.ontologies
        ],
        summaries=tally.summaries(scoring.ontologies),
        suspect_references=dict(tally.suspects),
        replies=dict(tally.replies),
        reasons=dict(tally.reasons.most_common()),
        repairs=dict(tally.repairs),
        notes=tally.notes,
    )


def _figure_table(summary: Summary, width: int) -> list[str]:
    figures = summary.figures
    columns = [
        Column(
            head=summary.slice.get("slot", "all rows"),
            cells=[figure.name for figure in figures],
            left=True,
        ),
        Column(head="n", cells=[str(figure.n) for figure in figures]),
        Column(head="mean", cells=[_number(figure.mean) for figure in figures]),
        Column(head="95 %", cells=[_interval(figure) for figure in figures]),
        Column(head="best\nconst", cells=[_number(each.constant) for each in figures], worth=8),
        Column(head="ran-\ndom", cells=[_number(each.random) for each in figures], worth=7),
        Column(head="skill", cells=[_number(each.skill) for each in figures], worth=8),
    ]
    lines = table(columns, width)
    primary = next(figure for figure in figures if figure.primary)
    if primary.constant_answer:
        lines.append(cut(f"best constant {primary.name}: {primary.constant_answer}", width))
    return lines


def _remarks(result: Result) -> list[str]:
    whole = result.summaries[0]
    remarks = _answer_remarks(whole)
    if result.replies:
        sums = ", ".join(
            f"{name} {each.total:g} in {each.n} rows" for name, each in result.replies.items()
        )
        remarks.append(f"sums: {sums}")
    if whole.unreadable:
        remarks.append(
            f"unreadable: {whole.unreadable} answers, {whole.empty} of them empty, score 0"
        )
    if result.reading == "strict" and whole.lenient:
        means = ", ".join(f"{name} {mean:.3f}" for name, mean in whole.lenient.items())
        remarks.append(
            f"read leniently: {means}; {whole.read_leniently} of the unreadable are read so"
        )
    if result.reasons:
        remarks.append(f"reasons: {_named(result.reasons)}")
    if result.suspect_references:
        named = _named(result.suspect_references)
        remarks.append(f"suspect references: {named}; `curieval check env-triad` lists them")
    if any(figure.rough for figure in whole.figures):
        remarks.append("intervals are rough, as there are few rows or few differ")
    return remarks


def _answer_remarks(whole: Summary) -> list[str]:
    answers = whole.answers
    read = whole.scored - whole.unreadable
    if not read:
        return []
    standing = ", ".join(
        f"{_share(answers[name], read)} {name.replace('_', ' ')}"
        for name in _STANDING
        if answers.get(name)
    )
    agreement = f"labels: {_share(answers.get('label_valid', 0), read)} agree with their id"
    inside = answers.get("in_value_set", 0)
    judged = inside + answers.get("off_value_set", 0)
    if judged:
        agreement += f"; value set: {_share(inside, judged)} lie in it"
    return [f"answers: {standing}", agreement]


def _named(counts: Mapping[str, int]) -> str:
    shown = ", ".join(f"{name} {count}" for name, count in list(counts.items())[:MOST_REASONS])
    more = len(counts) - MOST_REASONS
    return shown + (f" and {more} more" if more > 0 else "")


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(figure: FigureSummary) -> str:
    if figure.low is None or figure.high is None:
        return "–"
    return f"{figure.low:.3f}–{figure.high:.3f}"
