"""Writes docs/cli.md: every command's help, as the command line itself prints it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from typer.testing import CliRunner

from curieval.cli import app

PAGE = Path(__file__).with_name("cli.md")
WIDTH = "80"
HEAD = """# The command line

`pytest evals` runs the evaluations. `curieval` does the rest; this page is its own help, written
by `python docs/write_cli.py`. What tables go in and come out: [tables.md](tables.md).
"""


def page() -> str:
    """The page's text."""
    parts = [HEAD, _section((), level=2)]
    parts += [_section(words, level=2 if len(words) == 1 else 3) for words in _commands()]
    return "\n".join(parts)


def _commands() -> Iterator[tuple[str, ...]]:
    root = typer.main.get_command(app)
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        yield (name,)
        for inner in getattr(command, "commands", ()):
            yield (name, inner)


def _section(words: Sequence[str], *, level: int) -> str:
    # typer reads the width when it is imported unless the variable is there.
    ran = CliRunner(env={"COLUMNS": WIDTH, "TERMINAL_WIDTH": WIDTH}).invoke(
        app, [*words, "--help"], prog_name="curieval", catch_exceptions=False
    )
    title = " ".join(("curieval", *words))
    return f"{'#' * level} {title}\n\n```text\n{ran.stdout.rstrip()}\n```\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, or say with exit code 1 that it is out of date."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    text = page()
    if not options.check:
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    elif PAGE.read_text(encoding="utf-8") != text:
        raise SystemExit(f"{os.path.relpath(PAGE)} is out of date: run python docs/write_cli.py")


if __name__ == "__main__":
    main()
