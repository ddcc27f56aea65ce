"""Composes the beliefs of many statements at once, columns in and columns out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scoring.belief import (
    is_scored,
    missing_prior,
    sentence_weight,
    survives,
    warn_of_unknown,
)
from scoring.priors import Prior, check_prior, fold_source, load_priors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WANTED = "statement, source_api and verdict, and if wanted negated, score and confidence"


def compose_beliefs(
    table: Any,  # noqa: ANN401
    *,
    priors: Any = "indra",  # noqa: ANN401
    gate_unscored: bool = False,
    unknown_source: tuple[float, float] | None = None,
    graded: bool = False,
) -> Any:  # noqa: ANN401
    """The beliefs of many statements: as `compose_belief`, for one row a sentence.

    `table` is a mapping of columns, a pandas DataFrame or a pyarrow Table with the columns
    statement (int or str), source_api, verdict (missing: none is scored) and optionally negated,
    score and confidence. Returned, of the same kind (NumPy arrays for a mapping), one row a
    statement in order of first appearance: statement, belief, parametric_only, n_total,
    n_surviving, n_gated. Raises ValueError naming column and row.
    """
    import numpy as np

    columns = _Columns(table)
    statements, names = columns.codes("statement", needed=True)
    sources, source_words = columns.codes("source_api", needed=True)
    verdicts, verdict_words = columns.codes("verdict", needed=False)
    rates = load_priors(priors)
    fallback = check_prior(unknown_source, "unknown_source") if unknown_source else None

    kept = _by_word(
        verdicts, [survives(word, gate_unscored=gate_unscored) for word in [*verdict_words, None]]
    )
    weights = _weights(columns, verdicts, verdict_words, kept) if graded else None
    folded, sources = _fold(sources, source_words)
    negated = columns.flags("negated")
    n_sides = 2 if negated.any() else 1

    n = len(names)
    gated, ungated = np.ones((2, n)), np.ones((2, n))
    unknown: dict[str, int] = {}
    for code, source in enumerate(folded):
        prior = rates.rates.get(source, fallback)
        rows = np.flatnonzero(sources == code)
        if source not in rates.rates:
            unknown[source] = len(rows)
        if prior is None:
            raise missing_prior(source, rates, f"row {rows[0]}")
        for side in range(n_sides):
            of_side = rows[negated[rows] == bool(side)] if n_sides == 2 else rows
            owners = statements[of_side]
            ungated[side] *= _factors(prior, np.bincount(owners, minlength=n))
            if weights is None:
                counts = np.bincount(owners[kept[of_side]], minlength=n)
                gated[side] *= _factors(prior, counts)
            else:
                gated[side] *= _graded(prior, owners, weights[of_side], n)
    warn_of_unknown(unknown, rates)

    n_total = np.bincount(statements, minlength=n)
    n_surviving = np.bincount(statements[kept], minlength=n)
    return columns.result(
        {
            "statement": names,
            "belief": (1.0 - gated[0]) * (gated[1] if n_sides == 2 else 1.0),
            "parametric_only": (1.0 - ungated[0]) * (ungated[1] if n_sides == 2 else 1.0),
            "n_total": n_total,
            "n_surviving": n_surviving,
            "n_gated": n_total - n_surviving,
        }
    )


class _Columns:
    """A table's columns as arrays, whatever kind of table it is."""

    def __init__(self, table: Any) -> None:  # noqa: ANN401
        import pyarrow as pa

        self.kind = "arrow" if isinstance(table, pa.Table) else "mapping"
        if self.kind == "mapping" and not isinstance(table, Mapping):
            if not (hasattr(table, "columns") and hasattr(table, "index")):
                raise ValueError(
                    f"expected a mapping of columns, a DataFrame or a pyarrow Table with "
                    f"{_WANTED}, found {type(table).__name__}"
                )
            self.kind = "pandas"
        names = table.column_names if self.kind == "arrow" else list(table)
        self._table = table
        self._names = frozenset(map(str, names))
        self._length = len(self._arrow("statement"))

    def codes(self, name: str, *, needed: bool) -> tuple[NDArray[np.int64], Any]:
        """A number for each row and the value that each number stands for; −1 for none."""
        import numpy as np
        import pyarrow.compute as pc

        if name not in self._names and not needed:
            return np.full(self._length, -1), []
        array = self._arrow(name)
        if needed and array.null_count:
            row = int(np.flatnonzero(array.is_null().to_numpy(zero_copy_only=False))[0])
            raise ValueError(f"row {row}: column {name!r} is empty; every sentence needs one")
        if array.null_count == len(array):
            return np.full(self._length, -1), []
        encoded = array.dictionary_encode()
        values = encoded.dictionary
        indices = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False)
        if name == "statement":
            return indices.astype(np.int64), values
        words = values.to_pylist()
        strange = [word for word in words if not isinstance(word, str)]
        if strange:
            raise ValueError(f"column {name!r}: expected words, found {strange[0]!r}")
        return indices.astype(np.int64), words

    def flags(self, name: str) -> NDArray[np.bool_]:
        """A column of yes and no, empty for no."""
        import numpy as np
        import pyarrow as pa

        if name not in self._names:
            return np.zeros(self._length, dtype=bool)
        array = self._arrow(name)
        try:
            flags = array.cast(pa.bool_()).fill_null(False)
        except pa.ArrowException:
            raise ValueError(
                f"column {name!r}: expected true or false, found {array.type}"
            ) from None
        return np.asarray(flags.to_numpy(zero_copy_only=False), dtype=bool)

    def numbers(self, name: str) -> NDArray[np.float64] | None:
        """A column of numbers, NaN for none; None where there is no such column."""
        import pyarrow as pa

        if name not in self._names:
            return None
        array = self._arrow(name)
        try:
            numbers: NDArray[np.float64] = array.cast(pa.float64()).to_numpy(zero_copy_only=False)
        except pa.ArrowException:
            raise ValueError(f"column {name!r}: expected numbers, found {array.type}") from None
        return numbers

    def result(self, columns: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """The columns as a table of the kind that came in."""
        import pyarrow as pa

        if self.kind == "arrow":
            return pa.table(dict(columns))
        arrays = {
            name: column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column
            for name, column in columns.items()
        }
        if self.kind == "pandas":
            import pandas as pd

            return pd.DataFrame(arrays)
        return arrays

    def _arrow(self, name: str) -> Any:  # noqa: ANN401
        import pyarrow as pa

        if name not in self._names:
            raise ValueError(
                f"no column {name!r} in {sorted(self._names)}; the table needs {_WANTED}"
            )
        column = self._table[name]
        try:
            array = column if isinstance(column, pa.ChunkedArray | pa.Array) else _to_arrow(column)
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise ValueError(f"column {name!r} cannot be read: {error}") from None
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        if isinstance(array, pa.DictionaryArray):
            array = array.dictionary_decode()
        length = getattr(self, "_length", len(array))
        if len(array) != length:
            raise ValueError(f"column {name!r} has {len(array)} rows, statement has {length}")
        return array


def _to_arrow(column: Any) -> Any:  # noqa: ANN401
    import pyarrow as pa

    return pa.array(column, from_pandas=True)


def _by_word(codes: NDArray[np.int64], of_word: Sequence[Any]) -> Any:  # noqa: ANN401
    """The value of each row's word; that of no word stands last, where −1 finds it."""
    import numpy as np

    return np.asarray(of_word)[codes]


def _fold(codes: NDArray[np.int64], words: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    import numpy as np

    folded: dict[str, int] = {}
    for word in words:
        if not word.strip():
            row = int(np.flatnonzero(codes == words.index(word))[0])
            raise ValueError(f"row {row}: column 'source_api' is empty; every sentence needs one")
    new = [folded.setdefault(fold_source(word), len(folded)) for word in words]
    return list(folded), np.asarray(new, dtype=np.int64)[codes] if new else codes


def _weights(
    columns: _Columns,
    verdicts: NDArray[np.int64],
    words: Sequence[str],
    kept: NDArray[np.bool_],
) -> NDArray[np.float64]:
    import numpy as np

    confidences, levels = columns.codes("confidence", needed=False)
    table = [
        [sentence_weight(word, level, kept=False) for level in [*levels, None]]
        for word in [*words, None]
    ]
    weights = np.asarray(table)[verdicts, confidences]
    is_word = _by_word(verdicts, [is_scored(word) for word in [*words, None]])
    scores = columns.numbers("score")
    if scores is not None:
        known = is_word & ~np.isnan(scores)
        strange = np.flatnonzero(known & ~((scores >= 0) & (scores <= 1)))
        if len(strange):
            row = int(strange[0])
            raise ValueError(f"row {row}: expected a score from 0 to 1, found {scores[row]}")
        weights = np.where(known, scores, weights)
    return np.where(is_word, weights, kept.astype(float))


def _factors(prior: Prior, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    import numpy as np

    # One power for each count that occurs, not one for each statement.
    powers = prior.syst + prior.rand ** np.arange(counts.max(initial=0) + 1, dtype=float)
    powers[0] = 1.0
    return powers[counts]


def _graded(
    prior: Prior, owners: NDArray[np.int64], weights: NDArray[np.float64], n: int
) -> NDArray[np.float64]:
    import numpy as np

    with np.errstate(divide="ignore"):
        all_out = np.exp(np.bincount(owners, weights=np.log1p(-weights), minlength=n))
        wrong = np.exp(
            np.bincount(owners, weights=np.log1p(-weights * (1.0 - prior.rand)), minlength=n)
        )
    return prior.syst * (1.0 - all_out) + wrong
