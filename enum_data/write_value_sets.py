"""Writes the allowed values of the environmental triad from the nmdc-submission-schema package.

One `<template>_<slot>.tsv` with the columns id and label for each template that has value
sets, in the order of the schema.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TEMPLATES = {
    "soil_data": "Soil",
    "water_data": "Water",
    "sediment_data": "Sediment",
    "plant_associated_data": "PlantAssociated",
}
SLOTS = {
    "env_broad_scale": "EnvBroadScale",
    "env_local_scale": "EnvLocalScale",
    "env_medium": "EnvMedium",
}
_VALUE = re.compile(r"_*(.+?)\s*\[(\w+:\d+)\]", re.ASCII)


def read_schema() -> Mapping[str, Any]:
    """The enums of the installed nmdc-submission-schema, by name."""
    from importlib.resources import files

    document = files("nmdc_submission_schema").joinpath(
        "project/jsonschema/nmdc_submission_schema.schema.json"
    )
    definitions: Mapping[str, Any] = json.loads(document.read_text(encoding="utf-8"))["$defs"]
    return definitions


def value_set_text(values: Sequence[str]) -> str:
    """The table for one value set; ValueError names a value that is no `label [CURIE]`."""
    rows = ["id\tlabel"]
    for value in values:
        read = _VALUE.fullmatch(value.strip())
        if read is None:
            raise ValueError(f"{value!r} does not have the form `label [CURIE]`")
        rows.append(f"{read.group(2)}\t{read.group(1)}")
    return "\n".join(rows) + "\n"


def value_sets(schema: Mapping[str, Any]) -> dict[str, str]:
    """File name to table, for every template and slot that has a value set."""
    return {
        f"{template}_{slot}.tsv": value_set_text(schema[f"{start}{end}Enum"]["enum"])
        for template, end in TEMPLATES.items()
        for slot, start in SLOTS.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the twelve value sets beside this script, or into `--out`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    options = parser.parse_args(arguments)
    for name, text in value_sets(read_schema()).items():
        (options.out / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10)) - 1} values")


if __name__ == "__main__":
    main()
