"""Runs under a cap on cost."""

from __future__ import annotations

import sqlite3

import pytest

from tests.plugin_models.trial import Trial

# 400 tokens in and 400 out at these prices are one cent; the worst case of a call is dearer.
CENT = "price = { input = 5.0, output = 20.0 }\nmax_tokens = 500"


def booked(trial):
    with sqlite3.connect(f"file:{trial.report / 'budget.sqlite'}?mode=ro", uri=True) as connection:
        spent = connection.execute("SELECT coalesce(sum(nano), 0), sum(calls) FROM spent")
        nano, calls = spent.fetchone()
    connection.close()
    return nano / 1e9, calls


def test_a_cap_is_nearly_spent_and_never_exceeded(tmp_path, server):
    trial = Trial(tmp_path, server, cases=1000)
    trial.serve("usage=400:400", entry=CENT)
    capped = ("-n", "4", "--concurrency", "16", "--max-cost")

    done = trial.run(*capped, "1.00")

    assert done.code == 12, done.output
    spent, calls = booked(trial)
    assert calls == server.calls()["total"]
    assert spent == pytest.approx(0.01 * calls)
    assert 0.90 <= spent <= 1.00 + 1e-9
    whole = trial.whole()
    assert whole["cost"]["charged"] == pytest.approx(spent)
    assert whole["counts"]["scored"] == calls
    assert whole["counts"]["not_run"] == 1000 - calls
    assert whole["reasons"] == {"budget": 1000 - calls}

    done = trial.run(*capped, "1.50")

    assert done.code == 12, done.output
    more, calls = booked(trial)
    assert more > spent
    assert 1.40 <= more <= 1.50 + 1e-9
    assert calls == server.calls()["total"]
    assert max(server.calls()["by_prompt"].values()) == 1
    assert trial.whole()["counts"]["scored"] == calls


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_cap_without_a_price_is_refused_before_the_first_call(short_trial, workers):
    short_trial.serve("ok")
    done = short_trial.run("-n", workers, "--max-cost", "1.00")
    assert done.code == 4, done.output
    assert "the price of mine is unknown" in done.output
    assert "`price` in models.toml" in done.output
    assert "Traceback" not in done.output
    assert short_trial.server.calls()["total"] == 0
