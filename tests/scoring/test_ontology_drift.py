"""Drift between the releases 2024-07-01, 2025-02-05 and 2025-10-20, as measured by others."""

import gzip
from pathlib import Path

import pytest

from scoring import Ontology, Term, compare_releases
from scoring.facts import all_allowed_values, read_facts

VECTORS = Path(__file__).parents[1] / "vectors"


@pytest.fixture(scope="module")
def release():
    def read(date):
        facts = gzip.decompress((VECTORS / f"envo-{date}.jsonl.gz").read_bytes()).decode()
        return Ontology(read_facts(facts), name="envo", release=date)

    return read


def test_ninety_six_of_1344_pairs_differ_in_2025_02_05(release, envo):
    drift = compare_releases(release("2025-02-05"), envo)
    assert (drift.related_pairs, len(drift.pairs), drift.relationships_changed) == (1344, 96, 46)


def test_no_pair_differs_from_2024_07_01(release, envo):
    drift = compare_releases(release("2024-07-01"), envo)
    assert drift.pairs == ()
    assert drift.related_pairs > 1000


def test_the_two_values_that_the_release_lacks_are_found(release, envo):
    gone = {
        term.curie: term.used_by
        for term in compare_releases(release("2024-07-01"), envo).terms
        if (term.status_before, term.status_after) == ("live", "absent")
    }
    assert gone == {
        "ENVO:02000139": ("water_data env_local_scale",),
        "ENVO:02000145": ("water_data env_local_scale", "water_data env_medium"),
    }


def test_a_changed_label_is_found(release, envo):
    changed = {
        term.curie: (term.label_before, term.label_after)
        for term in compare_releases(release("2025-02-05"), envo).terms
        if term.label_changed
    }
    assert changed == {"ENVO:00002149": ("ocean water", "sea water")}


def test_a_pair_names_both_places(release, envo):
    drift = compare_releases(release("2025-02-05"), envo)
    # In 2025-02-05 savanna biome hung below terrestrial biome; since, below woodland biome.
    pair = next(
        pair
        for pair in drift.pairs
        if (pair.answer, pair.reference) == ("ENVO:01000178", "ENVO:01000175")
    )
    assert (pair.relationship_before, pair.hops_before) == ("unrelated", None)
    assert (pair.relationship_after, pair.hops_after) == ("descendant", 1)


def test_references_of_ones_own_are_watched():
    before = Ontology([Term("T:1", "pond"), Term("T:2", "lake", ("T:1",))], name="toy")
    after = Ontology([Term("T:1", "pond"), Term("T:2", "obsolete lake", obsolete=True)], name="toy")
    drift = compare_releases(
        before, after, references=["lake [T:2]", "unread", "sea [T:9]"], allowed={"T:1": ["mine"]}
    )
    (term,) = drift.terms
    assert (term.curie, term.used_by) == ("T:2", ("reference",))
    assert (term.status_before, term.status_after) == ("live", "obsolete")
    assert (term.parents_lost, term.parents_gained) == (("T:1",), ())
    assert drift.related_pairs == 0


def test_a_release_does_not_drift_from_itself(envo):
    drift = compare_releases(envo, envo)
    assert (drift.terms, drift.pairs) == ((), ())


def test_every_allowed_value_names_who_allows_it():
    users = all_allowed_values()
    assert len(users) == 540
    assert users["ENVO:02000145"] == {"water_data env_local_scale", "water_data env_medium"}
