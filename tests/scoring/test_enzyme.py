"""Hierarchical micro-F1: the vectors, the rules, other libraries, and what always holds."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.enzyme import bootstrap_micro_f1, hierarchical_micro_f1

VECTORS = Path(__file__).parents[1] / "vectors" / "ec.jsonl"
RENAMED = {"pooled_f1": "f1"}


def vectors(*kinds):
    with VECTORS.open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["kind"] in kinds]
    return [pytest.param(row, id=row["id"]) for row in rows]


def check(score, expected):
    for name, value in expected.items():
        if name == "levels":
            for level, counts in value.items():
                check(score.levels[int(level)], counts)
        elif isinstance(value, dict):
            check(getattr(score, name), value)
        else:
            found = getattr(score, RENAMED.get(name, name))
            exact = value is None or isinstance(value, bool | int)
            assert found == (value if exact else pytest.approx(value, abs=1e-12, rel=0)), name


@pytest.mark.parametrize("row", vectors("per_protein", "edge"))
def test_vectors_of_one_protein(row):
    score = hierarchical_micro_f1(
        reference=[row["input"]["true"]], prediction=[row["input"]["pred"]]
    )
    check(score.per_protein[0], row["expected"])


@pytest.mark.parametrize("row", vectors("micro", "per_level"))
def test_vectors_of_many_proteins(row):
    score = hierarchical_micro_f1(reference=row["input"]["true"], prediction=row["input"]["pred"])
    check(score, row["expected"])


@pytest.mark.parametrize("row", vectors("micro_open_partial"))
def test_vectors_of_open_partial_references(row):
    score = hierarchical_micro_f1(
        reference=row["input"]["true"],
        prediction=row["input"]["pred"],
        partial_reference="open",
    )
    check(score, row["expected"])


def test_nothing_to_count_is_none_and_no_protein_has_no_accuracy():
    score = hierarchical_micro_f1(reference=[], prediction=[])
    assert (score.n, score.f1, score.mean_level_f1) == (0, None, None)
    assert (score.exact_set_accuracy, score.abstention_accuracy) == (None, None)
    assert score.counts.shape == (0, 12)


def test_correct_abstention_adds_nothing_and_stands_apart():
    score = hierarchical_micro_f1(
        reference=[["1.1.1.1"], [], [], []], prediction=[["1.1.1.1"], [], ["2.7.-.-"], []]
    )
    assert score.abstention_accuracy == pytest.approx(2 / 3)
    assert (score.total.tp, score.total.fp, score.total.fn) == (4, 2, 0)


def test_open_partial_reference_spares_its_path_only():
    sides = {"reference": [["3.4.-.-"]], "prediction": [["3.4.21.4", "3.5.1.1"]]}
    closed = hierarchical_micro_f1(**sides).total
    opened = hierarchical_micro_f1(**sides, partial_reference="open").total
    assert (closed.tp, closed.fp, closed.fn) == (2, 5, 0)
    assert (opened.tp, opened.fp, opened.fn) == (2, 3, 0)


def test_transferred_and_deleted_numbers_are_scored_as_written_and_flagged():
    score = hierarchical_micro_f1(
        reference=[["7.1.2.2"], ["1.1.1.74"], ["1.1.1.5"]],
        prediction=[["3.6.3.14"], ["1.1.1.74"], ["1.1.1.303"]],
    )
    assert score.f1 == pytest.approx((0 + 8 + 6) / 24)
    assert score.transferred == {
        "3.6.3.14": ("7.1.2.2",),
        "1.1.1.5": ("1.1.1.303", "1.1.1.304"),
    }
    assert score.deleted == ("1.1.1.74",)
    assert score.n_mapped == 0


def test_one_to_one_transfers_are_mapped_on_both_sides_along_chains():
    # 1.6.99.5 went to 1.6.5.11 and that to 1.6.5.9; 1.1.1.5 was split, so it stays.
    score = hierarchical_micro_f1(
        reference=[["1.6.5.9"], ["3.6.3.14"], ["1.1.1.5"]],
        prediction=[["1.6.99.5", "1.6.99.5"], ["7.1.2.2"], ["1.1.1.5"]],
        map_transferred=True,
    )
    assert (score.f1, score.exact_set_accuracy, score.n_mapped) == (1.0, 1.0, 3)


@pytest.mark.parametrize(
    ("reference", "prediction", "message"),
    [
        ([["1.1.1.1"]], [], "1 references and 0 predictions"),
        (["1.1.1.1"], [["1.1.1.1"]], r"reference\[0\] is '1.1.1.1'; give a list"),
        ([["1.1.1.1"], None], [[], []], r"reference\[1\] is None; give a list"),
        ([[], []], [[], ["EC1.1.1.1", "no"]], r"prediction\[1\]: 'no' is no EC number"),
        ([[1.1]], [[]], r"reference\[0\]: 1.1 is no text"),
        ([["8.1.1.1"]], [[]], "no_such_class"),
        ([["-.-.-.-"]], [[]], "explicit_none"),
    ],
)
def test_bad_input_is_named(reference, prediction, message):
    with pytest.raises(ValueError, match=message):
        hierarchical_micro_f1(reference=reference, prediction=prediction)


def test_an_unknown_option_is_named():
    with pytest.raises(ValueError, match="use 'closed' or 'open'"):
        hierarchical_micro_f1(reference=[], prediction=[], partial_reference="ajar")


def prefixes(numbers):
    """Prefix sets by plain string work, a second way to count."""
    found = set()
    for number in numbers:
        fields = [field for field in number.split(".") if field != "-"]
        found |= {".".join(fields[: depth + 1]) for depth in range(len(fields))}
    return found


def random_corpus(seed, *, least=0):
    chance = random.Random(seed)
    serials = ["1", "2", "11", "n2", "B5"]

    def number():
        fields = [
            str(chance.randint(1, 7)),
            chance.choice(["1", "7", "11"]),
            chance.choice(["1", "11"]),
            chance.choice(serials),
        ]
        depth = chance.choice([1, 2, 3, 4, 4, 4, 4])
        return ".".join(fields[:depth] + ["-"] * (4 - depth))

    def side():
        return [
            [number() for _ in range(chance.choice([least, 1, 1, 1, 2, 3]))] for _ in range(size)
        ]

    size = chance.randint(2, 12)
    reference, prediction = side(), side()
    for place in range(size):
        if chance.random() < 0.4:
            prediction[place] = list(reference[place])
    return reference, prediction


@pytest.mark.parametrize("start", range(0, 1000, 100))
def test_agrees_with_scikit_learn(start):
    from sklearn.metrics import multilabel_confusion_matrix, precision_recall_fscore_support
    from sklearn.preprocessing import MultiLabelBinarizer

    for seed in range(start, start + 100):
        reference, prediction = random_corpus(seed)
        score = hierarchical_micro_f1(reference=reference, prediction=prediction)
        true, pred = [list(map(prefixes, side)) for side in (reference, prediction)]
        labels = sorted(set().union(*true, *pred))
        if not labels:
            assert score.f1 is None
            continue
        # One column alone would be read as binary, so a second one that is never set stands by.
        binarizer = MultiLabelBinarizer(classes=[*labels, "none"])
        y_true, y_pred = binarizer.fit_transform(true), binarizer.transform(pred)
        *ours, _ = precision_recall_fscore_support(y_true, y_pred, average="micro", zero_division=0)
        assert (score.precision, score.recall, score.f1) == pytest.approx(ours, abs=1e-12)
        confusion = multilabel_confusion_matrix(y_true, y_pred)
        for level, counts in score.levels.items():
            of_level = [
                place for place, label in enumerate(labels) if label.count(".") + 1 == level
            ]
            (_, fp), (fn, tp) = confusion[of_level].sum(axis=0)
            assert (counts.tp, counts.fp, counts.fn) == (tp, fp, fn)


@pytest.mark.parametrize("start", range(0, 1000, 100))
def test_agrees_with_hiclass(start):
    from hiclass.metrics import f1, precision, recall

    def paths(side):
        array = np.full((len(side), 3, 4), "", dtype="U16")
        for row, numbers in enumerate(side):
            for path, number in enumerate(numbers):
                fields = number.split(".")
                depth = 4 - fields.count("-")
                array[row, path, :depth] = [".".join(fields[: end + 1]) for end in range(depth)]
        return array

    for seed in range(start, start + 100):
        # hiclass cannot divide by no prediction, so each protein has one here.
        reference, prediction = random_corpus(seed, least=1)
        score = hierarchical_micro_f1(reference=reference, prediction=prediction)
        y_true, y_pred = paths(reference), paths(prediction)
        theirs = [
            precision(y_true, y_pred, "micro"),
            recall(y_true, y_pred, "micro"),
            f1(y_true, y_pred, "micro", zero_division=0.0),
        ]
        assert [score.precision, score.recall, score.f1] == pytest.approx(theirs, abs=1e-12)


FIELDS = st.tuples(
    st.integers(1, 7).map(str),
    st.sampled_from(["1", "7", "11", "99"]),
    st.sampled_from(["1", "11", "99"]),
    st.sampled_from(["1", "2", "11", "999", "n1", "n2", "B2"]),
)
NUMBERS = st.builds(
    lambda fields, depth: ".".join([*fields[:depth], *["-"] * (4 - depth)]),
    FIELDS,
    st.integers(1, 4),
)
CORPORA = st.lists(
    st.tuples(st.lists(NUMBERS, max_size=4), st.lists(NUMBERS, max_size=4)), max_size=8
)
RULES = st.sampled_from(["closed", "open"])


def score_pairs(pairs, rule="closed"):
    return hierarchical_micro_f1(
        reference=[reference for reference, _ in pairs],
        prediction=[prediction for _, prediction in pairs],
        partial_reference=rule,
    )


@given(CORPORA)
def test_counts_are_those_of_sets_of_prefixes(pairs):
    score = score_pairs(pairs)
    for protein, (reference, prediction) in zip(score.per_protein, pairs, strict=True):
        true, pred = prefixes(reference), prefixes(prediction)
        assert protein.total.tp == len(true & pred)
        assert protein.total.fp == len(pred - true)
        assert protein.total.fn == len(true - pred)
        assert protein.exact_set == (true == pred)
        deepest = max((prefix.count(".") + 1 for prefix in true & pred), default=0)
        assert protein.deepest_match == deepest


@given(CORPORA)
def test_open_forgives_exactly_what_lies_below_a_partial_reference(pairs):
    for protein, (reference, prediction) in zip(
        score_pairs(pairs, "open").per_protein, pairs, strict=True
    ):
        true, pred = prefixes(reference), prefixes(prediction)
        ends = [number.replace(".-", "") + "." for number in reference if "-" in number]
        extra = {p for p in pred - true if not any(p.startswith(end) for end in ends)}
        assert protein.total.fp == len(extra)
        assert protein.total.tp == len(true & pred)


@given(CORPORA, RULES, st.randoms(use_true_random=False))
def test_order_and_duplicates_change_nothing(pairs, rule, chance):
    score = score_pairs(pairs, rule)
    other = [(reference * 2, prediction * 2) for reference, prediction in pairs]
    for reference, prediction in other:
        chance.shuffle(reference)
        chance.shuffle(prediction)
    chance.shuffle(other)
    again = score_pairs(other, rule)
    assert (again.total, again.levels) == (score.total, score.levels)
    assert again.exact_set_accuracy == score.exact_set_accuracy


@given(CORPORA, RULES)
def test_figures_stay_in_bounds(pairs, rule):
    score = score_pairs(pairs, rule)
    figures = [score.precision, score.recall, score.f1, score.mean_level_f1]
    figures += [score.exact_set_accuracy, score.abstention_accuracy]
    assert all(0 <= figure <= 1 for figure in figures if figure is not None)
    shared = [counts.tp > 0 for counts in score.levels.values()]
    assert shared == sorted(shared, reverse=True)
    assert score.total.tp == int(score.counts[:, 0::3].sum())


@given(CORPORA, st.data())
def test_adding_a_right_number_never_lowers_a_figure(pairs, data):
    known = [place for place, (reference, _) in enumerate(pairs) if reference]
    if not known:
        return
    place = data.draw(st.sampled_from(known))
    reference, prediction = pairs[place]
    better = list(pairs)
    better[place] = (reference, [*prediction, data.draw(st.sampled_from(reference))])
    before, after = score_pairs(pairs), score_pairs(better)
    for name in ("precision", "recall", "f1"):
        assert getattr(after, name) >= getattr(before, name) - 1e-12


@given(FIELDS, st.integers(0, 3))
def test_fields_are_compared_as_fields(fields, place):
    longer = list(fields)
    longer[place] = f"{fields[place][:1]}9" if place else str(int(fields[place]) % 7 + 1)
    score = score_pairs([([".".join(fields)], [".".join(longer)])])
    assert score.total.tp == (4 if list(fields) == longer else place)


@given(CORPORA)
def test_swapping_the_sides_swaps_precision_and_recall(pairs):
    score = score_pairs(pairs)
    swapped = score_pairs([(prediction, reference) for reference, prediction in pairs])
    assert (swapped.precision, swapped.recall) == (score.recall, score.precision)
    assert swapped.f1 == score.f1


def test_bootstrap_agrees_with_drawing_proteins_one_by_one():
    corpora = [random_corpus(seed) for seed in range(30)]
    reference = [protein for corpus, _ in corpora for protein in corpus]
    prediction = [protein for _, corpus in corpora for protein in corpus]
    score = hierarchical_micro_f1(reference=reference, prediction=prediction)
    intervals = bootstrap_micro_f1(score.counts, resamples=4000, seed=1)
    generator = np.random.default_rng(2)
    drawn = score.counts[generator.integers(0, score.n, (4000, score.n))].sum(axis=1)
    tp, fp, fn = (drawn[:, start::3].sum(axis=1) for start in range(3))
    by_hand = np.quantile(2 * tp / (2 * tp + fp + fn), [0.025, 0.975])
    assert intervals["f1"] == pytest.approx(by_hand, abs=0.01)
    assert intervals["f1"][0] < score.f1 < intervals["f1"][1]
    assert intervals["mean_level_f1"][0] < score.mean_level_f1 < intervals["mean_level_f1"][1]
    assert set(intervals) == {
        *("precision", "recall", "f1", "mean_level_f1"),
        *(f"level_{level}_f1" for level in range(1, 5)),
    }


def test_bootstrap_of_nothing_to_count_and_of_no_protein():
    empty = hierarchical_micro_f1(reference=[[], []], prediction=[[], []])
    assert set(bootstrap_micro_f1(empty.counts).values()) == {None}
    none = hierarchical_micro_f1(reference=[], prediction=[])
    with pytest.raises(ValueError, match="n ≥ 1"):
        bootstrap_micro_f1(none.counts)


def test_bootstrap_is_the_same_for_the_same_seed():
    score = hierarchical_micro_f1(
        reference=[["1.1.1.1"], ["2.7.1.1"]], prediction=[["1.1.1.1"], []]
    )
    assert bootstrap_micro_f1(score.counts, seed=3) == bootstrap_micro_f1(score.counts, seed=3)
