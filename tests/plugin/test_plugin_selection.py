"""Which cases run: -k, node ids, slices, limits, --lf, --collect-only."""

from __future__ import annotations

import re

import pytest

from tests.plugin.running import ROOT, World

TRIAD = ROOT / "evals" / "env_triad"
ITEM = re.compile(r"^\S+::test_\w+\[(\S+)\]$", re.MULTILINE)


@pytest.fixture(scope="module")
def collect(tmp_path_factory, bytecode):
    """Node ids that a selection collects, without a report."""
    world = World(tmp_path_factory.mktemp("collect"), bytecode)

    def collected(*arguments, model="reference"):
        report = world.folder / "report"
        options = ("--collect-only", "-q", "--model", model)
        ran = world.run(*options, *arguments, cwd=ROOT, report=report)
        assert not report.exists()
        assert not (world.folder / "replies.sqlite").exists()
        return ITEM.findall(ran.output)

    return collected


@pytest.fixture(scope="module")
def everything(collect):
    ids = collect(TRIAD, "--limit", "all")
    assert len(ids) >= 150
    return ids


@pytest.mark.parametrize(
    ("expression", "holds"),
    [
        ("soil", lambda i: i.startswith("soil-")),
        ("broad and not water", lambda i: "-broad-" in i and not i.startswith("water-")),
        ("medium or local", lambda i: "-broad-" not in i),
    ],
    ids=["one word", "and not", "or"],
)
def test_k_runs_what_it_says(collect, everything, expression, holds):
    chosen = collect(TRIAD, "--limit", "all", "-k", expression)
    assert chosen == [i for i in everything if holds(i)]
    assert 0 < len(chosen) < len(everything)


def test_slices_join_values_of_a_key_and_cross_keys(collect, everything):
    slices = ("template=soil_data", "template=water_data", "slot=env_medium")
    chosen = collect(TRIAD, "--limit", "all", *(f"--slice={each}" for each in slices))
    assert chosen == [i for i in everything if re.match("(soil|water)-medium-", i)]


def test_a_limit_is_spread_over_the_strata_and_the_same_each_time(collect):
    seven = collect(TRIAD, "--limit", "7")
    assert len(seven) == 7
    assert seven == collect(TRIAD, "--limit", "7")
    assert seven != collect(TRIAD, "--limit", "7", "--seed", "1")
    assert set(seven) < set(collect(TRIAD, "--limit", "30"))
    eighteen = collect(TRIAD, "--limit", "18")
    strata = {tuple(i.split("-")[:2]) for i in eighteen}
    assert len(strata) == len(eighteen)


def test_a_limit_holds_after_k(collect):
    chosen = collect(TRIAD, "--limit", "5", "-k", "sediment and medium")
    assert len(chosen) == 5
    assert all(i.startswith("sediment-medium-") for i in chosen)


def test_node_ids_run_alone(collect, everything):
    wanted = [everything[3], everything[77]]
    path = "evals/env_triad/test_env_triad.py::test_env_triad"
    assert collect(*(f"{path}[{i}]" for i in wanted)) == wanted


def test_repeats_and_models_have_items_of_their_own(collect):
    ids = collect(TRIAD, "--limit", "2", "--repeats", "2", "--model", "random")
    cases = {re.sub("-(reference|random)(-r2)?$", "", i) for i in ids}
    assert len(cases) == 2
    assert set(ids) == {
        f"{c}-{m}{r}" for c in cases for m in ("reference", "random") for r in ("", "-r2")
    }


def test_the_embedded_model_runs_its_sample_and_is_not_started_by_collecting(collect, everything):
    sample = collect(TRIAD, model="embedded")
    assert 20 <= len(sample) <= 60
    assert {i.removesuffix("-smollm2") for i in sample} < {
        i.removesuffix("-reference") for i in everything
    }


def test_lf_asks_only_what_failed(world, server):
    suite = world.suite(30)
    model = world.serve(server.openai("text=3;status=400:0;tag=lf"))
    failing = world.run(suite, *model, "--limit", "2")
    assert failing.tallies()["unscored"] == 2
    world.folder.joinpath("models.toml").unlink()
    model = world.serve(server.openai("text=3;tag=lf2"))
    again = world.run(suite, *model, "--limit", "all", "--lf")
    assert set(again.records()) == set(failing.records())
    assert again.whole()["case_set"] == "partial"
