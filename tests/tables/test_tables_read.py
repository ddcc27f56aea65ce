"""Reading tables: what is mended is counted, and every mistake names file, line and field."""

import gzip
import json

import pytest

from curieval.tables import TableError, open_table, read_mapping
from curieval.tables.columns import Field, find_fields


def write(tmp_path, name, text, encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding) if isinstance(text, str) else text)
    return path


def rows_of(table):
    """All rows as (line, dict), as a reader of single rows would have them."""
    return [
        (line, {name: values[number] for name, values in batch.columns.items()})
        for batch in table.batches()
        for number, line in enumerate(batch.lines)
    ]


@pytest.mark.parametrize("name", ["t.tsv", "t.csv", "T.TSV", "t.tab"])
def test_rows_come_with_their_lines(tmp_path, name):
    sep = "," if name.endswith("csv") else "\t"
    path = write(tmp_path, name, f"id{sep}x\na{sep}1\nb{sep}2\n")
    table = open_table(path)
    assert list(table.columns) == ["id", "x"]
    assert rows_of(table) == [(2, {"id": "a", "x": "1"}), (3, {"id": "b", "x": "2"})]
    assert rows_of(table.again()) == [(2, {"id": "a", "x": "1"}), (3, {"id": "b", "x": "2"})]


def test_a_cell_may_hold_line_ends_and_later_rows_keep_their_lines(tmp_path):
    path = write(tmp_path, "t.csv", 'id,x\r\na,"one\r\ntwo\nthree"\r\nb,2\r\n')
    assert rows_of(open_table(path)) == [
        (2, {"id": "a", "x": "one\r\ntwo\nthree"}),
        (5, {"id": "b", "x": "2"}),
    ]


def test_a_cell_may_hold_tabs_and_line_ends(tmp_path):
    path = write(tmp_path, "t.tsv", 'a\tb\tc\n1\t"x\ty\nz"\t3\n')
    assert rows_of(open_table(path)) == [(2, {"a": "1", "b": "x\ty\nz", "c": "3"})]


def test_old_line_ends_are_line_ends(tmp_path):
    path = write(tmp_path, "t.csv", "id,x\ra,1\rb,2")
    assert rows_of(open_table(path)) == [(2, {"id": "a", "x": "1"}), (3, {"id": "b", "x": "2"})]


def test_blank_rows_and_empty_surplus_cells_are_mended_and_counted(tmp_path):
    path = write(tmp_path, "t.tsv", "id\tx\n\na\t1\t\t\n\t\nb\t2\n")
    table = open_table(path)
    assert rows_of(table) == [(3, {"id": "a", "x": "1"}), (5, {"id": "b", "x": "2"})]
    assert sorted(table.repairs.values()) == [1, 2]


@pytest.mark.parametrize(
    ("encoding", "repair"),
    [("utf-8-sig", "byte order mark"), ("utf-16", "UTF-16")],
)
def test_byte_order_marks_are_followed_and_counted(tmp_path, encoding, repair):
    path = write(tmp_path, "t.tsv", "id\tx\na\tñ\n", encoding)
    table = open_table(path)
    assert rows_of(table) == [(2, {"id": "a", "x": "ñ"})]
    assert [what for what in table.repairs if repair in what]


def test_packed_files_are_unpacked(tmp_path):
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": 1}\n'))
    assert rows_of(open_table(path)) == [(1, {"id": 1})]
    path.write_bytes(gzip.compress(b'{"id": 1}\n' * 999)[:-9])
    with pytest.raises(TableError, match="compressed file ends early"):
        open_table(path)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.tsv", "id\tx\na\t1\nb\n", r"t.tsv:3: 1 cells.*none for the column 'x'"),
        ("t.tsv", "id\tx\na\t1\t2\n", r"t.tsv:2: 3 cells.*one too many is '2'"),
        ("t.csv", 'id,x\na,1\nb,"2\nc,3\n', r't.csv:3: a stray " .*unexpected end'),
        ("t.csv", 'id,x\na,"1"2\n', r't.csv:2: a stray "'),
        ("t.tsv", 'id\tx\na\t"1\nb\t2"\nc\t3\n', r't.tsv:2: a stray " .*takes in whole rows'),
        ("t.csv", 'a,b,c,d,e\n1,"2,3,4,5\n6,7",8,9,10\n', r't.csv:2: a stray "'),
        ("t.tsv", b"id\tx\ty\na\t1\tcaf\xe9\n", r"t.tsv:2, field 'y': byte 0xE9 is not UTF-8"),
        ("t.tsv", b"id\tx\n\xe9\t1\n", r"t.tsv:2, field 'id': byte 0xE9"),
        ("t.csv", b"id,x\xff\na,1\n", r"t.csv:1: byte 0xFF"),
        ("t.jsonl", b'{"id": 1}\n{"id": "\xe9"}\n', r"t.jsonl:2: byte 0xE9"),
        ("t.csv", b"id\r\x07,x\rq\xe9\n", r"t.csv:1: byte 0xE9 is not UTF-8"),
        ("t.tsv", bytes(range(1, 256)) * 9, r"t.tsv:2: byte 0x80 is not UTF-8"),
        ("t.tsv", "id\tx\na\t1\nb\t\0\n", r"t.tsv:3: a NUL character"),
        ("t.tsv", "id\tx\na\t1\n".encode("utf-16-le"), r"t.tsv:1: a NUL .*--encoding utf-16-le"),
        ("t.tsv", "", "is empty"),
        ("t.tsv", "\n\n", "is empty"),
        ("t.tsv", "id\tid\na\tb\n", "t.tsv:1: two columns are named 'id'"),
        ("t.tsv", "id\t\tx\na\tb\tc\n", "t.tsv:1: column 2 has no name"),
        ("t.jsonl", '{"id": 1}\n{"id": \n', "t.jsonl:2: no JSON"),
        ("t.jsonl", '{"id": 1}\n[1]\n', "t.jsonl:2: expected a JSON object"),
        ("t.jsonl", "\n", "is empty"),
        ("t.json", '{"id": 1}', "expected a JSON list"),
        ("t.json", "[1]", "t.json: row 1: expected a JSON object"),
        ("t.json", "[", "no JSON"),
        ("t.parquet", "no parquet", "cannot be read as Parquet"),
        ("t.xlsx", "x", "names no format"),
        ("t", "x", "names no format"),
    ],
)
def test_mistakes_are_named_with_their_place(tmp_path, name, text, message):
    path = write(tmp_path, name, text)
    with pytest.raises(TableError, match=message) as caught:
        rows_of(open_table(path))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_mistake_far_down_the_file_has_its_line(tmp_path):
    lines = ["id\tx", *(f"r{n}\t{n}" for n in range(100_000))]
    lines[90_000] = '"r\t5'
    path = write(tmp_path, "t.tsv", "\n".join(lines) + "\n")
    with pytest.raises(TableError, match=r"t\.tsv:90001: a stray"):
        rows_of(open_table(path))
    lines[90_000] = "r"
    path = write(tmp_path, "t.tsv", "\n".join(lines) + "\n")
    with pytest.raises(TableError, match=r"t\.tsv:90001: 1 cells"):
        rows_of(open_table(path))


def test_an_encoding_may_be_named(tmp_path):
    path = write(tmp_path, "t.csv", "id,x\na,café\n", "latin-1")
    assert rows_of(open_table(path, encoding="latin-1")) == [(2, {"id": "a", "x": "café"})]
    with pytest.raises(TableError, match="--encoding klingon: no such encoding"):
        open_table(path, encoding="klingon")


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(TableError, match="is not there"):
        open_table(tmp_path / "none.tsv")
    (tmp_path / "folder.tsv").mkdir()
    with pytest.raises(TableError, match="is a folder"):
        open_table(tmp_path / "folder.tsv")


def test_lines_of_json_may_differ_in_their_fields(tmp_path):
    path = write(tmp_path, "t.jsonl", '{"id": 1}\n\n{"id": 2, "x": null}\n{"y": [1]}\n')
    table = open_table(path)
    assert list(table.columns) == ["id", "x", "y"]
    (batch,) = table.batches()
    assert list(batch.lines) == [1, 3, 4]
    assert batch.texts("id") == ["1", "2", ""]
    assert batch.texts("x") == ["", "", ""]
    assert batch.texts("y") == ["", "", "[1]"]
    assert batch.texts(None) == batch.texts("none") == ["", "", ""]


def test_parquet_keeps_its_types(tmp_path):
    import pyarrow
    from pyarrow import parquet

    path = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"id": ["a", None], "n": [1, 2]}), path)
    table = open_table(path)
    assert rows_of(table) == [(1, {"id": "a", "n": 1}), (2, {"id": None, "n": 2})]
    assert table.place(2).endswith("t.parquet: row 2")


FIELDS = (
    Field(name="id"),
    Field(name="prediction", required=True),
    Field(name="reference", aliases=("truth",), required=True),
)


@pytest.mark.parametrize(
    ("header", "pairs", "expected"),
    [
        ("id\tprediction\treference", [], ("id", "prediction", "reference")),
        ("Prediction\ttruth", [], (None, "Prediction", "truth")),
        ("reference\ttruth\tprediction", [], (None, "prediction", "reference")),
        ("a\tb\tc", ["prediction=a", "truth=c"], (None, "a", "c")),
        ("Model Answer\ttruth", ["prediction=model_answer"], (None, "Model Answer", "truth")),
    ],
)
def test_fields_are_found_by_name_alias_or_mapping(tmp_path, header, pairs, expected):
    table = open_table(write(tmp_path, "t.tsv", header + "\n"))
    found = find_fields(table, FIELDS, read_mapping(pairs, FIELDS))
    assert tuple(found[field.name] for field in FIELDS) == expected


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "no column 'prediction'; it has 'id', 'predictoin', 'truth'. did you mean 'predict"),
        (["prediction=answer"], "no column 'answer'.*--column prediction=NAME"),
        (["answer=x"], "no field 'answer'; fields are id, prediction, reference"),
        (["prediction"], "expected FIELD=NAME"),
        (["prediction="], "expected FIELD=NAME"),
    ],
)
def test_missing_columns_are_named_with_what_to_do(tmp_path, pairs, message):
    table = open_table(write(tmp_path, "t.tsv", "id\tpredictoin\ttruth\n"))
    with pytest.raises(TableError, match=message):
        find_fields(table, FIELDS, read_mapping(pairs, FIELDS))


def test_json_and_tsv_of_the_same_rows_read_alike(tmp_path):
    rows = [{"id": f"r{n}", "x": "soil | sand\\" * n} for n in range(5)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    first = rows_of(open_table(write(tmp_path, "t.jsonl", lines)))
    cells = "id\tx\n" + "".join(f"{row['id']}\t{row['x']}\n" for row in rows)
    second = rows_of(open_table(write(tmp_path, "t.tsv", cells)))
    assert [row for _, row in first] == [row for _, row in second] == rows
