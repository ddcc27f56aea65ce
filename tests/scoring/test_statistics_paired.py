"""Paired comparison against scipy and statsmodels, by simulation, and by its symmetries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.statistics import (
    holm,
    mcnemar,
    minimum_detectable_difference,
    paired_difference,
    permutation_test,
)

counts = st.integers(0, 60)
scores = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("gained", "lost"), [(0, 0), (0, 5), (3, 3), (2, 20), (40, 60), (600, 500)]
)
def test_mcnemar_equals_statsmodels_and_the_binomial(gained, lost):
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    binomial = pytest.importorskip("scipy.stats").binom
    found = mcnemar(gained, lost)
    if gained + lost:
        exact = tables.mcnemar([[9, lost], [gained, 9]], exact=True).pvalue
        assert found.exact == pytest.approx(exact, rel=1e-9)
        # Mid-p by its definition: exact p less the probability of the observed table.
        point = binomial.pmf(min(gained, lost), gained + lost, 0.5)
        tail = binomial.cdf(min(gained, lost), gained + lost, 0.5)
        assert found.mid_p == pytest.approx(min(1, 2 * tail - point), rel=1e-9)
    else:
        assert (found.exact, found.mid_p) == (1, 1)


@given(counts, counts)
def test_mcnemar_is_symmetric_and_mid_p_is_the_smaller(gained, lost):
    one, other = mcnemar(gained, lost), mcnemar(lost, gained)
    assert (one.exact, one.mid_p) == (other.exact, other.mid_p)
    assert 0 < one.mid_p <= one.exact <= 1


def test_false_alarms_of_the_paired_tests():
    """No difference, n = 200, a fifth of the pairs discordant: alarms at 5 %, by exact sums."""
    binomial = pytest.importorskip("scipy.stats").binom
    exact = mid_p = 0.0
    for discordant in range(120):
        weight = binomial.pmf(discordant, 200, 0.2)
        for gained in range(discordant + 1):
            found = mcnemar(gained, discordant - gained)
            chance = weight * binomial.pmf(gained, discordant, 0.5)
            exact += chance * (found.exact <= 0.05)
            mid_p += chance * (found.mid_p <= 0.05)
    assert exact <= 0.05
    assert 0.04 <= mid_p <= 0.06


def test_permutation_by_hand():
    # Eight sign patterns; only +++ and --- reach the observed sum.
    assert permutation_test([1, 2, 3]) == 2 / 8
    # 3 - 1 = 2 is reached or passed by 4, 2, -2 and -4: all of the four patterns.
    assert permutation_test([3, -1]) == 1
    assert permutation_test([0, 0]) == 1


def test_permutation_equals_scipy():
    stats = pytest.importorskip("scipy.stats")
    differences = [0.3, -0.1, 0.25, 0.4, -0.05, 0.2, 0.15, 0.0, 0.35]
    reference = stats.permutation_test(
        (differences,), lambda x: sum(x), permutation_type="samples", n_resamples=9_999
    )
    assert permutation_test(differences) == pytest.approx(reference.pvalue)


def test_permutation_of_flips_comes_near_the_exact_test():
    differences = [1.0] * 30 + [-1.0] * 15
    assert permutation_test(differences) == pytest.approx(mcnemar(30, 15).exact, abs=0.01)
    assert permutation_test(differences) == permutation_test(differences)


@given(st.lists(st.floats(-1, 1), max_size=12))
def test_permutation_has_no_side(differences):
    p = permutation_test(differences)
    assert 0 < p <= 1
    assert p == permutation_test([-each for each in differences])


@given(scores)
def test_difference_mirrors_and_holds_its_mean(pairs):
    before, after = zip(*pairs, strict=True)
    found, mirrored = paired_difference(before, after), paired_difference(after, before)
    assert -1 <= found.low <= found.mean <= found.high <= 1
    assert mirrored.mean == pytest.approx(-found.mean, abs=1e-12)
    assert mirrored.low == pytest.approx(-found.high, abs=1e-6)


def test_no_flips_still_leave_doubt():
    found = paired_difference([1.0] * 160 + [0.0] * 40, [1.0] * 160 + [0.0] * 40)
    assert found.mean == 0
    assert -0.02 < found.low < 0 < found.high < 0.02


def test_difference_comes_near_the_t_interval():
    numpy = pytest.importorskip("numpy")
    stats = pytest.importorskip("scipy.stats")
    draw = numpy.random.default_rng(3)
    before = draw.random(400)
    after = numpy.clip(before + draw.normal(0.05, 0.2, 400), 0, 1)
    found = paired_difference(before, after)
    low, high = stats.ttest_rel(after, before).confidence_interval()
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.003)


@pytest.mark.parametrize(("gain", "loss"), [(0.1, 0.1), (0.05, 0.15), (0.02, 0.04)])
def test_difference_covers(gain, loss):
    numpy = pytest.importorskip("numpy")
    draw = numpy.random.default_rng(11)
    covered = 0
    for _ in range(800):
        steps = draw.choice([1.0, -1.0, 0.0], 200, p=[gain, loss, 1 - gain - loss])
        found = paired_difference(numpy.maximum(-steps, 0), numpy.maximum(steps, 0))
        covered += found.low <= gain - loss <= found.high
    assert 0.92 <= covered / 800 <= 0.985


def test_holm_equals_statsmodels():
    multiple = pytest.importorskip("statsmodels.stats.multitest")
    p_values = [0.001, 0.04, 0.03, 0.2, 0.9, 0.03]
    expected = multiple.multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(expected))


@given(st.lists(st.floats(0, 1), max_size=20), st.randoms(use_true_random=False))
def test_holm_keeps_order_and_never_lowers(p_values, random):
    adjusted = holm(p_values)
    assert all(a >= p for a, p in zip(adjusted, p_values, strict=True))
    assert sorted(adjusted) == [a for _, a in sorted(zip(p_values, adjusted, strict=True))]
    places = list(range(len(p_values)))
    random.shuffle(places)
    assert sorted(holm([p_values[place] for place in places])) == sorted(adjusted)


def test_detectable_difference_equals_statsmodels():
    power = pytest.importorskip("statsmodels.stats.power")
    found = minimum_detectable_difference(200, spread=0.4)
    assert power.NormalIndPower(ddof=0).power(found / 0.4, 200, 0.05, ratio=0) == pytest.approx(
        0.8, abs=1e-4
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: paired_difference([1], [1, 0]),
        lambda: mcnemar(-1, 2),
        lambda: permutation_test([float("nan")]),
        lambda: holm([1.2]),
        lambda: minimum_detectable_difference(0, spread=1),
    ],
)
def test_what_makes_no_sense_is_refused(call):
    with pytest.raises(ValueError, match=r"pairs|negative|finite|between|at least"):
        call()
