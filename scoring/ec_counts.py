"""Counts shared, extra and missing EC prefixes, per protein and level, on packed integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from scoring.ec_numbers import current_number, read_code

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEVELS = (1, 2, 3, 4)
# A number is 29 bits: class 3, subclass 7, sub-subclass 7, serial 12 (kind 2, digits 10). A
# field that is not given is 0, so that prefixes sort before what they stand above.
_BITS = 29
_SHIFT = {1: 26, 2: 19, 3: 12, 4: 0}
_MASK = {1: 0x7, 2: 0x7F, 3: 0x7F, 4: 0xFFF}
_KINDS = {"n": 1 << 10, "B": 2 << 10}


class Counted(NamedTuple):
    """`counts` is n × 12 (per level: shared, extra, missing); `exact` where the sets are equal."""

    counts: NDArray[np.int32]
    exact: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Coded:
    """The numbers of all proteins of one side: protein index and packed number, one an entry."""

    sizes: NDArray[np.int64]
    numbers: NDArray[np.int64]

    @property
    def keys(self) -> NDArray[np.int64]:
        """Protein and number in one integer each."""
        import numpy as np

        return np.repeat(np.arange(len(self.sizes)) << _BITS, self.sizes) | self.numbers


class Packer(dict[str, int]):
    """Number as written to packed integer, filled as numbers are met.

    `written` holds the canonical form of each, `mapped` those that a transfer replaced.
    """

    def __init__(self, *, map_transferred: bool) -> None:
        super().__init__()
        self._map_transferred = map_transferred
        self.written: set[str] = set()
        self.mapped: set[str] = set()

    def __missing__(self, text: str) -> int:
        if not isinstance(text, str):
            raise ValueError(f"{text!r} is no text; write EC numbers as strings, as in '1.1.1.1'")
        code, reason = read_code(text.strip().removeprefix("EC").lstrip(" :"))
        if not code:
            raise ValueError(
                f"{text!r} is no EC number ({reason}); read free text with parse_ec, and give an "
                "empty list for no number"
            )
        self.written.add(code)
        if self._map_transferred and (current := current_number(code)) != code:
            self.mapped.add(text)
            code = current
        self[text] = packed = _pack(code)
        return packed


def _pack(code: str) -> int:
    packed = 0
    for level, field in zip(LEVELS, code.split("."), strict=True):
        if field == "-":
            break
        digits = _KINDS[field[0]] | int(field[1:]) if field[0] in _KINDS else int(field)
        packed |= digits << _SHIFT[level]
    return packed


def encode(side: str, lists: Sequence[Sequence[str]], packer: Packer) -> Coded:
    """Pack the numbers of one side; ValueError names the side, the protein and what it found."""
    import numpy as np

    try:
        if str in set(map(type, lists)):
            raise TypeError
        sizes = np.fromiter(map(len, lists), np.int64, len(lists))
        flat = chain.from_iterable(lists)
        numbers = np.fromiter(map(packer.__getitem__, flat), np.int64, int(sizes.sum()))
    except (TypeError, ValueError):
        _raise_at_first(side, lists, packer)
        raise
    return Coded(sizes=sizes, numbers=numbers)


def _raise_at_first(side: str, lists: Sequence[Sequence[str]], packer: Packer) -> None:
    for protein, numbers in enumerate(lists):
        if isinstance(numbers, str) or not isinstance(numbers, Iterable):
            raise ValueError(
                f"{side}[{protein}] is {numbers!r}; give a list of EC numbers for each protein, "
                "empty for none"
            )
        for number in numbers:
            try:
                packer[number]
            except (TypeError, ValueError) as error:
                raise ValueError(f"{side}[{protein}]: {error}") from None


def count_prefixes(reference: Coded, prediction: Coded, *, open_partial: bool) -> Counted:
    """Shared, extra and missing prefixes of each protein at each level.

    With `open_partial` an extra prefix below a partial number of the reference is not counted.
    """
    import numpy as np

    n = len(reference.sizes)
    keys = np.concatenate((reference.keys << 1, prediction.keys << 1 | 1))
    keys.sort(kind="stable")
    counts = np.zeros((n, 3 * len(LEVELS)), np.int32)
    exact = np.ones(n, np.bool_)
    open_ends = _open_ends(reference) if open_partial else {}
    for level in LEVELS:
        prefixes, in_reference, in_prediction = _groups(keys, level)
        proteins = prefixes >> (_BITS - _SHIFT[level])
        exact[proteins[in_reference != in_prediction]] = False
        extra = in_prediction & ~in_reference
        for end, ends in open_ends.items():
            if end < level:
                extra &= ~_is_in(prefixes >> (_SHIFT[end] - _SHIFT[level]), ends)
        column = 3 * (level - 1)
        for kind in (in_reference & in_prediction, extra, in_reference & ~in_prediction):
            counts[:, column] = np.bincount(proteins[kind], minlength=n)
            column += 1
    return Counted(counts, exact)


def _groups(
    keys: NDArray[np.int64], level: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
    """The distinct prefixes of a level, and whether each is in the reference and the prediction.

    In sorted keys the numbers under one prefix stand together, at every level.
    """
    import numpy as np

    shift = _SHIFT[level] + 1
    keys = keys[(keys >> shift) & _MASK[level] > 0]
    prefixes = keys >> shift
    first = np.ones(len(prefixes), np.bool_)
    np.not_equal(prefixes[1:], prefixes[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    if not len(starts):
        return prefixes, first, first
    side = (keys & 1).astype(np.bool_)
    return (
        prefixes[starts],
        ~np.logical_and.reduceat(side, starts),
        np.logical_or.reduceat(side, starts),
    )


def _open_ends(reference: Coded) -> dict[int, NDArray[np.int64]]:
    """Level to the sorted prefixes at which a partial number of the reference ends."""
    import numpy as np

    keys = reference.keys
    ends = {}
    for level in LEVELS[:-1]:
        below = _SHIFT[level + 1]
        partial = ((keys >> _SHIFT[level]) & _MASK[level] > 0) & (
            (keys >> below) & _MASK[level + 1] == 0
        )
        ends[level] = np.unique(keys[partial] >> _SHIFT[level])
    return ends


def _is_in(values: NDArray[np.int64], among: NDArray[np.int64]) -> NDArray[np.bool_]:
    import numpy as np

    if not len(among):
        return np.zeros(len(values), np.bool_)
    places = np.minimum(np.searchsorted(among, values), len(among) - 1)
    return np.asarray(among[places] == values)
