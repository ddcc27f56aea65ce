"""Asking models: one client for all of them, with cache, budget, limits and retries.

The names below load their modules when first used, so that importing this package is cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curieval.models.cache import default_cache_path
    from curieval.models.client import Client, open_client
    from curieval.models.gateway import Gateway
    from curieval.models.names import check_name, known_models, slug_for
    from curieval.models.secrets import redact
    from curieval.models.settings import ClientSettings

_HOMES = {
    "Client": "client",
    "ClientSettings": "settings",
    "Gateway": "gateway",
    "check_name": "names",
    "default_cache_path": "cache",
    "known_models": "names",
    "open_client": "client",
    "redact": "secrets",
    "slug_for": "names",
}
__all__ = [
    "Client",
    "ClientSettings",
    "Gateway",
    "check_name",
    "default_cache_path",
    "known_models",
    "open_client",
    "redact",
    "slug_for",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_HOMES))
