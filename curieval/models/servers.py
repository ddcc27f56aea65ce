"""models.toml: the user's own servers, one table a model."""

from __future__ import annotations

import functools
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from curieval.models.errors import ConfigError, MissingKey

if TYPE_CHECKING:
    from curieval.models.server_entry import ServerEntry

FILE_NAME = "models.toml"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]*")
FIELD_MISSED = re.compile(r"Object (?:contains )?(unknown|missing required) field `(.*)`", re.S)
OWN_MESSAGE = re.compile(r"([a-z_]+(?:\.[^:\n]*)?): (.*)", re.S)


def models_file_in_use(named: Path | None = None) -> Path | None:
    """Return the file that names the servers: the one given, ./models.toml, the user's, or none."""
    if named is not None:
        return named
    here = Path(FILE_NAME)
    if here.is_file():
        return here
    import platformdirs

    users = platformdirs.user_config_path("curieval", appauthor=False) / FILE_NAME
    return users if users.is_file() else None


def read_servers(named: Path | None = None) -> Mapping[str, ServerEntry]:
    """Read the file in use; none is no entries. Raises ConfigError that names file and key."""
    path = models_file_in_use(named)
    if path is None:
        return {}
    try:
        stamp = path.stat().st_mtime_ns
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    return _parse(path, text, stamp)


@functools.lru_cache(maxsize=4)
def _parse(path: Path, text: str, stamp: int) -> Mapping[str, ServerEntry]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: no valid TOML: {error}") from error
    strangers = sorted(set(data) - {"models"})
    if strangers:
        raise ConfigError(
            f"{path}: {strangers[0]}: unknown key; every model is a table [models.NAME]"
        )
    tables = data.get("models", {})
    if not isinstance(tables, dict):
        raise ConfigError(f"{path}: models: must hold tables [models.NAME]")
    return {name: _entry(path, name, table) for name, table in tables.items()}


def _entry(path: Path, name: str, table: object) -> ServerEntry:
    import msgspec

    from curieval.models.names import BASELINES, CONSTANT
    from curieval.models.server_entry import ServerEntry

    if not NAME.fullmatch(name):
        raise ConfigError(
            f"{path}: models.{name!r}: a name holds letters, digits and . _ : / @ + - only"
        )
    if name == "embedded" or name in BASELINES or name.startswith(CONSTANT):
        raise ConfigError(f"{path}: models.{name}: this name is taken; choose another")
    try:
        return msgspec.convert(table, ServerEntry)
    except msgspec.ValidationError as error:
        keys, mistake = _located(str(error))
        place = ".".join(("models", name, *keys))
        raise ConfigError(f"{path}: {place}: {mistake}{_found(table, keys)}") from None


def _located(message: str) -> tuple[list[str], str]:
    """The keys that lead to a mistake, and what is wrong, from a message of msgspec or ours."""
    text, _, tail = message.partition(" - at `$")
    keys = [key for key in re.split(r"\.|\[\.\.\.\]", tail.rstrip("`")) if key]
    if named := FIELD_MISSED.fullmatch(text):
        return [*keys, named[2]], f"{named[1]} key"
    if named := OWN_MESSAGE.fullmatch(text):
        return named[1].split("."), named[2]
    return keys, text[0].lower() + text[1:]


def _found(table: object, keys: list[str]) -> str:
    value = table
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return ""
        value = value[key]
    return f", found {_shown(value)}"


def _shown(value: object) -> str:
    from curieval.models.secrets import redact

    text = redact(repr(value))
    return text if len(text) <= 80 else f"{text[:80]}…"


def read_key(variable: str, *, model: str) -> str:
    """Return a key from the environment; raises MissingKey where it is not set."""
    value = os.environ.get(variable, "").strip()
    if not value:
        raise MissingKey(f"{model} needs a key: set the environment variable {variable}")
    return value
