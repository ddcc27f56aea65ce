"""report.html: one file without network that shows the figures and lets people read the cases."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from curieval.report.atomic import write_whole
from curieval.report.compare import Comparison
from curieval.report.markup import escape, script_json
from curieval.report.run import Run
from curieval.report.schema import Report
from curieval.report.sections import sections

PAGE_FILE = "report.html"
# Beyond these a browser becomes slow; what is left out is in records.jsonl, and the page says so.
MOST_CASES = 20_000
MOST_TEXT = 40_000_000
LONGEST_TEXT = 20_000
SHORT_REPLY = 200

Explain = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
REPLY_FIELDS = (
    "finish", "seconds", "attempts", "from_cache", "cost_usd", "tokens_in", "tokens_out"
)  # fmt: skip
RECORD_FIELDS = (
    "id", "task", "model", "repeat", "label", "slices", "state", "reason", "detail", "flags",
    "scores", "reference", "origin",
)  # fmt: skip


def write_page(
    report: Report,
    run: Run,
    folder: Path,
    *,
    explain: Mapping[str, Explain] | None = None,
    comparisons: Sequence[Comparison] = (),
    whole: bool = False,
) -> None:
    """Write report.html into `folder`.

    `explain` maps a task to a function of a record that says why it got its score: `text`,
    and for terms `up` (names from the answer to below the shared term), `shared`, `down`
    (names from below the shared term to the reference). `comparisons` with a baseline get
    a section. Cases that are all right come without prompt unless `whole`.
    """
    parts = page_parts(report, run, explain=explain, comparisons=comparisons, whole=whole)
    write_whole(Path(folder) / PAGE_FILE, parts)


def page_parts(
    report: Report,
    run: Run,
    *,
    explain: Mapping[str, Explain] | None = None,
    comparisons: Sequence[Comparison] = (),
    whole: bool = False,
) -> Iterator[str]:
    """The page's text, piece by piece."""
    style, script = _asset("report.css"), _asset("report.js")
    cases = _Cases(report, run, explain or {}, whole=whole)
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}"
    title = ", ".join(sorted(report.tasks)) or "evaluation"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f"<title>Evaluation of {escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    yield from sections(report, run, comparisons)
    yield _BROWSER
    yield '<script type="application/json" id="data">{"primary":'
    yield script_json(cases.primary)
    yield ',"scales":'
    yield script_json(cases.scales)
    yield ',"cases":['
    yield from cases.rows()
    yield '],"prefixes":'
    yield script_json({key: run.prefixes[key] for key in sorted(cases.prefixes)})
    yield "}</script>\n"
    for note in cases.notes():
        yield f'<p class="soft">{escape(note)}</p>\n'
    yield f"<script>{script}</script>\n</body>\n</html>\n"


class _Cases:
    def __init__(
        self, report: Report, run: Run, explain: Mapping[str, Explain], *, whole: bool
    ) -> None:
        self.run = run
        self.explain = explain
        self.whole = whole
        heads = {
            name: next((figure for figure in task.figures if figure.primary), None)
            for name, task in report.tasks.items()
        }
        self.primary = {name: figure.name if figure else "" for name, figure in heads.items()}
        self.scales = {name: figure.scale if figure else 1.0 for name, figure in heads.items()}
        self.prefixes: set[str] = set()
        self.left_out = self.cut = self.without_text = self.text = 0

    def rows(self) -> Iterator[str]:
        chosen = self.chosen()
        comma = ""
        for record in self.run.transcripts():
            if record["id"] in chosen:
                yield comma + script_json(self.row(record))
                comma = ",\n"
        for key in sorted(chosen - self.run.records.keys()):
            yield comma + script_json(
                {**{n: self.run.plan[key].get(n) for n in RECORD_FIELDS}, "state": "not_run"}
            )
            comma = ",\n"

    def chosen(self) -> set[str]:
        """The items to show: all, or of too many the unscored and the worst."""
        keys = {*self.run.plan, *self.run.records}
        if len(keys) <= MOST_CASES:
            return keys
        self.left_out = len(keys) - MOST_CASES
        return set(sorted(keys, key=lambda key: (self.score(key), key))[:MOST_CASES])

    def score(self, key: str) -> float:
        """The share of the full score that an item reached; unscored items come first."""
        record = self.run.records.get(key)
        if record is None or record["state"] != "scored":
            return -1.0
        value = record["scores"].get(self.primary.get(record["task"], ""))
        return value / self.scales[record["task"]] if isinstance(value, int | float) else 1.0

    def row(self, record: Mapping[str, Any]) -> dict[str, Any]:
        row = {name: record[name] for name in RECORD_FIELDS if record.get(name) not in (None, [])}
        reply = record.get("reply") or {}
        row.update({name: reply[name] for name in REPLY_FIELDS if reply.get(name) is not None})
        right = record["state"] == "scored" and self.score(record["id"]) >= 1.0
        text, prompt = reply.get("text"), record.get("prompt") or {}
        if self.text > MOST_TEXT:
            self.without_text += 1
            return row
        if text is not None and (self.whole or not right or len(text) <= SHORT_REPLY):
            row["reply"] = self.bounded(text)
        if self.whole or not right:
            if prompt.get("user") is not None:
                row["prompt"] = self.bounded(prompt["user"])
            if prompt.get("prefix") in self.run.prefixes:
                row["prefix"] = prompt["prefix"]
                self.prefixes.add(prompt["prefix"])
            if judge := record.get("judge"):
                texts = [reply.get("text") or "" for reply in judge.get("replies", ()) if reply]
                row["judge"] = self.bounded("\n\n".join((judge.get("reason") or "", *texts)))
            if why := self.why(record):
                row["why"] = why
        return row

    def why(self, record: Mapping[str, Any]) -> Mapping[str, Any] | None:
        function = self.explain.get(record["task"])
        if function is None or record["state"] != "scored":
            return None
        try:
            return function(record)
        except Exception as error:
            return {"text": f"no explanation: {type(error).__name__}: {error}"}

    def bounded(self, text: str) -> str:
        if len(text) > LONGEST_TEXT:
            self.cut += 1
            text = f"{text[:LONGEST_TEXT]}\n… cut here: {len(text)} characters in all"
        self.text += len(text)
        return text

    def notes(self) -> Iterator[str]:
        if self.left_out:
            yield (
                f"{self.left_out} cases with the best scores are left out of this page, "
                "they are in records.jsonl."
            )
        if self.without_text:
            yield f"{self.without_text} cases are shown without texts, which are in records.jsonl."
        if self.cut:
            yield f"{self.cut} texts are cut at {LONGEST_TEXT} characters."


def _asset(name: str) -> str:
    return files("curieval.report").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


_BROWSER = """<section id="browser" hidden>
<h2 id="cases-title">Cases</h2>
<div class="controls" id="filters">
<label class="wide">search in ids, prompts, replies, references
<input type="search" id="search" autocomplete="off"></label>
<label>order<select id="order"></select></label>
<button type="button" id="clear">Clear</button>
</div>
<div id="cases">
<table aria-labelledby="cases-title">
<colgroup><col class="state"><col class="score"><col><col class="model slim"><col><col class="slim">
</colgroup>
<thead><tr><th>answer</th><th class="n">score</th><th>case</th><th class="slim">model</th>
<th>reply</th><th class="slim">reference</th></tr></thead>
<tbody id="rows"></tbody>
</table>
</div>
<div class="pager"><span class="soft" id="count" aria-live="polite"></span>
<button type="button" id="previous">Previous page</button>
<button type="button" id="next">Next page</button></div>
<p class="keys soft">Keys: <kbd>/</kbd> search, <kbd>j</kbd> <kbd>k</kbd> next and previous case,
<kbd>Enter</kbd> open or close, <kbd>n</kbd> <kbd>p</kbd> next and previous page,
<kbd>Esc</kbd> close.</p>
</section>
<noscript><p class="soft">Reading single cases needs JavaScript; records.jsonl and scores.tsv hold
them as well.</p></noscript>
"""
