"""`curieval priors`: error rates of readers measured on curated sentences, and held to them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curieval.cli import options
from curieval.cli.app import answer, group

commands = group("priors", "Measure the priors of beliefs on curated sentences.")
Truth = Annotated[
    Path,
    typer.Argument(metavar="TRUTH", help="Curated sentences: TSV, CSV, JSON lines or Parquet."),
]


@commands.command("fit", short_help="Fit the error rates of readers.")
def fit(
    truth: Truth,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write the priors here, as --priors reads them."
        ),
    ] = None,
    min_curated: Annotated[
        int, typer.Option("--min-curated", min=1, help="Sentences a reader needs to be fitted.")
    ] = 100,
    column: options.Columns = None,
    json: options.Json = False,
) -> None:
    """Fit the random error rate of each reader: rand = 1 − accuracy − syst.

    Columns: tag (correct, or what is wrong) and source_api (or reader), or INDRA's ev_json; where
    there are any, source_hash and matches_hash (or pa_hash), by which several curations of a
    sentence are one. syst stays INDRA's, and so does all of a reader with fewer curated sentences.
    Rows that cannot be used are listed and left out: exit code 1.

    \b
    Examples:
      curieval priors fit curations.tsv -o priors.json
      curieval belief statements.json --priors priors.json
    """
    from curieval.belief.fit import fit_priors, write_priors
    from curieval.belief.truth import READ, read_truth
    from curieval.tables import read_mapping

    found = fit_priors(read_truth(truth, read_mapping(column or (), READ)), fewest=min_curated)
    if out is not None:
        write_priors(found, out, truth)
    answer(found, as_json=json, notes=found.notes)
    if found.left_out:
        raise typer.Exit(1)


@commands.command("compare", short_help="Hold beliefs under several priors to a truth set.")
def compare(
    truth: Truth,
    verdicts: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Verdicts on the curated sentences, as `curieval belief` reads them.",
        ),
    ],
    priors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|FILE",
            help="Priors to compare. Repeatable.",
            show_default="indra and recalibrated",
        ),
    ] = None,
    unknown_source: options.UnknownSource = None,
    column: options.Columns = None,
    json: options.Json = False,
) -> None:
    """Hold parametric, gated and graded belief under each set of priors to a truth set.

    Brier score, calibration error and AUROC over statements that have a verdict on each curated
    sentence, with paired differences. TRUTH needs source_hash and matches_hash (or pa_hash)
    besides what `fit` reads. A statement is true where any sentence supports it. Priors that were
    fitted to the same truth set look better than they are: compare on another one.

    \b
    Examples:
      curieval priors compare curations.tsv --verdicts scored.jsonl
      curieval priors compare held_out.tsv --verdicts scored.tsv --priors indra --priors mine.json
    """
    from curieval.belief.ablation import compare_priors
    from curieval.belief.compose import read_priors, read_unknown_source
    from curieval.belief.truth import READ, read_truth
    from curieval.belief.verdicts import read_verdicts
    from curieval.tables import read_mapping

    chosen = [read_priors(name) for name in priors or ("indra", "recalibrated")]
    unknown = read_unknown_source(unknown_source)
    corpus, supported = read_truth(truth, read_mapping(column or (), READ)).corpus()
    said = read_verdicts(verdicts, corpus, {})
    found = compare_priors(corpus, supported, said, chosen, unknown_source=unknown)
    answer(found, as_json=json, notes=found.notes)
    if found.left_out:
        raise typer.Exit(1)
