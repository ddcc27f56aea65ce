"""Addresses as they may be shown and hashed: without user info, query and fragment."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit


def bare_url(url: str) -> str:
    """Return scheme, host, port and path of a URL.

    >>> bare_url("https://me:secret@models.example.org:8443/v1/?key=1")
    'https://models.example.org:8443/v1'
    """
    parts = urlsplit(url)
    return urlunsplit(
        (parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", "")
    )
