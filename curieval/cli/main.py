"""The root of the command line: which groups there are."""

from __future__ import annotations

import typer

from curieval.cli import (
    belief,
    cache,
    cases,
    check,
    evidence,
    judge,
    models,
    ontology,
    priors,
    runs,
    score,
)
from curieval.cli.app import Commands

app = typer.Typer(
    name="curieval",
    cls=Commands,
    help="Evaluate language models on biology. `pytest evals` runs the evaluations; the commands "
    "here score what you already have, audit it, build suites from it, and look after models, "
    "caches and reports.\n\n"
    "Exit codes: 0 fine; 1 something is suspect or below its threshold; 4 a mistake in the "
    "command or in a file.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)
for each in (score, check, cases, runs, judge, belief, priors, evidence, ontology, models, cache):
    app.add_typer(each.commands)


def main() -> None:
    """Run the command line and exit."""
    app()
