"""`curieval cases`: suites of cases from a user's table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from curieval.cli import options
from curieval.cli.app import answer, group, say, width

commands = group("cases", "Build suites of cases from a table of your own.")


@commands.command("env-triad")
def env_triad(
    source: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="Table of samples (TSV, CSV, JSON lines, Parquet), or JSON of the portal.",
        ),
    ],
    slot: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="A slot of the triad, such as env_medium; sampleData asks for the template.",
        ),
    ],
    per_category: Annotated[int, typer.Option(help="Cases for each value.")] = 10,
    min_pool: Annotated[
        int, typer.Option(help="Leave out values that fewer distinct samples have.")
    ] = 10,
    seed: Annotated[int, typer.Option(help="The same seed draws the same cases.")] = 42,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write the suite here (.jsonl).",
            show_default="standard output",
        ),
    ] = None,
    template: options.Template = "",
    column: options.Columns = None,
    encoding: options.Encoding = None,
    json: Annotated[bool, typer.Option("--json", help="Print the account as JSON.")] = False,
) -> None:
    """Build a suite for the environmental triad, to run with `pytest evals --cases FILE`.

    One of `--slot sampleData` is run with that option too.

    Columns: study_name, description, notes, sampleData (or template), env_broad_scale,
    env_local_scale, env_medium, geo_loc_name, depth, analysis_type. Leave one out with
    `--column NAME=`. The GOLD path never reaches a prompt. Samples are taken once for each
    prompt and value, and the same number for each value; what was left out is listed. Exit
    code 1 where no value has enough samples: then nothing is written.

    \b
    Examples:
      curieval cases env-triad --source samples.tsv --slot env_broad_scale -o cases.jsonl
      curieval cases env-triad --source submission.json --slot env_medium --min-pool 5
      curieval cases env-triad --source mine.csv --slot env_local_scale \\
        --column description=abstract --column notes= --template soil_data
    """
    from curieval.triad.cases import Drawing, case_lines, make_cases
    from curieval.triad.fields import everywhere
    from curieval.triad.samples import open_samples
    from curieval.triad.score import open_ontologies
    from evals.env_triad.cases import SLOTS, TEMPLATE_SLOT

    drawing = Drawing(slot=slot, per_category=per_category, min_pool=min_pool, seed=seed)
    columns = column or ()
    table = open_samples(
        source, encoding=encoding, also=[pair.partition("=")[2] for pair in columns]
    )
    account = make_cases(
        table,
        drawing,
        everywhere=everywhere(template=template, slot=SLOTS[0] if slot == TEMPLATE_SLOT else slot),
        columns=columns,
        ontologies=open_ontologies(()),
        out=out,
    )
    if out is not None or json:
        answer(account, as_json=json, notes=account.notes, repairs=account.repairs)
    else:
        sys.stdout.write(case_lines(account.suite))
        say(account.as_text(width()).rstrip())
    if not account.suite.rows:
        raise typer.Exit(1)
