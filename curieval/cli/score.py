"""`curieval score`: tables of predictions made elsewhere, scored."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from curieval.cli import options
from curieval.cli.app import answer, group

commands = group("score", "Score predictions that you already have.")


@commands.command("env-triad")
def env_triad(
    file: options.Table,
    out: options.Out = None,
    template: options.Template = "",
    slot: options.Slot = "env_broad_scale",
    lenient: Annotated[
        bool, typer.Option(help="Score the lenient reading, naming each repair in `reasons`.")
    ] = False,
    several: Annotated[
        bool, typer.Option(help="With --lenient: of several terms let the best count.")
    ] = False,
    ontology: options.Ontologies = None,
    column: options.Columns = None,
    encoding: options.Encoding = None,
    doubled_ids: Annotated[
        bool, typer.Option("--doubled-ids", help="Score rows although their ids repeat.")
    ] = False,
    json: options.Json = False,
) -> None:
    """Score answers `label [CURIE]` for the environmental triad.

    Columns: prediction, reference (or truth), and where there are any id, template and slot.
    The scored table keeps your rows and columns and adds the compatible score
    (parse_success to ontology_score), the hierarchical figures, the reasons, what the lenient
    reading gives, and whether the row counts: one with a suspect reference does not.

    \b
    Examples:
      curieval score env-triad predictions.tsv -o scored.tsv
      curieval score env-triad answers.jsonl --slot env_medium --template soil_data
      curieval score env-triad run.csv --column prediction=response --column truth=ideal --json
    """
    from curieval.tables import open_table, read_mapping
    from curieval.triad.fields import everywhere
    from curieval.triad.present import result_of
    from curieval.triad.score import READ, Scoring, open_ontologies, score_table

    scoring = Scoring(
        ontologies=open_ontologies(ontology or ()),
        everywhere=everywhere(template=template, slot=slot),
        lenient=lenient or several,
        multi_valued=several,
        doubled_ids=doubled_ids,
    )
    table = open_table(file, encoding=encoding)
    tally = score_table(table, scoring, mapping=read_mapping(column or (), READ), out=out)
    result = result_of(file.name, tally, scoring)
    answer(result, as_json=json, notes=result.notes, repairs=result.repairs)


@commands.command("ec")
def ec(
    file: options.Table,
    out: options.Out = None,
    partial_reference: Annotated[
        Literal["closed", "open"],
        typer.Option(
            help="What is predicted below a reference such as 3.6.-.-: wrong (closed), or left "
            "out (open)."
        ),
    ] = "closed",
    map_transferred: Annotated[
        bool,
        typer.Option("--map-transferred", help="Follow one-to-one transfers on both sides."),
    ] = False,
    column: options.Columns = None,
    encoding: options.Encoding = None,
    json: options.Json = False,
) -> None:
    """Score EC numbers by hierarchical micro-F1, with each level and exact sets beside it.

    Columns: id, reference (or truth), prediction. Lists in JSON lines and Parquet; in TSV and
    CSV one number or several separated by `;`, predictions also as free text. An empty
    reference means no enzyme; an empty or unreadable prediction counts as no number.

    \b
    Examples:
      curieval score ec predictions.tsv -o scored.tsv
      curieval score ec answers.jsonl --partial-reference open --map-transferred --json
    """
    from curieval.ec.present import result_of
    from curieval.ec.score import READ, EcScoring, score_table
    from curieval.tables import open_table, read_mapping

    scoring = EcScoring(partial_reference=partial_reference, map_transferred=map_transferred)
    table = open_table(file, encoding=encoding)
    tally = score_table(table, scoring, mapping=read_mapping(column or (), READ), out=out)
    result = result_of(file.name, tally, scoring)
    answer(result, as_json=json, notes=result.notes, repairs=result.repairs)
