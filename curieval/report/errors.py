"""The one error of this room: a report, a run folder or a thresholds file that will not do."""

from curieval.models.errors import CurievalError


class ReportError(CurievalError):
    """Says what was found where, and what to do about it."""
