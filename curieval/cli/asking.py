"""Options of the commands that ask a model: its cache, its cap, how many calls at once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from curieval.models.settings import ClientSettings

CacheFile = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="FILE",
        envvar="CURIEVAL_CACHE",
        help="Reply cache.",
        show_default="in your cache folder",
    ),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        "--max-cost", metavar="USD", min=0.0, help="Stop before the calls have cost more."
    ),
]
Concurrency = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Calls in flight.", show_default="16; embedded: 1"),
]
Offline = Annotated[bool, typer.Option("--offline", help="Answer from the cache alone.")]
Refresh = Annotated[bool, typer.Option("--refresh", help="Ask again although it is cached.")]
ModelsFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Servers of your own.",
        show_default="./models.toml, else that of your configuration folder",
    ),
]


def client_settings(
    cache: Path | None,
    max_cost: float | None,
    concurrency: int | None,
    offline: bool,
    refresh: bool,
    models_file: Path | None,
) -> ClientSettings:
    """How a command's client behaves; the cache is the user's own unless named."""
    from curieval.models.settings import ClientSettings

    if offline and refresh:
        raise typer.BadParameter("--offline and --refresh exclude each other: choose one")
    if cache is None:
        from platformdirs import user_cache_path

        cache = user_cache_path("curieval") / "replies.sqlite"
    return ClientSettings(
        cache=cache,
        max_cost=max_cost,
        concurrency=concurrency,
        offline=offline,
        refresh=refresh,
        models_file=models_file,
    )
