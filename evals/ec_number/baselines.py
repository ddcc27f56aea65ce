"""What answers without a model reach on EC cases: one constant, and draws from the references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from curieval.models.types import Baseline
from evals.ec_number.cases import NONE

Prefixes = frozenset[str]
FIGURES = (
    "hierarchical_micro_f1",
    "hierarchical_micro_precision",
    "hierarchical_micro_recall",
    "exact_set",
    "abstention",
)


def baselines(records: Sequence[Mapping[str, Any]]) -> Sequence[Baseline]:
    """What two answers without a model reach on these records.

    For each figure the best constant answer among all references, their prefixes and `none`;
    and what draws from the references reach on average: the class-frequency baseline.
    """
    if not records:
        return ()
    suite = _Suite(Counter(_codes(record["reference"]) for record in records))
    candidates = suite.candidates()
    constants = {answer: suite.constant(answer) for answer in candidates}
    found = []
    for figure in FIGURES:
        values = {a: figures[figure] for a, figures in constants.items() if figure in figures}
        if values:
            best = min(values, key=lambda answer: (-values[answer], candidates[answer]))
            found.append(
                Baseline(
                    name="best_constant", answer=candidates[best], figures={figure: values[best]}
                )
            )
    drawn = Baseline(name="random", answer="drawn from the references", figures=suite.drawn())
    return (*found, drawn)


class _Suite:
    """References with how often each occurs, and how often each prefix is among theirs."""

    def __init__(self, references: Counter[tuple[str, ...]]) -> None:
        self.references = references
        self.n = references.total()
        self.sets = {reference: _prefixes(reference) for reference in references}
        self.prefixes = Counter[str]()
        self.exact = Counter[Prefixes]()
        self.paths = Counter[tuple[str, ...]]()
        for reference, times in references.items():
            self.exact[self.sets[reference]] += times
            for prefix in self.sets[reference]:
                self.prefixes[prefix] += times
            paths = tuple(f"{code.rstrip('.-')}." for code in reference if code.endswith("-"))
            if paths:
                self.paths[paths] += times

    def candidates(self) -> dict[Prefixes, str]:
        """The answers that a constant may give, as sets of prefixes and as text."""
        return {
            Prefixes(): NONE,
            **{_above(prefix): _padded(prefix) for prefix in self.prefixes},
            **{self.sets[ref]: "; ".join(ref) or NONE for ref in self.references},
        }

    def constant(self, answer: Prefixes) -> dict[str, float]:
        """The figures of one answer given to every record."""
        shared = sum(self.prefixes[prefix] for prefix in answer)
        predicted = self.n * len(answer) - self._open(answer)
        figures = self._figures(shared, predicted)
        figures["exact_set"] = self.exact[answer] / self.n
        if () in self.references:
            figures["abstention"] = float(not answer)
        return figures

    def drawn(self) -> dict[str, float]:
        """The figures of expected counts when each answer is drawn from the references."""
        shared = sum(times * times for times in self.prefixes.values()) / self.n
        spared = sum(self._open(self.sets[r]) * times for r, times in self.references.items())
        figures = self._figures(shared, self.prefixes.total() - spared / self.n)
        figures["exact_set"] = sum(t * t for t in self.exact.values()) / self.n**2
        if () in self.references:
            figures["abstention"] = self.references[()] / self.n
        return figures

    def _open(self, answer: Prefixes) -> int:
        """Prefixes of an answer, over all records, of which a partial reference says nothing."""
        return sum(
            times * sum(prefix.startswith(paths) for prefix in answer)
            for paths, times in self.paths.items()
        )

    def _figures(self, shared: float, predicted: float) -> dict[str, float]:
        real = self.prefixes.total()
        if not predicted and not real:
            return {}
        return {
            "hierarchical_micro_f1": 2 * shared / (predicted + real),
            "hierarchical_micro_precision": shared / predicted if predicted else 0.0,
            "hierarchical_micro_recall": shared / real if real else 0.0,
        }


def _codes(reference: str) -> tuple[str, ...]:
    return () if reference == NONE else tuple(reference.split("; "))


def _prefixes(codes: Iterable[str]) -> Prefixes:
    return frozenset[str]().union(*(_above(code.rstrip(".-")) for code in codes))


def _above(prefix: str) -> Prefixes:
    fields = prefix.split(".")
    return frozenset(".".join(fields[:end]) for end in range(1, len(fields) + 1))


def _padded(prefix: str) -> str:
    return ".".join([*prefix.split("."), *["-"] * (3 - prefix.count("."))])
