"""`curieval score evidence` and `curieval contamination`: sentences that a model is asked about."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from curieval.cli import asking, options
from curieval.cli.app import answer, say
from curieval.cli.score import commands as score_commands

commands = typer.Typer(rich_markup_mode=None, add_completion=False)


@score_commands.command("evidence")
def evidence(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="INDRA statements: a JSON list or JSON lines, .gz of either."
        ),
    ],
    model: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            envvar="CURIEVAL_MODEL",
            help="Model to ask, as in `pytest evals --model NAME`.",
        ),
    ] = "embedded",
    out: options.Out = None,
    grounding: Annotated[
        bool, typer.Option(help="Reject by grounding what a model need not be asked.")
    ] = True,
    cache: asking.CacheFile = None,
    max_cost: asking.MaxCost = None,
    concurrency: asking.Concurrency = None,
    offline: asking.Offline = False,
    refresh: asking.Refresh = False,
    models_file: asking.ModelsFile = None,
    json: options.Json = False,
) -> None:
    """Does each sentence support its statement? One row for each evidence, in their order.

    The table has place, matches_hash and source_hash (as text: they exceed 2^53), type, claim,
    source_api, negated, text, state, verdict, confidence, score, tier, reason, grounding of each
    agent, model, tokens, cost and seconds. State is scored, unscored (the call failed), not_run
    (budget or cache) or no_text. What cannot be read is listed with its place and left out; then,
    and where fewer than 98 % of the sentences with text were scored, the exit code is 1.
    `curieval belief FILE --verdicts TABLE` composes beliefs from it.

    \b
    Examples:
      curieval score evidence statements.json --model claude-haiku-4-5 --max-cost 2 -o scored.jsonl
      curieval score evidence corpus.jsonl.gz --model embedded -o scored.tsv
      curieval score evidence statements.json --model gpt-4o-mini --offline --json
    """
    from curieval.models.client import Client
    from curieval.statements.present import result_of
    from curieval.statements.score import score_file

    settings = asking.client_settings(cache, max_cost, concurrency, offline, refresh, models_file)
    with Client(model, settings=settings) as client:
        tell = _progress()
        tally = score_file(file, client, out=out, use_grounding=grounding, progress=tell)
        result = result_of(file.name, client, tally)
    answer(result, as_json=json, notes=result.notes, repairs=result.repairs)
    if tally.left_out or not result.is_covered:
        raise typer.Exit(1)


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


def _progress() -> Callable[[int, int], None]:
    """Progress on stderr: a line that is written over, or off a terminal one a tenth."""
    told = -1

    def tell(done: int, n: int) -> None:
        nonlocal told
        if sys.stderr.isatty():
            print(f"\r{done} of {n} sentences", end="\n" if done == n else "", file=sys.stderr)
        elif (tenth := 10 * done // n) > told:
            told = tenth
            say(f"{done} of {n} sentences")

    return tell
