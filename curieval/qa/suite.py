"""The protein questions written as a case file of the shape that `--cases` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curieval.tables import TableError, kind_of, open_output
from evals.protein_qa.cases import case_rows


@dataclass(frozen=True, kw_only=True)
class SuiteAccount:
    """What was written."""

    out: str
    cases: int
    repairs: Mapping[str, int]

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return asdict(self)

    def as_text(self, width: int) -> str:
        """The same in a line."""
        return f"{self.out}: {self.cases} cases\n"


def suite_lines() -> str:
    """All questions, one JSON object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in case_rows())


def write_suite(path: Path) -> SuiteAccount:
    """Write all questions; TableError unless `path` is a .jsonl file in a folder that exists."""
    if kind_of(path) != "jsonl":
        raise TableError(f"{path}: questions have rubrics; name a .jsonl file")
    rows = [*case_rows()]
    with open_output(path, []) as output:
        for row in rows:
            output.write({name: [value] for name, value in row.items()}, 1)
    return SuiteAccount(out=path.name, cases=len(rows), repairs=dict(output.repairs))
