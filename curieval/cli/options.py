"""Options that several commands share, so that they read alike everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Table = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="TSV, CSV, JSON lines or Parquet, by its suffix."),
]
Samples = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="TSV, CSV, JSON lines or Parquet by its suffix, or JSON of the submission portal.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the table here, in its suffix's form."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="FIELD=NAME",
        help="The column that holds a field, where it has another name. Repeatable.",
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Encoding of a text file, such as latin-1.", show_default="utf-8"
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Template = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Template of rows that name none, such as soil_data.",
        show_default="no value set",
    ),
]
Slot = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Slot of all rows where no column says: env_broad_scale, env_local_scale, env_medium.",
    ),
]
Ontologies = Annotated[
    list[str] | None,
    typer.Option(
        "--ontology",
        metavar="SOURCE",
        help="An OBO or OBO-Graph file, its address or an oaklib selector, instead of the ENVO "
        "that is shipped. Repeatable.",
        show_default="envo",
    ),
]
Priors = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE",
        help="Error rates of sources: indra, recalibrated, or a JSON file "
        '{"reach": [rand, syst], …}.',
    ),
]
UnknownSource = Annotated[
    str | None,
    typer.Option(
        "--unknown-source",
        metavar="RAND,SYST",
        help="The prior of sources that have none, which are counted.",
        show_default="an error",
    ),
]
