"""The one error of this room: a table that cannot be read or written as meant."""

from curieval.models.errors import CurievalError


class TableError(CurievalError):
    """Names file, line and field, what was found there, and what to do about it."""
