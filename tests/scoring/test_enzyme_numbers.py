"""One EC number: its status by the packaged facts, and where transfers lead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ec_numbers import current_number, ec_status, load_ec_facts, read_code


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("1.1.1.1", "valid"),
        ("7.1.2.2", "valid"),
        ("3.6.-.-", "valid"),
        ("1.-.-.-", "valid"),
        ("1.1.1.5", "transferred"),
        ("2.7.1.37", "transferred"),
        ("1.1.1.74", "deleted"),
        ("1.1.1.999", "unknown"),
        ("5.99.-.-", "valid"),
        ("5.98.-.-", "unknown"),
    ],
)
def test_status(code, status):
    assert ec_status(code) == status


@pytest.mark.parametrize(
    ("code", "current"),
    [
        ("3.6.3.14", "7.1.2.2"),
        ("1.6.99.5", "1.6.5.9"),
        ("1.1.1.5", "1.1.1.5"),
        ("1.1.1.1", "1.1.1.1"),
        ("1.1.1.-", "1.1.1.-"),
    ],
)
def test_one_to_one_transfers_are_followed(code, current):
    assert current_number(code) == current


def test_a_cycle_of_transfers_leaves_the_number_as_it_is(monkeypatch):
    facts = load_ec_facts()._replace(replaced={"1.1.1.1": ("1.1.1.2",), "1.1.1.2": ("1.1.1.1",)})
    monkeypatch.setattr("scoring.ec_numbers.load_ec_facts", lambda: facts)
    assert current_number("1.1.1.1") == "1.1.1.1"


def test_every_transfer_ends_and_every_number_of_the_facts_is_read():
    facts = load_ec_facts()
    for old, new in facts.replaced.items():
        assert current_number(current_number(old)) == current_number(old)
        assert all(read_code(number).code == number for number in (old, *new))
    padded = {read_code(number).code for number in facts.valid}
    assert len(padded) == len(facts.valid)
    assert not facts.valid & (facts.replaced.keys() | facts.deleted)


@given(st.text(alphabet="0123456789.-xnB*? EC", max_size=20))
def test_a_number_read_is_read_again_as_itself(text):
    code, reason = read_code(text)
    assert (reason == "ok") == bool(code)
    assert not code or read_code(code) == (code, "ok")
