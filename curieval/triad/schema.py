"""The value sets of the installed nmdc-submission-schema, read from the schema itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any

PACKAGE = "nmdc-submission-schema"
_SCHEMA = "project/jsonschema/nmdc_submission_schema.schema.json"
_INDENTATION = " _\u00a0"


@dataclass(frozen=True, kw_only=True)
class SubmissionSchema:
    """Release and enums: the values of a template's slot, by (template, slot)."""

    release: str
    enums: Mapping[tuple[str, str], tuple[str, frozenset[str]]]

    def problem(self, value: str, template: str, slot: str) -> str | None:
        """Why a value is none of the enum's, as `code: sentence`; None where there is no enum.

        The slots take any text beside their enum, so that validating a submission does not
        tell: the enum itself is asked.
        """
        enum = self.enums.get((template, slot))
        if enum is None or bare(value) in enum[1]:
            return None
        return f"not_in_schema: {bare(value)!r} is no value of {enum[0]} ({PACKAGE} {self.release})"


def bare(value: str) -> str:
    """A value without blanks around it and the underscores that indent pick lists."""
    return value.strip().strip(_INDENTATION)


@cache
def installed_schema() -> SubmissionSchema | None:
    """The schema that is installed, None where there is none."""
    try:
        release = version(PACKAGE)
        document = files("nmdc_submission_schema").joinpath(_SCHEMA).read_text(encoding="utf-8")
    except (PackageNotFoundError, ModuleNotFoundError, OSError):
        return None
    schema = json.loads(document)
    return SubmissionSchema(release=release, enums=dict(_enums(schema)))


def _enums(schema: Mapping[str, Any]) -> list[tuple[tuple[str, str], tuple[str, frozenset[str]]]]:
    definitions = schema["$defs"]
    found = []
    for template, tab in schema["properties"].items():
        slots = definitions[_referred(tab.get("items", {}))]["properties"]
        for slot, about in slots.items():
            for part in about.get("anyOf", ()):
                values = definitions.get(_referred(part), {}).get("enum")
                if slot.startswith("env_") and values:
                    allowed = frozenset(map(bare, values))
                    found.append(((template, slot), (_referred(part), allowed)))
    return found


def _referred(part: Mapping[str, Any]) -> str:
    return str(part.get("$ref", "")).rpartition("/")[2]
