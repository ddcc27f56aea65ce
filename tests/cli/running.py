"""Running the command line as a user does, and writing the tables that it reads."""

import csv
import json
from dataclasses import dataclass

from typer.testing import CliRunner

from curieval.cli import app


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


def curieval(*arguments):
    """Run `curieval ARGUMENTS` in this process."""
    ran = CliRunner().invoke(app, [str(each) for each in arguments])
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return Ran(code=ran.exit_code, out=ran.stdout, err=ran.stderr)


def refused(*arguments):
    """Run a command that must be refused with one clear line, and return that line."""
    ran = curieval(*arguments)
    assert ran.code == 4, ran
    assert ran.out == ""
    (line,) = ran.err.splitlines()
    assert line.startswith("curieval: ")
    return line


def write_table(path, rows, columns=None):
    """Write rows by the suffix of the path."""
    columns = columns or list(rows[0])
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif path.suffix == ".parquet":
        import pyarrow
        from pyarrow import parquet

        table = {name: [row.get(name) for row in rows] for name in columns}
        parquet.write_table(pyarrow.table(table), path)
    else:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, delimiter="," if path.suffix == ".csv" else "\t")
            writer.writeheader()
            writer.writerows(rows)
    return path


def read_table(path):
    """The rows of a table, as text where the format has nothing else."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if path.suffix == ".parquet":
        from pyarrow import parquet

        return parquet.read_table(path).to_pylist()
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="," if path.suffix == ".csv" else "\t"))
