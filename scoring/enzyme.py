"""Hierarchical micro-F1 of EC numbers, with its companions and intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Literal

from scoring.ec_counts import LEVELS, Packer, count_prefixes, encode
from scoring.ec_numbers import load_ec_facts
from scoring.hierarchy import count_score
from scoring.statistics import bootstrap_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PartialReference = Literal["closed", "open"]


@dataclass(frozen=True, kw_only=True, slots=True)
class EcCounts:
    """Prefixes shared (tp), predicted only (fp) and in the reference only (fn), and their ratios.

    Precision, recall and F1 are None where there is nothing to count.
    """

    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> float | None:
        """tp / (tp + fp)."""
        score = count_score(self.tp, self.fp, self.fn)
        return score.precision if score else None

    @property
    def recall(self) -> float | None:
        """tp / (tp + fn)."""
        score = count_score(self.tp, self.fp, self.fn)
        return score.recall if score else None

    @property
    def f1(self) -> float | None:
        """2 tp / (2 tp + fp + fn)."""
        score = count_score(self.tp, self.fp, self.fn)
        return score.f1 if score else None


@dataclass(frozen=True, kw_only=True)
class ProteinEcScore:
    """One protein: counts of each level, `deepest_match` from 0 to 4, whether the sets agree."""

    levels: Mapping[int, EcCounts]
    exact_set: bool

    @property
    def total(self) -> EcCounts:
        """The counts of all levels."""
        return _sum(self.levels.values())

    @property
    def precision(self) -> float | None:
        """Hierarchical precision over the four levels."""
        return self.total.precision

    @property
    def recall(self) -> float | None:
        """Hierarchical recall over the four levels."""
        return self.total.recall

    @property
    def f1(self) -> float | None:
        """Hierarchical F1 over the four levels."""
        return self.total.f1

    @property
    def deepest_match(self) -> int:
        """The deepest level at which a predicted prefix is right, 0 for none."""
        return max((level for level, counts in self.levels.items() if counts.tp), default=0)


@dataclass(frozen=True, kw_only=True, eq=False)
class HierarchicalMicroF1:
    """Pooled counts over proteins and levels, and what is reported beside them.

    `mean_level_f1` is the mean of the levels' F1, another number than the pooled `f1`. `counts`
    is n × 12: tp, fp, fn of level 1, then of levels 2 to 4. `transferred` and `deleted` are the
    dead numbers met, as written; `n_mapped` counts the numbers that `map_transferred` replaced.
    """

    total: EcCounts
    levels: Mapping[int, EcCounts]
    exact_set_accuracy: float | None
    abstention_accuracy: float | None
    n: int
    n_empty_pred: int
    n_empty_true: int
    transferred: Mapping[str, tuple[str, ...]]
    deleted: tuple[str, ...]
    n_mapped: int
    counts: NDArray[np.int32] = field(repr=False)
    exact: NDArray[np.bool_] = field(repr=False)

    @property
    def precision(self) -> float | None:
        """Pooled hierarchical precision."""
        return self.total.precision

    @property
    def recall(self) -> float | None:
        """Pooled hierarchical recall."""
        return self.total.recall

    @property
    def f1(self) -> float | None:
        """The hierarchical micro-F1."""
        return self.total.f1

    @property
    def mean_level_f1(self) -> float | None:
        """The mean F1 of the levels that have anything to count."""
        scores = [f1 for counts in self.levels.values() if (f1 := counts.f1) is not None]
        return sum(scores) / len(scores) if scores else None

    @cached_property
    def per_protein(self) -> tuple[ProteinEcScore, ...]:
        """The score of each protein, in the order given; made when first asked for."""
        return tuple(
            ProteinEcScore(levels=_levels(row), exact_set=exact)
            for row, exact in zip(self.counts.tolist(), self.exact.tolist(), strict=True)
        )

    def as_row(self) -> dict[str, float | int | None]:
        """All figures under their names in reports."""
        return {
            "hierarchical_micro_f1": self.f1,
            "hierarchical_micro_precision": self.precision,
            "hierarchical_micro_recall": self.recall,
            **{f"level_{level}_f1": counts.f1 for level, counts in self.levels.items()},
            "mean_level_f1": self.mean_level_f1,
            "exact_set_accuracy": self.exact_set_accuracy,
            "abstention_accuracy": self.abstention_accuracy,
            "n": self.n,
            "n_empty_pred": self.n_empty_pred,
            "n_empty_true": self.n_empty_true,
            "n_mapped": self.n_mapped,
        }


def hierarchical_micro_f1(
    *,
    reference: Sequence[Sequence[str]],
    prediction: Sequence[Sequence[str]],
    partial_reference: PartialReference = "closed",
    map_transferred: bool = False,
) -> HierarchicalMicroF1:
    """Score predicted EC numbers, a list of them for each protein, in the same order on both sides.

    For each protein and level the sets of prefixes are compared and the counts pooled
    (Kiritchenko et al. 2005; the root is not counted). Missing predictions stay in as empty
    lists. `partial_reference="open"` does not count what is predicted below a partial number
    of the reference as wrong. `map_transferred` follows one-to-one transfers on both sides.

    Raises ValueError for sides of unequal length and for what is no EC number.

    >>> hierarchical_micro_f1(reference=[["1.1.1.1"]], prediction=[["1.1.1.2"]]).f1
    0.75
    """
    if partial_reference not in ("closed", "open"):
        raise ValueError(f"partial_reference is {partial_reference!r}; use 'closed' or 'open'")
    reference, prediction = _as_list(reference), _as_list(prediction)
    if len(reference) != len(prediction):
        raise ValueError(
            f"{len(reference)} references and {len(prediction)} predictions; give one list for "
            "each protein on both sides, empty where there is no number"
        )
    packer = Packer(map_transferred=map_transferred)
    true = encode("reference", reference, packer)
    pred = encode("prediction", prediction, packer)
    counted = count_prefixes(true, pred, open_partial=partial_reference == "open")
    n = len(reference)
    is_empty_true, is_empty_pred = true.sizes == 0, pred.sizes == 0
    n_empty_true = int(is_empty_true.sum())
    levels = _levels(counted.counts.sum(axis=0, dtype=int).tolist())
    facts = load_ec_facts()
    written = sorted(packer.written)
    return HierarchicalMicroF1(
        total=_sum(levels.values()),
        levels=levels,
        exact_set_accuracy=int(counted.exact.sum()) / n if n else None,
        abstention_accuracy=(
            int((is_empty_true & is_empty_pred).sum()) / n_empty_true if n_empty_true else None
        ),
        n=n,
        n_empty_pred=int(is_empty_pred.sum()),
        n_empty_true=n_empty_true,
        transferred={code: facts.replaced[code] for code in written if code in facts.replaced},
        deleted=tuple(code for code in written if code in facts.deleted),
        n_mapped=_count_mapped(packer, reference, prediction),
        counts=counted.counts,
        exact=counted.exact,
    )


def bootstrap_micro_f1(
    counts: NDArray[np.int32], *, resamples: int = 10_000, confidence: float = 0.95, seed: int = 0
) -> dict[str, tuple[float, float] | None]:
    """Percentile intervals of precision, recall, f1, mean_level_f1 and level_1_f1 to level_4_f1.

    Proteins are drawn anew from the n × 12 `counts` of a score. None where no draw has anything
    to count. Raises ValueError for a matrix without rows.
    """
    import numpy as np

    if counts.ndim != 2 or counts.shape[1] != 3 * len(LEVELS) or not len(counts):
        raise ValueError(f"counts has the shape {counts.shape}; give the n × 12 matrix, n ≥ 1")
    drawn = bootstrap_sums(counts, resamples=resamples, seed=seed)
    tp, fp, fn = (drawn[:, start::3] for start in range(3))
    with np.errstate(invalid="ignore", divide="ignore"):
        level_f1 = 2 * tp / (2 * tp + fp + fn)
        all_tp, all_fp, all_fn = tp.sum(axis=1), fp.sum(axis=1), fn.sum(axis=1)
        f1 = 2 * all_tp / (2 * all_tp + all_fp + all_fn)
        counted = ~np.isnan(f1)
        figures = {
            "precision": np.where(counted & (all_tp == 0), 0.0, all_tp / (all_tp + all_fp)),
            "recall": np.where(counted & (all_tp == 0), 0.0, all_tp / (all_tp + all_fn)),
            "f1": f1,
            "mean_level_f1": np.nansum(level_f1, axis=1) / (~np.isnan(level_f1)).sum(axis=1),
            **{f"level_{level}_f1": level_f1[:, level - 1] for level in LEVELS},
        }
    tail = (1 - confidence) / 2
    intervals: dict[str, tuple[float, float] | None] = {}
    for name, values in figures.items():
        known = values[~np.isnan(values)]
        low_high = np.quantile(known, [tail, 1 - tail]).tolist() if len(known) else None
        intervals[name] = (low_high[0], low_high[1]) if low_high else None
    return intervals


def _as_list(side: Iterable[Sequence[str]]) -> Sequence[Sequence[str]]:
    return side if isinstance(side, (list, tuple)) else list(side)


def _levels(row: Sequence[int]) -> dict[int, EcCounts]:
    return {
        level: EcCounts(tp=row[3 * level - 3], fp=row[3 * level - 2], fn=row[3 * level - 1])
        for level in LEVELS
    }


def _sum(parts: Iterable[EcCounts]) -> EcCounts:
    tp = fp = fn = 0
    for counts in parts:
        tp, fp, fn = tp + counts.tp, fp + counts.fp, fn + counts.fn
    return EcCounts(tp=tp, fp=fp, fn=fn)


def _count_mapped(packer: Packer, *sides: Sequence[Sequence[str]]) -> int:
    if not packer.mapped:
        return 0
    numbers = chain.from_iterable(chain.from_iterable(sides))
    return sum(map(packer.mapped.__contains__, numbers))
