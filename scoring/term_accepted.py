"""Further references of the rows of a table: the best of weight x F1 counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.term_target import read_accepted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scoring.term_pairs import Relations


class Accepted(NamedTuple):
    """One entry a further reference: its row, its place among the row's own, CURIE, weight."""

    rows: NDArray[np.intp]
    ranks: NDArray[np.intp]
    curies: Sequence[str]
    weights: NDArray[np.float64]


def accepted_of(column: Sequence[Any]) -> Accepted:
    """The entries of a column of mappings, reference to weight; empty and None hold none.

    ValueError names the row of a cell that is no mapping, or holds what cannot be used.
    """
    import numpy as np

    read: dict[int, Sequence[tuple[str, float]]] = {}
    entries: list[tuple[int, int, str, float]] = []
    for row, cell in enumerate(column):
        if not cell:
            continue
        # Few mappings serve many rows, and none can be hashed.
        if id(cell) not in read:
            read[id(cell)] = _read_cell(cell, row)
        entries += [(row, rank, *entry) for rank, entry in enumerate(read[id(cell)])]
    return Accepted(
        rows=np.array([entry[0] for entry in entries], dtype=np.intp),
        ranks=np.array([entry[1] for entry in entries], dtype=np.intp),
        curies=[entry[2] for entry in entries],
        weights=np.array([entry[3] for entry in entries], dtype=np.float64),
    )


def let_best_count(
    scored: Mapping[str, NDArray[Any]],
    rows: NDArray[np.intp],
    ranks: NDArray[np.intp],
    weights: NDArray[np.float64],
    relations: Relations,
) -> None:
    """Put the hierarchical figures of a further reference where weight x F1 is the row's best."""
    import numpy as np

    for rank in np.unique(ranks):
        mine = np.flatnonzero(ranks == rank)
        better = mine[weights[mine] * relations.f1[mine] > scored["hierarchical_f1"][rows[mine]]]
        for name, values in (
            ("hierarchical_precision", relations.precision),
            ("hierarchical_recall", relations.recall),
            ("hierarchical_f1", relations.f1),
            ("lin_similarity", relations.lin),
        ):
            scored[name][rows[better]] = weights[better] * values[better]


def _read_cell(cell: object, row: int) -> tuple[tuple[str, float], ...]:
    if not isinstance(cell, Mapping):
        raise ValueError(
            f"row {row + 1}, accepted: expected references with their weights, found {cell!r:.60}"
        )
    try:
        return read_accepted(cell)
    except ValueError as error:
        raise ValueError(f"row {row + 1}: {error}") from None
