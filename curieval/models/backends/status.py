"""What HTTP says about a failed call: the kind of failure and the wait it asks for."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from curieval.models.call import CallError
from curieval.models.types import FailureKind

# Too many requests, service unavailable, and Anthropic's own number for "overloaded".
OVERLOAD = (429, 503, 529)


def kind_of(status: int) -> FailureKind:
    """Return the kind of failure that an HTTP status means."""
    if status in (401, 403):
        return "auth"
    if status == 429:
        return "rate_limited"
    if status == 408:
        return "timeout"
    if status in (409, 425) or status >= 500:
        return "server_error"
    return "bad_request"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that Retry-After asks for, given as seconds, milliseconds or a date."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after")
        if value is None:
            return None
        try:
            return max(0.0, float(value))
        except ValueError:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def status_error(status: int, detail: str, headers: Mapping[str, str]) -> CallError:
    """Build the failure of an answered but refused call."""
    return CallError(
        kind_of(status),
        f"HTTP {status}: {shorten(detail)}",
        retry_after=retry_after(headers),
        overloaded=status in OVERLOAD,
    )


def unfinished() -> CallError:
    """Build the failure of an answer that came without its end."""
    return CallError(
        "connection", "the reply broke off before the answer was finished", billed=True
    )


def shorten(text: str, limit: int = 500) -> str:
    """Return the text on one line, cut at `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit]}…"
