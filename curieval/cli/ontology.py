"""`curieval ontology`: what changes for cases and value sets from one release to the next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curieval.cli import options
from curieval.cli.app import answer, group

commands = group("ontology", "Compare releases of an ontology.")


@commands.command("diff")
def diff(
    before: Annotated[
        str,
        typer.Argument(
            metavar="BEFORE",
            help="envo or po (as shipped), an OBO or OBO-Graph file (.gz too), its address, "
            "or an oaklib selector.",
        ),
    ],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The other release, likewise.")],
    values: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Table with the values to look at, `label [CURIE]`, in its column reference, "
            "truth or value.",
            show_default="all cases and value sets that are shipped",
        ),
    ] = None,
    column: options.Columns = None,
    encoding: options.Encoding = None,
    json: options.Json = False,
) -> None:
    """What changed from one release to another: exit code 1 when anything did.

    Looked at are the references of the environmental triad's cases and the values that its
    templates allow, or the values of a table: their label, parents and status, and for two of
    them of which one stands above the other, how far apart they are.

    \b
    Examples:
      curieval ontology diff envo-2025-02-05.obo.gz envo
      curieval ontology diff envo sqlite:obo:envo --json
      curieval ontology diff old.obo new.obo --values samples.tsv --column value=env_medium
    """
    from curieval.ontologies import open_ontology
    from curieval.tables import read_mapping
    from curieval.triad.drift import VALUES, compare, values_of

    mapping = read_mapping(column or (), VALUES)
    chosen = values_of(values, encoding=encoding, mapping=mapping) if values else None
    found = compare(open_ontology(before), open_ontology(after), values=chosen)
    answer(found, as_json=json, notes=found.notes)
    if found.changed:
        raise typer.Exit(1)
