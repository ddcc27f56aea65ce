"""Putting several run folders together: shards from several machines, or models run apart."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from curieval.report.atomic import whole
from curieval.report.errors import ReportError
from curieval.report.records import RECORDS_FILE
from curieval.report.run import read_run


def merge_runs(sources: Sequence[Path], folder: Path) -> None:
    """Write records.jsonl of `folder` from those of `sources`, each leg of each a leg.

    The legs stand in the order in which they started, so that the last record of an item is
    the latest. ReportError where a source is no run or is given twice, or where `folder`
    already holds a run.
    """
    target = Path(folder) / RECORDS_FILE
    if target.exists():
        raise ReportError(f"{folder} already holds a run; name another folder to merge into")
    runs = [read_run(source) for source in sources]
    starts = [_start(source) for source in sources]
    for place, start in enumerate(starts):
        if start in starts[:place]:
            raise ReportError(
                f"{sources[place]} and {sources[starts.index(start)]} are the same run; "
                "merge each run once, or its costs count twice"
            )
    ordered = sorted(zip((run.legs[0].started for run in runs), map(Path, sources), strict=True))
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ReportError(f"{folder} cannot be written: {error.strerror or error}") from error
    with whole(target) as neighbour, neighbour.open("wb") as merged:
        for _, source in ordered:
            with (source / RECORDS_FILE).open("rb") as file:
                last = b"\n"
                while block := file.read(1 << 20):
                    merged.write(block)
                    last = block[-1:]
                if last != b"\n":
                    merged.write(b"\n")
        merged.flush()
        os.fsync(merged.fileno())


def _start(source: Path) -> bytes:
    """What only one run begins with: its opening line and its plan."""
    with (Path(source) / RECORDS_FILE).open("rb") as file:
        return file.readline() + file.readline()
