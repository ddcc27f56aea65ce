"""Exit codes of real runs, --strict among them, and ordinary tests beside evaluations."""

from __future__ import annotations

import pytest

ORDINARY = """
from fixtures.cases import evaluation
from tests.plugin.trivial import trivial_task

@evaluation(trivial_task({arguments}))
def test_trivial(case, reply, record):
    record({{"right": float(reply.text == case.reference)}})

def test_ordinary():
    assert 1 + 1 == OUTCOME
"""


@pytest.mark.parametrize("workers", [0, 2])
def test_wrong_answers_are_fine_without_strict(world, workers):
    ran = world.run(world.suite(8), "--model", "constant:3", "--limit", "all", workers=workers)
    assert ran.code == 0, ran.output
    assert ran.whole()["figures"][0]["mean"] == pytest.approx(1 / 8)


@pytest.mark.parametrize("workers", [0, 2])
def test_strict_fails_the_cases_below_the_pass_mark(world, workers):
    suite = world.suite(8)
    options = ("--limit", "all", "--strict")
    ran = world.run(suite, "--model", "constant:3", *options, workers=workers)
    assert ran.code == 1, ran.output
    assert "7 failed, 1 passed" in ran.output
    assert "below the pass mark: right is 0.000" in ran.output
    assert "Traceback" not in ran.output
    assert ran.tallies() == {"planned": 8, "scored": 8, "unscored": 0, "not_run": 0}
    good = world.run(suite, "--model", "reference", *options, workers=workers)
    assert good.code == 0, good.output


@pytest.mark.parametrize(("outcome", "code"), [(2, 0), (3, 1)])
def test_an_ordinary_test_counts_beside_evaluations(world, outcome, code):
    suite = world.suite(4, test=ORDINARY.replace("OUTCOME", str(outcome)))
    ran = world.run(suite, "--model", "reference", "--limit", "all")
    assert ran.code == code, ran.output
    assert ran.tallies()["scored"] == 4


def test_a_missed_threshold_is_one(world):
    gates = world.folder / "gates.toml"
    gates.write_text('[[default.trivial]]\nfigure = "right"\nmin = 0.5\n')
    options = ("--limit", "all", "--thresholds", gates)
    missed = world.run(world.suite(8), "--model", "constant:3", *options)
    assert missed.code == 1, missed.output
    assert "FELL SHORT of 1 of 1 thresholds" in missed.output


def test_a_part_of_the_cases_is_gated_by_nothing(world):
    gates = world.folder / "gates.toml"
    gates.write_text('[[default.trivial]]\nfigure = "right"\nmin = 0.5\n')
    suite = world.suite(8)
    for part in (("--limit", "5"), ("--limit", "all", "-k", "not 00003")):
        ran = world.run(suite, "--model", "constant:3", *part, "--thresholds", gates)
        assert ran.code == 0, ran.output
        assert [gate["state"] for gate in ran.report()["gates"]] == ["skipped"]
        assert "partial" in ran.output


def test_worse_than_the_baseline_is_ten(world):
    gates = world.folder / "gates.toml"
    gates.write_text('[[default.trivial]]\nfigure = "right"\nfail_if = "mean:-2pp"\n')
    suite = world.suite(30)
    options = ("--limit", "all", "--thresholds", gates)
    before = world.run(suite, "--model", "reference", *options)
    model = ("--model", "reference", *options, "--baseline", before.folder)
    assert world.run(suite, *model).code == 0
    # The baseline of the same name, made worse: a model is compared with itself.
    test = (suite / "test_trivial.py").read_text()
    (suite / "test_trivial.py").write_text(test.replace("reply.text ==", "'3' =="))
    worse = world.run(suite, *model)
    assert worse.code == 10, worse.output


def test_a_collection_error_is_two_and_writes_nothing(world):
    ran = world.run(world.suite(4, test="import nothing_of_that_name\n"), "--model", "reference")
    assert ran.code == 2, ran.output
    assert not ran.folder.exists()


def test_the_end_line_and_the_report_hold_the_exit_code(world):
    ran = world.run(world.suite(4), "--model", "constant:x", "--limit", "all", "--strict")
    assert ran.lines("end")[-1]["exit_code"] == ran.code == 1
    assert ran.report()["legs"][-1]["exit_code"] == 1
