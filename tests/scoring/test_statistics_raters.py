"""Agreement of a judge with people, against scipy, scikit-learn and krippendorff."""

from __future__ import annotations

import random

import pytest

from scoring.statistics import agreement, cohen_kappa, krippendorff_alpha, spearman
from scoring.statistics.raters import interval_alpha

SCALE = list(range(0, 101, 5))


def ratings(n=60, people=2, seed=3):
    draw = random.Random(seed)
    truth = [draw.choice(SCALE) for _ in range(n)]

    def rater(noise, gaps):
        return [
            None if gaps and draw.random() < 0.2 else min(100, max(0, t + draw.choice(noise)))
            for t in truth
        ]

    judge = rater([-20, 0, 10, 25], False)
    return judge, [rater([-10, 0, 10], place > 0) for place in range(people)]


def test_spearman_equals_scipy():
    stats = pytest.importorskip("scipy.stats")
    judge, (person,) = ratings(people=1)
    assert spearman(judge, person) == pytest.approx(stats.spearmanr(judge, person).statistic)
    assert spearman([1, 1, 1], [1, 2, 3]) is None


def test_kappa_equals_the_one_over_categories():
    judge, (person,) = ratings(people=1)
    found = agreement(judge, [person], resamples=50)["quadratic_kappa"].value
    whole = cohen_kappa(judge, person, order=list(range(101)), weights="quadratic")
    assert found == pytest.approx(whole)


def test_alpha_equals_the_package_with_gaps():
    numpy = pytest.importorskip("numpy")
    judge, people = ratings(people=3)
    found = agreement(judge, people, resamples=50)
    assert found["krippendorff_alpha"].value == pytest.approx(
        krippendorff_alpha([judge, *people], level="interval")
    )
    assert found["people_alpha"].value == pytest.approx(
        krippendorff_alpha(people, level="interval")
    )
    assert numpy.isnan(interval_alpha(numpy.array([[1.0, numpy.nan], [2.0, numpy.nan]])))
    assert numpy.isnan(interval_alpha(numpy.array([[5.0, 5.0], [5.0, 5.0]])))


def test_bias_and_error_by_hand():
    found = agreement([50, 100, 0, 30], [[40, 100, 10, 0]], resamples=100)
    assert found["bias"].value == pytest.approx((10 + 0 - 10 + 30) / 4)
    assert found["mae"].value == pytest.approx((10 + 0 + 10 + 30) / 4)
    assert all(each.n == 4 for each in found.values())


def test_intervals_hold_the_value_and_shrink_with_n():
    widths = []
    for n in (20, 320):
        judge, people = ratings(n=n, people=1)
        found = agreement(judge, people, resamples=400)
        for each in found.values():
            assert each.low <= each.value <= each.high
        widths.append(found["bias"].high - found["bias"].low)
    assert widths[1] < widths[0] / 2


def test_a_judge_that_copies_people_agrees_wholly():
    _, (person,) = ratings(people=1)
    found = agreement(person, [person], resamples=50)
    values = {name: each.value for name, each in found.items()}
    assert values == pytest.approx(
        {
            "bias": 0,
            "mae": 0,
            "spearman": 1,
            "quadratic_kappa": 1,
            "krippendorff_alpha": 1,
        }
    )


def test_answers_to_one_question_are_drawn_together():
    judge, people = ratings(n=40, people=1)
    doubled = agreement(
        judge * 2, [people[0] * 2], clusters=[*range(40), *range(40)], resamples=400
    )
    single = agreement(judge, people, clusters=list(range(40)), resamples=400)
    assert (doubled["bias"].low, doubled["bias"].high) == pytest.approx(
        (single["bias"].low, single["bias"].high)
    )


def test_one_unit_has_no_interval():
    found = agreement([50], [[40]])
    assert (found["bias"].value, found["bias"].low) == (10, None)
    assert found["spearman"].value is None


@pytest.mark.parametrize(
    ("judge", "people", "message"),
    [([1, 2], [[1]], "each unit"), ([1, 2], [[1, None]], "unit 1 was rated by nobody")],
)
def test_what_does_not_fit_is_refused(judge, people, message):
    with pytest.raises(ValueError, match=message):
        agreement(judge, people)
