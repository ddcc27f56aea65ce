"""Writing tables: whole or not at all, and read back as they were."""

import csv
import gzip
import io
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curieval.tables import ABSENT, Ids, TableError, open_output, open_table, refuse_doubled


def written(path, columns, count):
    with open_output(path, list(columns)) as output:
        output.write(columns, count)
    return output


COLUMNS = {
    "id": ["a", "b", "c"],
    "text": ["plain", 'tab\tand "quote"', "line\nend, comma"],
    "n": [1, None, -3],
    "score": [0.5, math.nan, 1.0],
    "right": [True, False, None],
}


@pytest.mark.parametrize("name", ["o.tsv", "o.csv", "o.tsv.gz"])
def test_delimited_files_hold_what_was_written(tmp_path, name):
    path = tmp_path / name
    written(path, COLUMNS, 3)
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if name.endswith("gz") else raw).decode()
    rows = list(csv.reader(io.StringIO(text), delimiter="," if "csv" in name else "\t"))
    assert rows == [
        ["id", "text", "n", "score", "right"],
        ["a", "plain", "1", "0.5", "true"],
        ["b", 'tab\tand "quote"', "", "", "false"],
        ["c", "line\nend, comma", "-3", "1.0", ""],
    ]
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_lines_of_json_are_strict_and_keep_absent_fields_absent(tmp_path):
    path = tmp_path / "o.jsonl"
    written(path, {**COLUMNS, "own": [ABSENT, None, {"deep": math.inf}]}, 3)
    rows = [json.loads(line, parse_constant=pytest.fail) for line in path.read_text().splitlines()]
    assert rows[0] == {"id": "a", "text": "plain", "n": 1, "score": 0.5, "right": True}
    assert rows[1]["score"] is None
    assert rows[1]["own"] is None
    assert rows[2]["own"] == {"deep": None}


def test_parquet_has_types(tmp_path):
    from pyarrow import parquet

    path = tmp_path / "o.parquet"
    with open_output(path, list(COLUMNS)) as output:
        output.write(COLUMNS, 3)
        output.write({"id": ["d"], "n": [4]}, 1)
    table = parquet.read_table(path)
    assert [str(field.type) for field in table.schema] == [
        "string", "string", "int64", "double", "bool",
    ]  # fmt: skip
    assert table.column("n").to_pylist() == [1, None, -3, 4]
    assert table.column("score").to_pylist() == [0.5, None, 1.0, None]


def test_parquet_names_a_value_that_does_not_fit(tmp_path):
    def write_mixed():
        with open_output(tmp_path / "o.parquet", ["n"]) as output:
            output.write({"n": [1]}, 1)
            output.write({"n": ["many"]}, 1)

    with pytest.raises(TableError, match=r"o\.parquet: field 'n': .*write TSV"):
        write_mixed()
    assert list(tmp_path.iterdir()) == []


def test_a_table_without_rows_has_its_columns(tmp_path):
    for name in ("o.tsv", "o.parquet"):
        with open_output(tmp_path / name, ["id", "x"]):
            pass
        assert list(open_table(tmp_path / name).columns) == ["id", "x"]


@pytest.mark.parametrize("name", ["o.tsv", "o.jsonl", "o.parquet"])
def test_nothing_is_left_of_a_table_that_could_not_be_finished(tmp_path, name):
    path = tmp_path / name
    path.write_text("as it was")

    def break_off():
        with open_output(path, ["id"]) as output:
            output.write({"id": ["a"]}, 1)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        break_off()
    assert path.read_text() == "as it was"
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-x", "\t=1", "\r=1"])
def test_what_a_spreadsheet_would_run_is_defused_and_counted(tmp_path, text):
    path = tmp_path / "o.csv"
    output = written(path, {"x": [text, "soil", "-1.5", "+2", "-3e5"]}, 5)
    with path.open(newline="") as file:
        cells = [row[0] for row in csv.reader(file)][1:]
    assert cells == ["'" + text, "soil", "-1.5", "+2", "-3e5"]
    assert sum(output.repairs.values()) == 1


def test_half_characters_are_replaced_and_counted(tmp_path):
    for name in ("o.tsv", "o.jsonl"):
        output = written(tmp_path / name, {"x": ["a\ud800b", "ñ"]}, 2)
        assert "a\ufffdb" in (tmp_path / name).read_text(encoding="utf-8")
        assert sum(output.repairs.values()) == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("o.json", "write JSON lines"),
        ("o.xlsx", "names no format"),
        ("none/o.tsv", "its folder does not exist"),
        ("folder.tsv", "is a folder"),
        ("source.tsv", "is the table that is being read"),
    ],
)
def test_names_that_will_not_do(tmp_path, name, message):
    source = tmp_path / "source.tsv"
    source.write_text("id\n")
    (tmp_path / "folder.tsv").mkdir()
    with pytest.raises(TableError, match=message):
        open_output(tmp_path / name, ["id"], source=source)


cells = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=20), st.sampled_from(["tsv", "csv"]))
@settings(max_examples=60)
def test_any_text_reads_back(tmp_path_factory, rows, suffix):
    path = tmp_path_factory.mktemp("t") / f"o.{suffix}"
    first = ["r" + a for a, _ in rows]
    second = ["r" + b for _, b in rows]
    written(path, {"a": first, "b": second}, len(rows))
    with path.open(newline="", encoding="utf-8") as file:
        read = list(csv.reader(file, delimiter="," if suffix == "csv" else "\t"))[1:]
    assert read == [[a, b] for a, b in zip(first, second, strict=True)]


def doubled_in(tmp_path, ids):
    path = tmp_path / "t.tsv"
    path.write_text("id\n" + "".join(f"{each}\n" for each in ids))
    table, seen = open_table(path), Ids()
    for batch in table.batches():
        seen.add(batch.texts("id"))
    return seen.doubled(table, "id")


def test_doubled_ids_are_named_with_both_places(tmp_path):
    found = doubled_in(tmp_path, ["a", "b", "a", "c", "b", "a"])
    assert (found.count, found.first) == (3, "a")
    assert [place.rpartition(":")[2] for place in found.places] == ["2", "4"]
    with pytest.raises(TableError, match=r"t\.tsv:4, field 'id': the id 'a' .*:2, and 2 more"):
        refuse_doubled(found, "id", "give each row its own")


def test_ids_that_stand_once_are_fine(tmp_path):
    assert doubled_in(tmp_path, ["a", "b", "1", "01"]).count == 0
    refuse_doubled(doubled_in(tmp_path, ["a"]), "id", "")
