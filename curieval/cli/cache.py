"""`curieval cache`: the replies that are kept, looked at, pruned and handed on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curieval.cli import options
from curieval.cli.app import group, print_json

commands = group("cache", "Look after the reply cache, which makes runs resumable.")

CacheFile = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="FILE",
        envvar="CURIEVAL_CACHE",
        help="The reply cache.",
        show_default="in your cache folder",
    ),
]
Model = Annotated[str | None, typer.Option(metavar="NAME", help="Replies of this model alone.")]


@commands.command("stats")
def stats(cache: CacheFile = None, json: options.Json = False) -> None:
    """Show how many replies of which models are kept, and what they cost.

    \b
    Examples:
      curieval cache stats
      curieval cache stats --cache replies.sqlite --json
    """
    from curieval.models.archive import cache_stats

    found = cache_stats(_path(cache))
    if json:
        print_json(
            {
                "path": str(found.path),
                "bytes": found.bytes,
                "replies": found.replies,
                "open_batches": found.open_batches,
                "models": [vars(each) for each in found.models],
            }
        )
        return
    print(f"{found.path}: {found.replies} replies, {found.bytes / 1e6:.1f} MB")
    for each in found.models:
        print(f"  {each.model}: {each.replies} replies, ${each.cost_usd:.4f} when asked")
    if found.open_batches:
        print(f"  {found.open_batches} batches are still being answered")


@commands.command("prune")
def prune(
    cache: CacheFile = None,
    model: Model = None,
    older_than_days: Annotated[
        float | None, typer.Option(metavar="DAYS", help="Replies kept longer ago than this.")
    ] = None,
) -> None:
    """Forget replies of a model, or old ones, or both.

    \b
    Examples:
      curieval cache prune --model embedded
      curieval cache prune --older-than-days 90
    """
    from curieval.models.archive import prune_cache

    if model is None and older_than_days is None:
        raise typer.BadParameter("say what to forget: --model, --older-than-days, or both")
    if older_than_days is not None and not older_than_days >= 0:
        raise typer.BadParameter("--older-than-days: a number of days from 0")
    gone = prune_cache(_path(cache), model=model, older_than_days=older_than_days)
    print(f"{gone} replies forgotten")


@commands.command("export")
def export(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines to write.")],
    cache: CacheFile = None,
    model: Model = None,
) -> None:
    """Write replies to a file, so that a colleague or a CI job can replay a run offline.

    \b
    Examples:
      curieval cache export replies.jsonl
      curieval cache export claude.jsonl --model claude-haiku-4-5
    """
    from curieval.models.archive import export_cache

    count = export_cache(_path(cache), target, model=model)
    print(f"{count} replies in {target}")


@commands.command("import")
def import_(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="What `cache export` wrote.")],
    cache: CacheFile = None,
) -> None:
    """Add exported replies; what the cache already holds stays as it is.

    \b
    Examples:
      curieval cache import replies.jsonl
      curieval cache import replies.jsonl --cache replies.sqlite
    """
    from curieval.models.archive import import_cache

    path = _path(cache)
    print(f"{import_cache(source, path)} new replies in {path}")


def _path(cache: Path | None) -> Path:
    from curieval.models.cache import default_cache_path

    return cache or default_cache_path()
