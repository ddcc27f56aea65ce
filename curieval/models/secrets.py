"""Keeping keys out of everything that is written: files, terminal, error texts."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

MASK = "[redacted]"
SHORTEST = 8

_NAMES = re.compile(r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$", re.IGNORECASE)
_HEADER = re.compile(
    r"""(?P<name>\b(?:(?:proxy-)?authorization|(?:x-)?(?:goog-)?api[-_]?key)\b\\?["']?"""
    r"""\s*[:=]\s*\\?["']?)(?P<scheme>(?:bearer|basic|token)\s+)?+(?!\[redacted\])"""
    r"""(?P<value>[^\s"',;&)\]}\\]+)""",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b(?P<scheme>bearer\s+)(?P<value>[A-Za-z0-9._~+/=-]{8,})", re.IGNORECASE)
_USERINFO = re.compile(r"(?P<scheme>://)[^\s/?#@'\"]+@")
_QUERY = re.compile(
    r"(?P<name>[?&][\w.-]*(?:key|token|secret|sig(?:nature)?|password)=)[^\s&#'\"]+", re.IGNORECASE
)
_SHAPES = re.compile(
    r"\b(?:(?:sk|pk|rk|xai|pplx|nvapi)-|(?:sk|pk|rk|gsk|hf|ghp|gho|ghs|r8)_)(?=[\w-]*\d)[\w-]{12,}"
    r"|\bAIza[A-Za-z0-9_-]{30,}|\bAKIA[A-Z0-9]{16}\b|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"
)
# A search is worth its time only where the text holds one of its signs: most lines hold none.
_HEADER_SIGNS = ("authorization", "api-key", "api_key", "apikey")
_QUERY_SIGNS = ("key=", "token=", "secret=", "sig=", "signature=", "password=")
_SHAPE_SIGNS = (
    *("sk-", "pk-", "rk-", "xai-", "pplx-", "nvapi-", "sk_", "pk_", "rk_", "gsk_", "hf_", "ghp_"),
    *("gho_", "ghs_", "r8_", "AIza", "AKIA", "eyJ"),
)


def llm_folder() -> Path:
    """Return where the llm library keeps its files, without importing or creating anything."""
    named = os.environ.get("LLM_USER_PATH")
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", "~")).expanduser() / "io.datasette.llm"
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/io.datasette.llm").expanduser()
    return Path(os.environ.get("XDG_CONFIG_HOME", "~/.config")).expanduser() / "io.datasette.llm"


def stored_keys() -> dict[str, str]:
    """Return the keys that `llm keys set` stored, by their names; none where unreadable."""
    path = llm_folder() / "keys.json"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {k: v for k, v in data.items() if isinstance(v, str) and not k.startswith("//")}


def redact(text: str) -> str:
    """Return the text with every key, token and password in it masked.

    Masked are the values of environment variables named like keys, the keys stored by llm,
    user info and key parameters of URLs, authorization headers, and strings shaped like keys.
    """
    return _masked(text, _known(_environment(), _stored_stamp()))


def redactor(*, every: float = 1.0) -> Callable[[str], str]:
    """Return a `redact` for many texts in a row, which looks for keys once in `every` seconds."""
    known: tuple[str, ...] = ()
    due = 0.0

    def clean(text: str) -> str:
        nonlocal known, due
        if time.monotonic() >= due:
            known = _known(_environment(), _stored_stamp())
            due = time.monotonic() + every
        return _masked(text, known)

    return clean


def _masked(text: str, known: Iterable[str]) -> str:
    for value in known:
        text = text.replace(value, MASK)
    lowered = text.lower()
    if "://" in text and "@" in text:
        text = _USERINFO.sub(rf"\g<scheme>{MASK}@", text)
    if any(sign in lowered for sign in _QUERY_SIGNS):
        text = _QUERY.sub(rf"\g<name>{MASK}", text)
    if any(sign in lowered for sign in _HEADER_SIGNS):
        text = _HEADER.sub(_mask_value, text)
    if "bearer" in lowered:
        text = _BEARER.sub(rf"\g<scheme>{MASK}", text)
    if any(sign in text for sign in _SHAPE_SIGNS):
        text = _SHAPES.sub(MASK, text)
    return text


def _mask_value(match: re.Match[str]) -> str:
    return f"{match['name']}{match['scheme'] or ''}{MASK}"


def _environment() -> frozenset[str]:
    values = [os.environ[name].strip() for name in tuple(os.environ) if _is_key_name(name)]
    return frozenset(v for v in values if len(v) >= SHORTEST and not Path(v).is_absolute())


@functools.lru_cache(maxsize=4096)
def _is_key_name(name: str) -> bool:
    return _NAMES.search(name) is not None


def _stored_stamp() -> tuple[str, int] | None:
    path = os.path.join(os.fspath(llm_folder()), "keys.json")
    try:
        return path, os.stat(path).st_mtime_ns
    except OSError:
        return None


@functools.lru_cache(maxsize=4)
def _known(environment: frozenset[str], stamp: tuple[str, int] | None) -> tuple[str, ...]:
    values = set(environment)
    if stamp is not None:
        values.update(v for v in stored_keys().values() if len(v) >= SHORTEST)
    # JSON escapes quotes and backslashes, so that a key is looked for in both spellings.
    values.update([json.dumps(v)[1:-1] for v in values])
    return tuple(sorted(values, key=len, reverse=True))
