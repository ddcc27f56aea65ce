"""Prices: each call alone, unknown never 0, and a worst case that no call exceeds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curieval.models.prices import Fixed, Free, Listed, Unknown
from curieval.models.types import Usage

HAIKU = Listed(model="claude-haiku-4-5", provider="anthropic")


def test_listed_prices_follow_the_published_table():
    # USD per million tokens of Claude Haiku 4.5: 1.00 in, 5.00 out, 0.10 cached, 1.25 written.
    usage = Usage(tokens_in=10_000, tokens_out=1_000, tokens_cached=4_000, tokens_cache_write=1_000)
    expected = (5_000 * 1.00 + 4_000 * 0.10 + 1_000 * 1.25 + 1_000 * 5.00) / 1e6
    assert HAIKU.cost(usage) == pytest.approx(expected)


def test_fixed_prices():
    price = Fixed(input=2.0, output=10.0, cached=0.5)
    usage = Usage(tokens_in=1_000, tokens_out=100, tokens_cached=400)
    assert price.cost(usage) == pytest.approx((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6)
    assert Fixed(input=2.0, output=10.0).cost(usage) == pytest.approx((1_000 * 2 + 1_000) / 1e6)


def test_unknown_is_not_free():
    known = Usage(tokens_in=1, tokens_out=1)
    assert Unknown().cost(known) is None
    assert Unknown().worst(tokens_in=1, tokens_out=1) is None
    assert Listed(model="nobody-lists-this").cost(known) is None
    assert Listed(model="nobody-lists-this").worst(tokens_in=1, tokens_out=1) is None
    assert HAIKU.cost(Usage()) is None
    assert HAIKU.cost(Usage(tokens_in=5)) is None
    assert Fixed(input=1, output=1).cost(Usage()) is None
    assert Free().cost(Usage()) == 0.0


@given(
    tokens_in=st.integers(0, 10**6),
    tokens_out=st.integers(0, 10**5),
    cached=st.floats(0, 1),
    written=st.floats(0, 1),
    price=st.sampled_from([HAIKU, Fixed(input=3, output=15), Fixed(input=1, output=2, cached=4)]),
)
def test_no_call_costs_more_than_its_worst_case(tokens_in, tokens_out, cached, written, price):
    read = int(tokens_in * cached)
    usage = Usage(
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=read,
        tokens_cache_write=int((tokens_in - read) * written),
    )
    worst = price.worst(tokens_in=tokens_in, tokens_out=tokens_out)
    assert price.cost(usage) <= worst + 1e-12
