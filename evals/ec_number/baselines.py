"""What answers without a model reach on EC cases: one constant, and draws from the references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from curieval.models.types import Baseline
from evals.ec_number.cases import NONE
from scoring.enzyme import PartialReference

Prefixes = frozenset[str]
LEVELS = (1, 2, 3, 4)
FIGURES = (
    "hierarchical_micro_f1",
    "hierarchical_micro_precision",
    "hierarchical_micro_recall",
    *(f"level_{level}_f1" for level in LEVELS),
    "mean_level_f1",
    "exact_set",
    "abstention_accuracy",
)


def baselines(records: Sequence[Mapping[str, Any]]) -> Sequence[Baseline]:
    """What two answers without a model reach on these records, as `constant_and_drawn` has it."""
    return constant_and_drawn(Counter(_codes(record["reference"]) for record in records))


def constant_and_drawn(
    references: Counter[tuple[str, ...]], *, partial_reference: PartialReference = "open"
) -> Sequence[Baseline]:
    """What two answers without a model reach on references, counted by how often each stands.

    For each figure the best constant answer among all references, their prefixes and `none`;
    and what draws from the references reach on average: the class-frequency baseline.
    """
    if not references:
        return ()
    suite = _Suite(references, partial_reference)
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

    def __init__(
        self, references: Counter[tuple[str, ...]], partial_reference: PartialReference
    ) -> None:
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
            if paths and partial_reference == "open":
                self.paths[paths] += times
        self.real = Counter[int]()
        for prefix, times in self.prefixes.items():
            self.real[_level(prefix)] += times

    def candidates(self) -> dict[Prefixes, str]:
        """The answers that a constant may give, as sets of prefixes and as text."""
        return {
            Prefixes(): NONE,
            **{_above(prefix): _padded(prefix) for prefix in self.prefixes},
            **{self.sets[ref]: "; ".join(ref) or NONE for ref in self.references},
        }

    def constant(self, answer: Prefixes) -> dict[str, float]:
        """The figures of one answer given to every record."""
        shared, predicted = Counter[int](), Counter[int]()
        for prefix in answer:
            shared[_level(prefix)] += self.prefixes[prefix]
            predicted[_level(prefix)] += self.n - self._open(prefix)
        figures = self._figures(shared, predicted)
        figures["exact_set"] = self.exact[answer] / self.n
        if () in self.references:
            figures["abstention_accuracy"] = float(not answer)
        return figures

    def drawn(self) -> dict[str, float]:
        """The figures of expected counts when each answer is drawn from the references."""
        shared, predicted = dict.fromkeys(LEVELS, 0.0), dict.fromkeys(LEVELS, 0.0)
        for prefix, times in self.prefixes.items():
            shared[_level(prefix)] += times * times / self.n
            predicted[_level(prefix)] += times * (1 - self._open(prefix) / self.n)
        figures = self._figures(shared, predicted)
        figures["exact_set"] = sum(t * t for t in self.exact.values()) / self.n**2
        if () in self.references:
            figures["abstention_accuracy"] = self.references[()] / self.n
        return figures

    def _open(self, prefix: str) -> int:
        """How many records have a partial reference that says nothing of a prefix."""
        return sum(times for paths, times in self.paths.items() if prefix.startswith(paths))

    def _figures(
        self, shared: Mapping[int, float], predicted: Mapping[int, float]
    ) -> dict[str, float]:
        real = self.real
        levels = {
            f"level_{level}_f1": 2 * shared[level] / (predicted[level] + real[level])
            for level in LEVELS
            if predicted[level] or real[level]
        }
        if not levels:
            return {}
        found, said, true = (sum(each.values()) for each in (shared, predicted, real))
        return {
            "hierarchical_micro_f1": 2 * found / (said + true),
            "hierarchical_micro_precision": found / said if said else 0.0,
            "hierarchical_micro_recall": found / true if true else 0.0,
            **levels,
            "mean_level_f1": sum(levels.values()) / len(levels),
        }


def _level(prefix: str) -> int:
    return prefix.count(".") + 1


def _codes(reference: str) -> tuple[str, ...]:
    return () if reference == NONE else tuple(reference.split("; "))


def _prefixes(codes: Iterable[str]) -> Prefixes:
    return frozenset[str]().union(*(_above(code.rstrip(".-")) for code in codes))


def _above(prefix: str) -> Prefixes:
    fields = prefix.split(".")
    return frozenset(".".join(fields[:end]) for end in range(1, len(fields) + 1))


def _padded(prefix: str) -> str:
    return ".".join([*prefix.split("."), *["-"] * (3 - prefix.count("."))])
