"""Holding many pairs of terms against each other at once, with the figures of `relate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.facts import Given, home_of
from scoring.hierarchy import BRANCH_ROOTS, lineage
from scoring.hierarchy import content as information
from scoring.ontology import Ontology
from scoring.term_target import relate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RELATIONSHIPS = ("exact", "descendant", "ancestor", "unrelated", "cross_ontology")
EXACT, _DESCENDANT, _ANCESTOR, _UNRELATED = range(4)
# Rows of bits per step: enough to amortise the call, little enough for the cache.
_CHUNK = 1 << 14


class Relations(NamedTuple):
    """Columns over pairs: index into RELATIONSHIPS, hops (-1 for none), figures in [0, 1]."""

    relationship: NDArray[np.int8]
    hops: NDArray[np.int32]
    hierarchy: NDArray[np.float64]
    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    f1: NDArray[np.float64]
    lin: NDArray[np.float64]


def relate_pairs(
    curies: Sequence[str],
    answers: NDArray[np.intp],
    truths: NDArray[np.intp],
    *,
    given: Given,
    slot: str,
) -> Relations:
    """Relate `curies[answers[k]]` to `curies[truths[k]]` for every k, as `relate` would.

    Sets of ancestors are rows of bits, in order of falling information content: what two
    terms share is one AND, its size a population count, its most informative term the
    first bit.
    """
    import numpy as np

    count = len(answers)
    found = Relations(
        np.full(count, _UNRELATED, np.int8),
        np.full(count, -1, np.int32),
        *(np.zeros(count) for _ in range(5)),
    )
    homes = [home_of(curie, given) for curie in curies]
    numbers = {home: number for number, home in enumerate(dict.fromkeys(homes))}
    home_numbers = np.array([numbers[home] for home in homes], dtype=np.intp)
    same_home = home_numbers[answers] == home_numbers[truths]
    for home, number in numbers.items():
        if home is not None:
            mine = np.flatnonzero(same_home & (home_numbers[answers] == number))
            _relate_within(found, mine, curies, answers, truths, home, slot)
    nowhere = np.array([home is None for home in homes], dtype=bool)
    for place in np.flatnonzero(~same_home | nowhere[answers]):
        _set_one(found, int(place), curies[answers[place]], curies[truths[place]], given, slot)
    return found


def _set_one(
    found: Relations, place: int, answer: str, truth: str, given: Given, slot: str
) -> None:
    one = relate(answer, truth, given, slot)
    found.relationship[place] = RELATIONSHIPS.index(one.relationship)
    found.hops[place] = -1 if one.hops is None else one.hops
    found.hierarchy[place] = one.hierarchy
    found.precision[place], found.recall[place], found.f1[place], found.lin[place] = one.likeness


def _relate_within(
    found: Relations,
    places: NDArray[np.intp],
    curies: Sequence[str],
    answers: NDArray[np.intp],
    truths: NDArray[np.intp],
    home: Ontology,
    slot: str,
) -> None:
    import numpy as np

    if not len(places):
        return
    used, local = np.unique(np.concatenate([answers[places], truths[places]]), return_inverse=True)
    terms = [curies[number] for number in used]
    left, right = local[: len(places)], local[len(places) :]
    _set_hops(found, places, terms, left, right, home)
    root = BRANCH_ROOTS[slot] if slot == "env_broad_scale" or BRANCH_ROOTS[slot] in home else None
    live = np.array([home.is_live(term) for term in terms], dtype=bool)
    judged = live[left] & live[right]
    if root is None:
        _set_likeness(found, places, judged, left, right, _Bits(terms, home, None))
        return
    inside = np.array([root in home.ancestors(term) for term in terms], dtype=bool)
    both = inside[left] & inside[right]
    _set_likeness(found, places, judged & both, left, right, _Bits(terms, home, root))
    if slot == "env_local_scale" and not both.all():
        _set_likeness(found, places, judged & ~both, left, right, _Bits(terms, home, None))


def _set_hops(
    found: Relations,
    places: NDArray[np.intp],
    terms: Sequence[str],
    left: NDArray[np.intp],
    right: NDArray[np.intp],
    home: Ontology,
) -> None:
    import numpy as np

    numbers = {term: number for number, term in enumerate(terms)}
    steps = sorted(
        (number * len(terms) + numbers[ancestor], hops)
        for number, term in enumerate(terms)
        for ancestor, hops in home.ancestors(term).items()
        if ancestor in numbers
    )
    keys = np.array([key for key, _ in steps], dtype=np.int64)
    hops = np.array([hop for _, hop in steps], dtype=np.int32)

    def climb(below: NDArray[np.intp], above: NDArray[np.intp]) -> NDArray[np.int32]:
        wanted = below.astype(np.int64) * len(terms) + above
        at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        return np.where(keys[at] == wanted, hops[at], -1) if len(keys) else np.full(len(below), -1)

    down, up, same = climb(left, right), climb(right, left), left == right
    related = [same, down >= 0, up >= 0]
    found.relationship[places] = np.select(
        related, [EXACT, _DESCENDANT, _ANCESTOR], default=_UNRELATED
    )
    found.hops[places] = np.select(related, [np.zeros_like(down), down, up], default=-1)
    found.hierarchy[places] = np.select(
        related,
        [1.0, np.maximum(0.0, 1.0 - 0.10 * down), np.maximum(0.0, 1.0 - 0.15 * up)],
        default=0.0,
    )


class _Bits:
    """The ancestors of some terms as rows of bits, the most informative ancestor first."""

    def __init__(self, terms: Sequence[str], home: Ontology, root: str | None) -> None:
        import numpy as np

        sets = [lineage(term, home, root) for term in terms]
        content = {
            ancestor: information(ancestor, home, root)
            for ancestor in dict.fromkeys(ancestor for above in sets for ancestor in above)
        }
        order = sorted(content, key=lambda ancestor: -content[ancestor])
        columns = {ancestor: column for column, ancestor in enumerate(order)}
        words = max(1, -(-len(order) // 64))
        dense = np.zeros((len(terms), words * 64), dtype=bool)
        for row, above in enumerate(sets):
            dense[row, [columns[ancestor] for ancestor in above]] = True
        self.rows = np.packbits(dense, axis=1, bitorder="little").view(np.uint64)
        self.sizes = np.array([len(above) for above in sets], dtype=np.int64)
        self.shared = np.array([content[ancestor] for ancestor in order] or [0.0])
        self.own = np.array([information(term, home, root) for term in terms])


def _set_likeness(
    found: Relations,
    places: NDArray[np.intp],
    chosen: NDArray[np.bool_],
    left: NDArray[np.intp],
    right: NDArray[np.intp],
    bits: _Bits,
) -> None:
    import numpy as np

    selected = np.flatnonzero(chosen)
    for start in range(0, len(selected), _CHUNK):
        part = selected[start : start + _CHUNK]
        one, other, at = left[part], right[part], places[part]
        same = one == other
        common = bits.rows[one] & bits.rows[other]
        size = np.bitwise_count(common).sum(axis=1, dtype=np.int64)
        some = size > 0
        found.precision[at] = _ratio(size, bits.sizes[one], same, some)
        found.recall[at] = _ratio(size, bits.sizes[other], same, some)
        found.f1[at] = _ratio(2 * size, bits.sizes[one] + bits.sizes[other], same, some)
        shared = np.where(some, bits.shared[_first_bit(common)], 0.0)
        found.lin[at] = _ratio(2 * shared, bits.own[one] + bits.own[other], same, some)


def _ratio(above: Any, below: Any, same: Any, some: Any) -> Any:  # noqa: ANN401
    import numpy as np

    ratio = np.divide(above, below, out=np.zeros(len(same)), where=some & (below != 0))
    return np.where(same, 1.0, ratio)


def _first_bit(common: NDArray[np.uint64]) -> NDArray[np.intp]:
    import numpy as np

    word = (common != 0).argmax(axis=1)
    value = common[np.arange(len(common)), word]
    lowest = value & (~value + np.uint64(1))
    bit = np.bitwise_count(np.where(lowest > 0, lowest - np.uint64(1), np.uint64(0)))
    return np.asarray(word * 64 + np.where(lowest > 0, bit, 0), dtype=np.intp)
