"""Tables of samples: NMDC submissions as they are exported, or any table with such columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from curieval.tables import Field, Table, TableError, kind_of, match, open_table
from curieval.tables.json_table import JsonList, read_document

# The titles that the submission portal's spreadsheets show in place of the slots' names.
TITLES = {
    "env_broad_scale": "broad-scale environmental context",
    "env_local_scale": "local environmental context",
    "env_medium": "environmental medium",
    "geo_loc_name": "geographic location (country and/or sea,region)",
    "depth": "depth, meters",
    "analysis_type": "analysis/data type",
    "samp_name": "sample name",
}
STUDY_FIELDS = {"study_name": "studyName", "description": "description", "notes": "notes"}
SAMPLE_FIELDS = (
    *STUDY_FIELDS,
    "sampleData",
    "env_broad_scale",
    "env_local_scale",
    "env_medium",
    "geo_loc_name",
    "depth",
    "analysis_type",
)
_TRIAD = ("env_broad_scale", "env_local_scale", "env_medium")
_OTHER_NAMES = {"sampleData": ("template",), "study_name": ("studyName",)}


def sample_field(name: str, *, required: bool = False) -> Field:
    """A field of a sample with the names that it goes by."""
    title = (TITLES[name],) if name in TITLES else ()
    return Field(name=name, aliases=(*_OTHER_NAMES.get(name, ()), *title), required=required)


def open_samples(path: Path, *, encoding: str | None = None, also: Sequence[str] = ()) -> Table:
    """Open a table of samples for reading.

    A JSON file may be one submission of the NMDC portal, a list or page of them, or sample
    data by template; each sample becomes a row with the study's name, description and notes
    and its template in `sampleData`. In TSV and CSV the names may stand in the second row,
    below the sections, and be the portal's titles. `also` are other columns that tell a header.
    """
    if kind_of(path) == "json" and path.is_file():
        return JsonList(path, list(_rows(path, read_document(path, encoding))))
    known = (*_TRIAD, *also, *(TITLES[slot] for slot in _TRIAD))
    return open_table(
        path,
        encoding=encoding,
        count_known=lambda names: sum(match(name, names) is not None for name in known),
    )


def has_titles(table: Table) -> bool:
    """Whether the table's columns go by the titles of the submission portal."""
    return not any(match(slot, table.columns) for slot in _TRIAD) and any(
        match(TITLES[slot], table.columns) for slot in _TRIAD
    )


def _rows(path: Path, document: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401 - any JSON
    if isinstance(document, dict) and isinstance(document.get("results"), list):
        document = document["results"]
    if isinstance(document, list):
        if any(isinstance(each, dict) and "metadata_submission" in each for each in document):
            for number, each in enumerate(document, start=1):
                yield from _submission(f"{path}: submission {number}", each)
        else:
            yield from document
    elif isinstance(document, dict):
        yield from _submission(str(path), document)
    else:
        raise TableError(f"{path}: expected submissions or samples, found {str(document)!r:.60}")


def _submission(place: str, document: object) -> Iterator[Mapping[str, Any]]:
    if not isinstance(document, dict):
        raise TableError(f"{place}: expected a JSON object, found {str(document)!r:.60}")
    submission = document.get("metadata_submission", document)
    if not isinstance(submission, dict):
        raise TableError(f"{place}, field 'metadata_submission': expected a JSON object")
    form = submission.get("studyForm") or {}
    if not isinstance(form, dict):
        raise TableError(f"{place}, field 'studyForm': expected a JSON object")
    study = {name: form.get(key) or "" for name, key in STUDY_FIELDS.items()}
    tabs = submission.get("sampleData", submission)
    templates = [name for name in tabs if name.endswith("_data")] if isinstance(tabs, dict) else []
    if not templates:
        raise TableError(
            f"{place}: no sample data; expected lists of samples by template, such as soil_data"
        )
    for template in templates:
        samples = tabs[template] or []
        if not isinstance(samples, list):
            raise TableError(f"{place}, field {template!r}: expected a list of samples")
        for number, sample in enumerate(samples, start=1):
            if not isinstance(sample, dict):
                raise TableError(f"{place}, field {template!r}, sample {number}: no JSON object")
            # Tabs of facilities list the same samples again, without the triad.
            if any(slot in sample for slot in _TRIAD):
                yield {**study, "sampleData": template, **sample}
