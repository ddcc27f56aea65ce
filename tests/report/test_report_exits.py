"""Exit codes: the first that applies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curieval.report import Facts, exit_code

RANKED = [
    ({"usage_error": True}, 4),
    ({"internal_error": True}, 3),
    ({"interrupted": True}, 2),
    ({"budget_reached": True}, 12),
    ({"asked": 100, "failed": 3}, 11),
    ({"worse_than_baseline": True}, 10),
    ({"threshold_missed": True}, 1),
    ({"below_pass_mark": True}, 1),
    ({"test_failed": True}, 1),
    ({"nothing_collected": True}, 5),
]


@pytest.mark.parametrize(("fact", "code"), RANKED)
def test_each(fact, code):
    assert exit_code(Facts(**fact)) == code


def test_fine():
    assert exit_code(Facts()) == 0


@given(st.sets(st.integers(0, len(RANKED) - 1), min_size=1))
def test_the_first_that_applies(places):
    facts = {}
    for place in places:
        facts.update(RANKED[place][0])
    assert exit_code(Facts(**facts)) == RANKED[min(places)][1]


@pytest.mark.parametrize(
    ("asked", "failed", "code"), [(100, 2, 0), (100, 3, 11), (1, 1, 11), (0, 0, 0), (149, 2, 0)]
)
def test_a_few_unscored_are_fine(asked, failed, code):
    assert exit_code(Facts(asked=asked, failed=failed)) == code
