"""thresholds.toml: what a run must reach, read strictly, so that no rule is ever ignored.

[[embedded.env_triad]]                  # a model's name, or `default` for all others
figure = "hierarchical_f1"              # or: statistic = "unscored", "unreadable",
statistic = "low"                       #     "cost" (USD) or "latency_p95" (seconds)
slice = { slot = "env_broad_scale" }    # optional
case_set = "sample"                     # optional: the case set that the rule is for
min = 0.4                               # or max, or both
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from curieval.report.errors import ReportError
from curieval.report.rules import FailIf, parse_fail_if

DEFAULT = "default"
OF_FIGURES = ("mean", "low")
OF_RUNS = ("unscored", "unreadable", "cost", "latency_p95")
KEYS = ("figure", "statistic", "slice", "case_set", "min", "max", "fail_if", "allow")
ALLOWANCES = ("missing_cases", "changed_data")
CASE_SETS = ("sample", "all")


@dataclass(frozen=True, kw_only=True)
class Gate:
    """One rule: a statistic of a task, or of one slice of it, and what it must keep to.

    `fail_if` are rules against a baseline report, `allow` what they overlook; `source` is
    `file:line`.
    """

    figure: str | None
    statistic: str
    slice: Mapping[str, str] = field(default_factory=dict)
    case_set: str | None = None
    min: float | None = None
    max: float | None = None
    fail_if: tuple[FailIf, ...] = ()
    allow: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """The rules of one file, by model and task."""

    path: Path
    gates: Mapping[str, Mapping[str, tuple[Gate, ...]]]

    def rules(self, model: str, task: str) -> tuple[Gate, ...]:
        """The rules for a model on a task: its own where it has any, else the default ones."""
        own = self.gates.get(model, {}).get(task)
        return own if own is not None else self.gates.get(DEFAULT, {}).get(task, ())


def load_thresholds(
    path: Path, *, tasks: Mapping[str, Collection[str]] | None = None
) -> Thresholds:
    """Read a thresholds file; `tasks` maps each known task to the names of its figures.

    ReportError naming file, line and key where anything is not understood.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except FileNotFoundError:
        raise ReportError(f"there is no thresholds file {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(f"{path} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ReportError(f"{path} is not TOML: {error}") from error
    reader = _Reader(Path(path), text, tasks)
    return Thresholds(
        path=Path(path),
        gates={model: reader.model(model, part) for model, part in document.items()},
    )


class _Reader:
    def __init__(self, path: Path, text: str, tasks: Mapping[str, Collection[str]] | None) -> None:
        self.path = path
        self.tasks = tasks
        self.lines: dict[tuple[str, ...], list[int]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if header := re.match(r"\s*\[\[(.+)\]\]\s*(#.*)?$", line):
                self.lines.setdefault(_header_parts(header[1]), []).append(number)

    def model(self, model: str, part: object) -> dict[str, tuple[Gate, ...]]:
        if not isinstance(part, dict):
            raise self.error(model, f"expected rules as [[{model}.TASK]], found {part!r}")
        return {task: self.rules(model, task, rules) for task, rules in part.items()}

    def rules(self, model: str, task: str, rules: object) -> tuple[Gate, ...]:
        where = f"{model}.{task}"
        if self.tasks is not None and task not in self.tasks:
            raise self.error(where, f"unknown task {task!r}{_near(task, self.tasks)}")
        if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
            raise self.error(where, f"rules are written as [[{where}]], with double brackets")
        lines = self.lines.get((model, task), [])
        return tuple(
            self.rule(
                where,
                task,
                rule,
                f"{self.path}:{lines[place]}" if place < len(lines) else str(self.path),
            )
            for place, rule in enumerate(rules)
        )

    def rule(self, where: str, task: str, rule: dict[str, Any], source: str) -> Gate:
        def fail(what: str) -> ReportError:
            return ReportError(f"{source}: [[{where}]]: {what}")

        for key in rule:
            if key not in KEYS:
                raise fail(f"unknown key {key!r}{_near(key, KEYS)}")
        figure = rule.get("figure")
        statistic = rule.get("statistic", "mean" if figure else None)
        if figure is not None:
            known = None if self.tasks is None else self.tasks[task]
            if not isinstance(figure, str) or (known is not None and figure not in known):
                raise fail(f"unknown figure {figure!r}{_near(figure, known or ())}")
            if statistic not in OF_FIGURES:
                raise fail(f"statistic of a figure is {' or '.join(OF_FIGURES)}, not {statistic!r}")
        elif statistic not in OF_RUNS:
            raise fail(
                f"name a figure, or a statistic out of {', '.join(OF_RUNS)}; found {statistic!r}"
            )
        slice_ = rule.get("slice", {})
        if not isinstance(slice_, dict) or not all(isinstance(v, str) for v in slice_.values()):
            raise fail(f'slice is a table of texts such as {{ slot = "..." }}, not {slice_!r}')
        if len(slice_) > 1:
            raise fail("slice names one key only: reports split by one key at a time")
        case_set = rule.get("case_set")
        if case_set is not None and case_set not in CASE_SETS:
            raise fail(f"case_set is {' or '.join(CASE_SETS)}, not {case_set!r}")
        limits = {key: rule[key] for key in ("min", "max") if key in rule}
        fail_if = _texts(rule.get("fail_if", []))
        allow = _texts(rule.get("allow", []))
        if fail_if is None or (fail_if and figure is None):
            raise fail("fail_if is a text or a list of texts, and needs a figure")
        try:
            falls = tuple(map(parse_fail_if, fail_if))
        except ValueError as error:
            raise fail(f"fail_if: {error}") from error
        if allow is None or not set(allow) <= set(ALLOWANCES):
            raise fail(f"allow is a list out of {', '.join(ALLOWANCES)}, not {rule['allow']!r}")
        if not limits and not fail_if:
            raise fail("a rule needs min, max or fail_if")
        for key, limit in limits.items():
            if isinstance(limit, bool) or not isinstance(limit, int | float) or limit != limit:
                raise fail(f"{key} is a number, not {limit!r}")
        return Gate(
            figure=figure,
            statistic=statistic,
            slice=slice_,
            case_set=case_set,
            fail_if=falls,
            allow=allow,
            source=source,
            **limits,
        )

    def error(self, where: str, what: str) -> ReportError:
        parts = tuple(where.split("."))
        line = next((n for key, n in sorted(self.lines.items()) if key[: len(parts)] == parts), [])
        return ReportError(f"{self.path}{f':{line[0]}' if line else ''}: [[{where}]]: {what}")


def _texts(value: object) -> tuple[str, ...] | None:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        return None
    return tuple(values)


def _near(word: object, known: Collection[str]) -> str:
    near = get_close_matches(str(word), known, n=1)
    if near:
        return f"; did you mean {near[0]!r}?"
    return f"; there are {', '.join(sorted(known))}" if known else ""


def _header_parts(header: str) -> tuple[str, ...]:
    found = re.findall(r'"([^"]*)"|\'([^\']*)\'|([A-Za-z0-9_-]+)', header)
    return tuple(next(part for part in parts if part or part == parts[-1]) for parts in found)
