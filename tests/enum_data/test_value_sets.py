"""The shipped value sets are what their script writes from the installed schema."""

import pytest

from enum_data.write_value_sets import SLOTS, TEMPLATES, read_schema, value_set_text, value_sets
from scoring import allowed_values

# Counted in nmdc-submission-schema 11.25.0: soil, water, sediment, plant-associated.
SIZES = {
    "env_broad_scale": (52, 56, 15, 72),
    "env_local_scale": (83, 86, 53, 62),
    "env_medium": (85, 96, 11, 28),
}


def test_files_equal_what_the_script_writes(enum_data):
    written = value_sets(read_schema())
    assert {path.name for path in enum_data.glob("*_env_*.tsv")} == set(written)
    for name, text in written.items():
        assert (enum_data / name).read_text(encoding="utf-8") == text, name


def test_sizes_of_the_value_sets():
    for slot, sizes in SIZES.items():
        assert tuple(len(allowed_values(template, slot)) for template in TEMPLATES) == sizes


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("slot", SLOTS)
def test_a_table_is_curie_to_label(template, slot):
    values = allowed_values(template, slot)
    assert all(curie.startswith(("ENVO:", "PO:")) for curie in values)
    assert all(label == label.strip() and label for label in values.values())


def test_indentation_of_pick_lists_is_taken_off():
    assert value_set_text(["____tunnel [ENVO:00000068]"]) == "id\tlabel\nENVO:00000068\ttunnel\n"


def test_a_value_of_another_form_is_named():
    with pytest.raises(ValueError, match="'tunnel' does not have the form"):
        value_set_text(["tunnel"])
