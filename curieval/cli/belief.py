"""`curieval belief`: statements of INDRA JSON, and the belief in each after the verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curieval.cli import options
from curieval.cli.app import answer

commands = typer.Typer(rich_markup_mode=None, add_completion=False)


@commands.command("belief", short_help="Compose the beliefs in a file's statements.")
def belief(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="INDRA statements: a JSON list or JSON lines, .gz of either."
        ),
    ],
    verdicts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Verdicts on their sentences (TSV, CSV, JSON lines, Parquet): source_hash and "
            "verdict; where there are any, matches_hash, confidence, score.",
            show_default="none: no sentence has a verdict",
        ),
    ] = None,
    priors: options.Priors = "indra",
    gate_unscored: Annotated[
        bool, typer.Option("--gate-unscored", help="Remove sentences without a verdict, too.")
    ] = False,
    graded: Annotated[
        bool, typer.Option("--graded", help="Weigh each sentence by its score, not gate it.")
    ] = False,
    unknown_source: options.UnknownSource = None,
    out: options.Out = None,
    column: options.Columns = None,
    json: options.Json = False,
) -> None:
    """Compose the belief in each statement of a file from the verdicts on its sentences.

    Belief is INDRA's: 1 − Π over sources (syst + rand^n), n the sentences that survive. A
    sentence survives with the verdict correct, and without one; parametric_only is the belief
    that no verdict touches. Records of one matches_hash are one statement, and the same evidence
    counts once. What cannot be read is listed with its place and left out: exit code 1.

    \b
    Examples:
      curieval belief statements.json -o beliefs.tsv
      curieval belief statements.jsonl.gz --verdicts scored.jsonl --priors recalibrated
      curieval belief statements.json --verdicts scored.tsv --graded --unknown-source 0.3,0.05
    """
    from curieval.belief.compose import (
        Composing,
        compose_corpus,
        read_priors,
        read_unknown_source,
        write_beliefs,
    )
    from curieval.belief.present import result_of
    from curieval.belief.statements import read_corpus
    from curieval.belief.verdicts import NO_VERDICTS, READ, read_verdicts
    from curieval.tables import read_mapping

    composing = Composing(
        priors=read_priors(priors),
        gate_unscored=gate_unscored,
        graded=graded,
        unknown_source=read_unknown_source(unknown_source),
    )
    mapping = read_mapping(column or (), READ)
    corpus = read_corpus(file)
    said = NO_VERDICTS if verdicts is None else read_verdicts(verdicts, corpus, mapping)
    composed = compose_corpus(corpus, said, composing)
    repairs = write_beliefs(composed, out, file) if out is not None else {}
    result = result_of(corpus, said, composing, composed)
    answer(result, as_json=json, notes=result.notes, repairs=repairs)
    if corpus.left_out:
        raise typer.Exit(1)
