"""Bootstrap intervals against scipy, and by coverage where cases are related."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.statistics import bootstrap_interval, bootstrap_sums

numpy = pytest.importorskip("numpy")


def micro_f1(rows):
    true, false, missed = rows.sum(axis=0)
    return 2 * true / (2 * true + false + missed) if true + false + missed else numpy.nan


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_equals_scipy(method):
    stats = pytest.importorskip("scipy.stats")
    data = numpy.random.default_rng(5).beta(4, 1, 60)
    found = bootstrap_interval(data, numpy.mean, method=method, resamples=8_000)
    name = {"bca": "BCa", "percentile": "percentile"}[method]
    reference = stats.bootstrap((data,), numpy.mean, method=name, n_resamples=8_000, rng=1)
    expected = reference.confidence_interval
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.004)


def test_pooled_figure_of_counts():
    rows = numpy.array([[3, 1, 0], [2, 0, 1], [0, 2, 2], [4, 0, 0], [1, 1, 1]] * 8)
    found = bootstrap_interval(rows, micro_f1)
    assert found.mean == pytest.approx(2 * 10 / (2 * 10 + 4 + 4))
    assert 0 < found.low < found.mean < found.high < 1


def test_seed_makes_it_repeatable():
    data = numpy.random.default_rng(5).random(30)
    first = bootstrap_interval(data, numpy.mean, resamples=300, seed=1)
    assert first == bootstrap_interval(data, numpy.mean, resamples=300, seed=1)
    assert first != bootstrap_interval(data, numpy.mean, resamples=300, seed=2)


def test_clusters_of_copies_are_as_wide_as_their_cases():
    data = numpy.random.default_rng(5).random(40)
    alone = bootstrap_interval(data, numpy.mean, resamples=1_000)
    copies = bootstrap_interval(
        numpy.repeat(data, 5), numpy.mean, clusters=numpy.repeat(range(40), 5), resamples=1_000
    )
    blind = bootstrap_interval(numpy.repeat(data, 5), numpy.mean, resamples=1_000)
    assert copies.high - copies.low == pytest.approx(alone.high - alone.low, rel=0.1)
    assert blind.high - blind.low < 0.6 * (alone.high - alone.low)


def test_bca_covers_a_skewed_mean():
    draw = numpy.random.default_rng(8)
    covered = 0
    for trial in range(300):
        found = bootstrap_interval(draw.beta(5, 1, 50), numpy.mean, resamples=400, seed=trial)
        covered += found.low <= 5 / 6 <= found.high
    assert 0.89 <= covered / 300 <= 0.985


@settings(max_examples=25)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=30), st.sampled_from(["bca", "percentile"]))
def test_interval_holds_the_value(values, method):
    found = bootstrap_interval(values, numpy.mean, method=method, resamples=100)
    assert min(values) - 1e-12 <= found.low <= found.mean <= found.high <= max(values) + 1e-12


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap_interval([1.0], numpy.mean), "at least 2"),
        (lambda: bootstrap_interval([1, 0], numpy.mean, clusters=["a", "a"]), "at least 2"),
        (lambda: bootstrap_interval([1, 0], numpy.mean, clusters=["a"]), "its cluster"),
        (lambda: bootstrap_interval([1, 0], lambda rows: numpy.nan), "undefined"),
        (lambda: bootstrap_interval([1, 0], numpy.mean, confidence=95), "confidence"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("clusters", [None, [n % 13 for n in range(60)]])
def test_sums_of_draws_spread_like_those_of_drawn_rows(clusters):
    rows = numpy.random.default_rng(4).integers(0, 4, (60, 3))
    drawn = bootstrap_sums(rows, clusters=clusters, resamples=20_000)
    true, false, missed = drawn.T
    figures = 2 * true / (2 * true + false + missed)
    row_by_row = bootstrap_interval(
        rows, micro_f1, clusters=clusters, method="percentile", resamples=20_000, seed=1
    )
    ends = numpy.quantile(figures, (0.025, 0.975))
    assert ends == pytest.approx([row_by_row.low, row_by_row.high], abs=0.004)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=30),
    st.integers(0, 9),
)
@settings(max_examples=50, deadline=None)
def test_a_draw_takes_as_many_rows_as_there_are(pairs, seed):
    rows = numpy.array([(1, *pair) for pair in pairs])
    drawn = bootstrap_sums(rows, resamples=20, seed=seed)
    assert drawn.shape == (20, 3)
    assert set(drawn[:, 0]) == {len(pairs)}
    for column in (1, 2):
        least, most = rows[:, column].min(), rows[:, column].max()
        assert (drawn[:, column] >= len(pairs) * least).all()
        assert (drawn[:, column] <= len(pairs) * most).all()


@pytest.mark.parametrize("counts", [[], [1, 2, 3]])
def test_sums_need_a_matrix(counts):
    with pytest.raises(ValueError, match="shape"):
        bootstrap_sums(counts)
