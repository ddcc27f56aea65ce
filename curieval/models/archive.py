"""What a user does with a reply cache: look at it, prune it, hand it on."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curieval.models.cache import connect
from curieval.models.errors import CacheError
from curieval.models.wire import canonical, reply_from_json, reply_to_json

FORMAT = "curieval-replies"
FORMAT_VERSION = 1
DAY = 86400.0


@dataclass(frozen=True, kw_only=True)
class ModelReplies:
    """The kept replies of one model; `cost_usd` is what they cost when they were asked for."""

    model: str
    replies: int
    cost_usd: float
    first: float
    last: float


@dataclass(frozen=True, kw_only=True)
class CacheStats:
    """What a cache holds: size of its file in bytes, replies by model."""

    path: Path
    bytes: int
    models: tuple[ModelReplies, ...]
    open_batches: int

    @property
    def replies(self) -> int:
        """Replies of all models."""
        return sum(model.replies for model in self.models)


def cache_stats(path: Path) -> CacheStats:
    """Count what a cache holds; raises CacheError where there is none."""
    _require(path)
    with closing(connect(path)) as connection:
        rows = connection.execute(
            "SELECT model, count(*), total(json_extract(reply, '$.cost_usd')), min(kept), max(kept)"
            " FROM replies GROUP BY model ORDER BY model"
        ).fetchall()
        batches = connection.execute("SELECT count(*) FROM batches").fetchone()[0]
    names = ("model", "replies", "cost_usd", "first", "last")
    return CacheStats(
        path=path,
        bytes=path.stat().st_size,
        models=tuple(ModelReplies(**dict(zip(names, row, strict=True))) for row in rows),
        open_batches=batches,
    )


def prune_cache(
    path: Path, *, model: str | None = None, older_than_days: float | None = None
) -> int:
    """Forget replies of a model, or kept longer ago, or both; return how many."""
    if model is None and older_than_days is None:
        raise ValueError("say what to prune: a model, an age in days, or both")
    _require(path)
    before = time.time() - (older_than_days or 0.0) * DAY
    with closing(connect(path)) as connection:
        gone = connection.execute(
            "DELETE FROM replies WHERE (?1 IS NULL OR model = ?1) AND (?2 IS NULL OR kept < ?2)",
            (model, None if older_than_days is None else before),
        ).rowcount
        connection.execute("VACUUM")
    return gone


def export_cache(path: Path, target: Path, *, model: str | None = None) -> int:
    """Write replies as JSON lines, so that somebody else can replay a run; return how many."""
    _require(path)
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.part")
    count = 0
    try:
        with closing(connect(path)) as connection, unfinished.open("w", encoding="utf-8") as file:
            file.write(canonical({"format": FORMAT, "version": FORMAT_VERSION}) + "\n")
            for key, name, kept, reply in connection.execute(
                "SELECT key, model, kept, reply FROM replies WHERE ?1 IS NULL OR model = ?1 "
                "ORDER BY key",
                (model,),
            ):
                line = {"key": key, "model": name, "kept": kept, "reply": json.loads(reply)}
                file.write(canonical(line) + "\n")
                count += 1
        unfinished.replace(target)
    except OSError as error:
        raise CacheError(f"{target} cannot be written: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def import_cache(source: Path, path: Path) -> int:
    """Add exported replies to a cache; what it already holds stays. Return how many are new.

    All or nothing: raises CacheError that names file, line and field.
    """
    with closing(connect(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        before = _count(connection)
        try:
            for row in _read(source):
                connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?)", row)
            added = _count(connection) - before
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
    return added


def _require(path: Path) -> None:
    if not path.exists():
        raise CacheError(f"there is no reply cache {path}: name its file with --cache FILE")


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM replies").fetchone()[0])


def _read(source: Path) -> Iterator[tuple[str, str, float, str]]:
    try:
        with source.open(encoding="utf-8") as file:
            head = _object(source, 1, file.readline())
            if head.get("format") != FORMAT or head.get("version") != FORMAT_VERSION:
                raise CacheError(
                    f"{source}:1: no export of a reply cache that this curieval reads: expected "
                    f"format {FORMAT!r}, version {FORMAT_VERSION}"
                )
            for number, line in enumerate(file, start=2):
                yield _row(source, number, _object(source, number, line))
    except (OSError, UnicodeDecodeError) as error:
        raise CacheError(f"{source} cannot be read: {error}") from error


def _object(source: Path, number: int, line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError as error:
        raise CacheError(f"{source}:{number}: no JSON: {error}") from None
    if not isinstance(data, dict):
        raise CacheError(f"{source}:{number}: no JSON object")
    return data


def _row(source: Path, number: int, data: dict[str, Any]) -> tuple[str, str, float, str]:
    for field, kind in (("key", str), ("model", str), ("kept", (int, float)), ("reply", dict)):
        if not isinstance(data.get(field), kind):
            raise CacheError(f"{source}:{number}: {field}: missing or of the wrong type")
    try:
        reply = reply_from_json(data["reply"])
    except (TypeError, KeyError, AttributeError) as error:
        raise CacheError(f"{source}:{number}: reply: {error}") from None
    if reply.failure is not None or reply.finish not in ("stop", "length", "refusal"):
        raise CacheError(f"{source}:{number}: reply: not a finished one")
    return data["key"], data["model"], float(data["kept"]), canonical(reply_to_json(reply))
