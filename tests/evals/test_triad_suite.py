"""Building a suite: strata, duplicates, cuts and the seed, as the data card states them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.env_triad.cases import TEMPLATE_WORDS, TriadRow
from evals.env_triad.suite import GOLD_PATH, INPUTS, Sample, build_suite, clean_value, template_word
from scoring.facts import SLOTS

TUNDRA = "tundra biome [ENVO:01000180]"
FOREST = "forest biome [ENVO:01000174]"
SOIL = "soil [ENVO:00001998]"


def samples(count, value=TUNDRA, *, start=0, **fields):
    base = dict.fromkeys(INPUTS, "") | {"sampleData": "soil_data", "env_broad_scale": value}
    return [
        Sample(place=f"t.tsv:{n + 2}", fields=base | {"notes": f"note {n}"} | fields)
        for n in range(start, start + count)
    ]


def build(given_samples, slot="env_broad_scale", per_category=10, min_pool=10, seed=42):
    return build_suite(
        given_samples, slot=slot, per_category=per_category, min_pool=min_pool, seed=seed
    )


def test_strata_are_drawn_in_sorted_order_by_one_generator():
    pools = {TUNDRA: samples(30, TUNDRA), FOREST: samples(12, FOREST, start=100)}
    suite = build([*pools[TUNDRA], *pools[FOREST]])
    chance = random.Random(42)
    expected = [
        (value, each.fields["notes"])
        for value in sorted(pools)
        for each in chance.sample(pools[value], 10)
    ]
    assert [(row["reference"], row["notes"]) for row in suite.rows] == expected
    assert [(each.value, each.pool, each.taken) for each in suite.kept] == [
        (FOREST, 12, 10),
        (TUNDRA, 30, 10),
    ]


def test_the_same_seed_draws_the_same_and_another_another():
    pool = samples(50)
    assert build(pool).rows == build(pool).rows
    assert build(pool).rows != build(pool, seed=43).rows


def test_values_with_small_pools_are_left_out_and_listed():
    suite = build([*samples(9, FOREST), *samples(10, TUNDRA)])
    assert [(each.value, each.pool) for each in suite.left_out] == [(FOREST, 9)]
    assert {row["reference"] for row in suite.rows} == {TUNDRA}
    assert len(build(samples(3), min_pool=1).rows) == 3


def test_rows_without_the_target_or_a_template_are_dropped():
    suite = build([*samples(10), *samples(4, "  "), *samples(3, "__"), *samples(2, sampleData=" ")])
    assert (suite.read, suite.without_target, suite.without_template) == (19, 7, 2)


def test_indentation_makes_no_stratum_of_its_own():
    suite = build([*samples(5, f"____{TUNDRA}"), *samples(5, f" {TUNDRA} ", start=5)])
    assert [(each.value, each.pool) for each in suite.kept] == [(TUNDRA, 10)]
    assert {row["reference"] for row in suite.rows} == {TUNDRA}


def test_samples_count_once_for_each_prompt():
    repeated = samples(10) + samples(10) + samples(2, FOREST) + samples(1, SOIL)
    suite = build(repeated, min_pool=1)
    assert (suite.read, suite.duplicates, suite.contradictory) == (23, 10, 2)
    assert [each.pool for each in suite.kept] == [2, 1, 10]


def test_what_the_prompt_does_not_show_makes_no_difference():
    shown_alike = [
        Sample(
            place=each.place, fields=each.fields | {"ecosystem": each.place, "notes": "  x \n y "}
        )
        for each in samples(5)
    ] + samples(1, notes="x y")
    assert build(shown_alike, min_pool=1).duplicates == 5


def test_the_two_other_slots_are_shown_and_tell_samples_apart():
    differing = samples(1, notes="", env_medium=SOIL) + samples(1, notes="", env_local_scale=SOIL)
    suite = build(differing, min_pool=1)
    assert suite.duplicates == 0
    for_medium = build(differing, slot="env_medium", min_pool=1)
    (row,) = for_medium.rows
    assert row["reference"] == SOIL
    assert row["env_broad_scale"] == TUNDRA
    assert "env_medium" not in row
    assert for_medium.without_target == 1


@pytest.mark.parametrize(("length", "shown"), [(499, 499), (500, 500), (501, 500), (9000, 500)])
def test_long_descriptions_are_cut_to_497_and_three_dots(length, shown):
    text = ("ab" * length)[:length]
    (row,) = build(samples(1, description=text), min_pool=1).rows
    assert len(row["description"]) == shown
    if length > 500:
        assert row["description"] == text[:497] + "..."
    else:
        assert row["description"] == text


def test_descriptions_that_differ_beyond_the_cut_are_one():
    longer = [samples(1, notes="", description="a" * 600 + end)[0] for end in "xyz"]
    assert build(longer, min_pool=1).duplicates == 2


def test_rows_are_rows_of_a_case_file():
    suite = build([*samples(12), *samples(11, SOIL, env_medium=SOIL, start=50)])
    rows = [TriadRow.model_validate(row) for row in suite.rows]
    assert len({row.id for row in rows}) == 20
    assert not any(name in row for row in suite.rows for name in GOLD_PATH)
    assert rows[-1].why.startswith("the source's own value, t.tsv:")


def test_ids_hold_words_that_select_and_no_word_of_another_kind():
    suite = build(
        [
            *samples(1, "agricultural soil [ENVO:00002259]"),
            *samples(1, "temperate woodland biome [ENVO:01000221]", start=5),
            *samples(1, "soil [ENVO:00001998]", start=7),
            *samples(1, "fresh water [ENVO:00002011]", start=9, sampleData="water_data"),
            *samples(1, "área árida [ENVO:1]", start=11, sampleData="built_env_data"),
        ],
        min_pool=1,
    )
    ids = {row["reference"]: row["id"] for row in suite.rows}
    assert ids["agricultural soil [ENVO:00002259]"] == "soil-broad-agricultural-01"
    assert ids["temperate woodland biome [ENVO:01000221]"] == "soil-broad-temperate-woodland-01"
    assert ids["soil [ENVO:00001998]"] == "soil-broad-00001998-01"
    assert ids["fresh water [ENVO:00002011]"] == "water-broad-fresh-01"
    assert all(each.isascii() for each in ids.values())
    words = [*TEMPLATE_WORDS.values(), "broad", "local", "medium"]
    for each in ids.values():
        assert sum(word in each for word in words) <= 2


def test_two_values_of_one_word_get_ids_of_their_own():
    suite = build(
        [
            *samples(1, "the lake [ENVO:00000020]"),
            *samples(1, "lake area [ENVO:00000021]", start=3),
        ],
        min_pool=1,
    )
    assert len({row["id"] for row in suite.rows}) == 2
    assert len({row["value_group"] for row in suite.rows}) == 2


def test_templates_have_a_word_each():
    assert template_word("soil_data") == "soil"
    assert template_word("built_env_data") == "built"
    assert template_word("wastewater_sludge_data") == "sludge"
    assert template_word("???") == "other"


@pytest.mark.parametrize("settings", [{"slot": "ecosystem"}, {"per_category": 0}, {"min_pool": 0}])
def test_settings_that_will_not_do(settings):
    with pytest.raises(ValueError, match=r"use env_broad_scale|at least 1"):
        build(samples(1), **settings)


texts = st.text(st.characters(codec="utf-8"), max_size=12)


@given(
    st.lists(st.fixed_dictionaries(dict.fromkeys(INPUTS, texts)), max_size=30),
    st.sampled_from(SLOTS),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_every_row_is_accounted_for(rows, slot, per_category, min_pool):
    given_samples = [Sample(place=f"t:{n}", fields=row) for n, row in enumerate(rows)]
    suite = build(given_samples, slot, per_category, min_pool)
    pools = sum(each.pool for each in (*suite.kept, *suite.left_out))
    dropped = suite.without_target + suite.without_template + suite.duplicates
    assert suite.read == len(rows) == pools + dropped
    assert len(suite.rows) == sum(each.taken for each in suite.kept)
    assert all(each.taken == min(per_category, each.pool) for each in suite.kept)
    assert all(each.pool < min_pool for each in suite.left_out)
    assert all(row["reference"] == clean_value(row["reference"]) != "" for row in suite.rows)
    assert len({row["id"] for row in suite.rows}) == len(suite.rows)
