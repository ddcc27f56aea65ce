"""`curieval check`: references audited before anything is judged by them."""

from __future__ import annotations

from typing import Annotated

import typer

from curieval.cli import options
from curieval.cli.app import answer, group

commands = group("check", "Audit references before anything is judged by them.")


@commands.command("env-triad")
def env_triad(
    file: options.Samples,
    out: options.Out = None,
    template: options.Template = "",
    slot: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Check this slot alone; of references without a column slot: what slot they "
            "are of.",
            show_default="all; references: env_broad_scale",
        ),
    ] = None,
    ontology: options.Ontologies = None,
    column: options.Columns = None,
    encoding: options.Encoding = None,
    json: options.Json = False,
) -> None:
    """Audit values of the environmental triad: exit code 1 when one is suspect.

    A value must read `label [CURIE]`, its id exist and live, its label agree, the template
    allow it, and the term lie in the branch of its slot. Where nmdc-submission-schema is
    installed, its enum of the template and slot must hold it too. Checked is the column
    reference (or truth), or where there is none env_broad_scale, env_local_scale and
    env_medium, as in NMDC submissions (TSV, or JSON of the portal).

    \b
    Examples:
      curieval check env-triad samples.tsv
      curieval check env-triad submission.json -o suspect.tsv
      curieval check env-triad predictions.csv --column reference=ideal --slot env_medium
    """
    from curieval.tables import read_mapping
    from curieval.triad.check import READ, Checking, check_table
    from curieval.triad.fields import everywhere
    from curieval.triad.samples import open_samples
    from curieval.triad.schema import installed_schema
    from curieval.triad.score import open_ontologies

    checking = Checking(
        ontologies=open_ontologies(ontology or ()),
        everywhere=everywhere(template=template, slot=slot or "env_broad_scale"),
        only=slot,
        schema=installed_schema(),
    )
    mapping = read_mapping(column or (), READ)
    table = open_samples(file, encoding=encoding, also=("reference", "truth", *mapping.values()))
    result = check_table(table, checking, mapping=mapping, out=out)
    answer(result, as_json=json, notes=result.notes, repairs=result.repairs)
    if result.findings:
        raise typer.Exit(1)
