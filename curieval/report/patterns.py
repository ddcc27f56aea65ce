"""Patterns in report.html: what was answered for what, and whether probabilities come true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from curieval.report.markup import escape
from curieval.report.plots import reliability_plot
from curieval.report.run import Run
from scoring.statistics import reliability_bins

MOST_CONFUSED = 14
CONFUSED = ("class", "branch", "verdict", "label")
UNREAD = "unread"


def confusion(run: Run, task: str) -> Iterator[str]:
    """References against answers of each model, where records have `truth_X` and `pred_X`.

    An answer without `pred_X` stands as unread.
    """
    scored = [r for r in run.records.values() if r["task"] == task and r["state"] == "scored"]
    models = sorted({record["model"] for record in scored})
    for model in models:
        opened = " open" if len(models) == 1 else ""
        for name in CONFUSED:
            pairs = [
                (str(r["scores"][f"truth_{name}"]), str(r["scores"][f"pred_{name}"] or UNREAD))
                for r in scored
                if r["model"] == model
                and r["scores"].get(f"truth_{name}")
                and f"pred_{name}" in r["scores"]
            ]
            if len({truth for truth, _ in pairs}) > 1:
                yield f"<details{opened}><summary>What {escape(model)} answered for what: "
                yield f"{escape(name)}, the {MOST_CONFUSED} most frequent references</summary>\n"
                yield f"{_heat(pairs)}</details>\n"
                opened = ""


def _heat(pairs: Sequence[tuple[str, str]]) -> str:
    truths = [value for value, _ in Counter(truth for truth, _ in pairs).most_common(MOST_CONFUSED)]
    given = Counter(answer for truth, answer in pairs if truth in truths)
    answers = [each for each in truths if each in given]
    answers += [each for each, _ in given.most_common() if each not in answers]
    rest = set(answers[MOST_CONFUSED:])
    answers = answers[:MOST_CONFUSED]
    cells = Counter((t, "other" if a in rest else a) for t, a in pairs if t in truths)
    columns = [*answers, "other"] if rest else answers
    most = max(cells.values())
    head = "".join(f'<th class="down" title="{escape(a)}">{escape(a)}</th>' for a in columns)
    lines = [f"<tr><th>reference ↓ answer →</th>{head}</tr>"]
    for truth in truths:
        row = []
        for answer in columns:
            n = cells[truth, answer]
            kind = f"w{1 + min(3, 4 * n // (most + 1))}" if n else ""
            kind += " right" if truth == answer else ""
            row.append(f'<td class="{kind.strip()}">{n or ""}</td>')
        side = f'<th class="side" title="{escape(truth)}">{escape(truth)}</th>'
        lines.append(f"<tr>{side}{''.join(row)}</tr>")
    return f'<div class="scroll"><table class="heat">{"".join(lines)}</table></div>\n'


def reliability(run: Run, task: str) -> Iterator[str]:
    """Stated probabilities against outcomes, where records have both columns."""
    pairs = [
        (r["model"], r["scores"].get("probability"), r["scores"].get("outcome"))
        for r in run.records.values()
        if r["task"] == task and r["state"] == "scored"
    ]
    for model in sorted({model for model, _, _ in pairs}):
        known = [
            (float(p), bool(o))
            for name, p, o in pairs
            if name == model and isinstance(p, int | float) and 0 <= p <= 1 and o is not None
        ]
        if known:
            bins = reliability_bins([p for p, _ in known], [o for _, o in known])
            points = [
                (b.mean, b.share, b.n) for b in bins if b.mean is not None and b.share is not None
            ]
            yield f"<h3>{escape(task)}: are {escape(model)}'s probabilities right?</h3>\n"
            yield reliability_plot(points)
