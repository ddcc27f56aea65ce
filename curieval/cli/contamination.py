"""`curieval contamination`: are cases given away by the examples that a model is shown?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curieval.cli import options
from curieval.cli.app import answer

commands = typer.Typer(rich_markup_mode=None, add_completion=False)


@commands.command("contamination", short_help="Find cases that the prompt's examples give away.")
def contamination(
    examples: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Examples: rows with correct and incorrect (or text), agents (or claim), type.",
            show_default="the project's bank",
        ),
    ] = None,
    cases: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Cases, in any form that `pytest evals/indra_evidence --cases` reads. Repeatable.",
            show_default="the project's",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Find evidence cases that also stand in the examples; exit code 1 where there are any.

    Kinds: exact (but for case, blanks and punctuation), substring (30 characters or more),
    ngram (8 words in a row), pair (the same two entities; in any order where the statement is
    symmetric). `pytest evals/indra_evidence` asks no model about such cases.

    \b
    Examples:
      curieval contamination
      curieval contamination --cases curated.jsonl
      curieval contamination --examples mine.jsonl --cases a.json --cases b.tsv --json
    """
    from curieval.contamination import look_for_contamination

    found = look_for_contamination(examples, cases or ())
    answer(found, as_json=json, notes=found.notes)
    if found.found:
        raise typer.Exit(1)
