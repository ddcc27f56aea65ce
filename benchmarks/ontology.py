"""What triad terms cost: scoring row by row and in columns, beside oaklib and nxontology.

load      seconds from nothing to the ancestors of every ENVO term, in a fresh process
rows      rows a second of score_term, reading included, and how many times faster that is
          than oaklib's sqlite route done per pair (label, ancestors, hops), where both
          must find the same relationships and hops
columns   pairs a second of score_terms, reading and all columns included, and how many times
          faster that is than nxontology's similarity of the same pairs of ids, where both
          must find the same mean hierarchical F1
flat      seconds a pair at each size, over that of the largest

Times are CPU seconds of one process, so that busy neighbours disturb less. The database
for oaklib is made from the shipped facts. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from benchmarks.oak_database import write_semsql  # noqa: E402
from scoring import Ontology, load_ontology, parse_term, score_term, score_terms  # noqa: E402
from scoring.hierarchy import BRANCH_ROOTS  # noqa: E402

SLOT = "env_broad_scale"
IS_A = "rdfs:subClassOf"
LOAD = """
import time
start = time.process_time()
from scoring import load_ontology
envo = load_ontology("envo")
for curie in envo:
    envo.ancestors(curie)
print(time.process_time() - start)
"""
Pair = tuple[str, str]
Place = tuple[str | None, int | None]


def random_pairs(envo: Ontology, count: int, seed: int = 0) -> list[Pair]:
    """Answers and references drawn from all biomes, as `label [CURIE]`."""
    chance = random.Random(seed)
    root = BRANCH_ROOTS[SLOT]
    values = [f"{envo.label(c)} [{c}]" for c in envo if root in envo.ancestors(c)]
    return list(zip(chance.choices(values, k=count), chance.choices(values, k=count), strict=True))


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def load_seconds() -> float:
    """The best of three fresh processes."""
    runs = [
        subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True)
        for _ in range(3)
    ]
    return min(float(run.stdout) for run in runs)


def by_score_term(envo: Ontology, pairs: list[Pair]) -> list[Place]:
    """Relationship and hops, row by row."""
    found: list[Place] = []
    for answer, truth in pairs:
        score = score_term(
            prediction=answer, reference=truth, ontology=envo, template="soil_data", slot=SLOT
        )
        found.append((score.relationship, score.hop_distance))
    return found


def by_oaklib(database: Path, pairs: list[Pair]) -> tuple[list[Place], float]:
    """Relationship and hops by oaklib's sqlite adapter, asked anew for every pair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from oaklib import get_adapter

        adapter = get_adapter(f"sqlite:{database}")
    adapter.label(BRANCH_ROOTS[SLOT])

    def hops(below: str, above: str) -> int | None:
        if above not in set(adapter.ancestors([below], predicates=[IS_A])):
            return None
        level, distance = {below}, 0
        while above not in level:
            parents = adapter.relationships(subjects=sorted(level), predicates=[IS_A])
            level, distance = {parent for _, _, parent in parents}, distance + 1
        return distance

    def place(answer: str, truth: str) -> Place:
        one, other = parse_term(answer), parse_term(truth)
        adapter.label(one.curie)
        if one.curie == other.curie:
            return "exact", 0
        down = hops(one.curie, other.curie)
        if down is not None:
            return "descendant", down
        up = hops(other.curie, one.curie)
        return ("ancestor", up) if up is not None else ("unrelated", None)

    start = time.process_time()
    found = [place(answer, truth) for answer, truth in pairs]
    return found, time.process_time() - start


def by_nxontology(envo: Ontology, pairs: list[Pair]) -> tuple[float, float]:
    """Mean hierarchical F1 from nxontology's sets of ancestors, and CPU seconds."""
    from nxontology import NXOntology

    root = BRANCH_ROOTS[SLOT]
    branch = {curie for curie in envo if root in envo.ancestors(curie)}
    graph: NXOntology[str] = NXOntology()
    for curie in sorted(branch):
        graph.add_node(curie)
    for curie in sorted(branch):
        for parent in envo.parents(curie):
            if parent in branch:
                graph.add_edge(parent, curie)
    graph.freeze()
    ids = {value: value[value.rindex("[") + 1 : -1] for pair in pairs for value in pair}
    for curie in branch:
        graph.node_info(curie)

    def f1(answer: str, truth: str) -> float:
        found = graph.similarity(ids[answer], ids[truth])
        # All sets hold the branch root, which does not count.
        total = found.info_0.n_ancestors + found.info_1.n_ancestors - 2
        return 2 * (found.n_common_ancestors - 1) / total if total else 1.0

    start = time.process_time()
    mean = sum(f1(answer, truth) for answer, truth in pairs) / len(pairs)
    return mean, time.process_time() - start


def in_columns(envo: Ontology, pairs: list[Pair]) -> tuple[float, float]:
    """Mean hierarchical F1 by score_terms, and CPU seconds."""
    answers, truths = map(list, zip(*pairs, strict=True))
    start = time.process_time()
    scored = score_terms(
        {"prediction": answers, "reference": truths},
        ontology=envo,
        template="soil_data",
        slot=SLOT,
    )
    return float(scored["hierarchical_f1"].mean()), time.process_time() - start


def main() -> None:
    """Run all and print one line each; see the head of this file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=200_000, help="rows for score_term")
    parser.add_argument("--oaklib-rows", type=int, default=300, help="pairs for oaklib")
    parser.add_argument("--pairs", type=int, default=1_000_000, help="pairs for score_terms")
    options = parser.parse_args()
    envo = load_ontology("envo")
    result: dict[str, object] = {"python": platform.python_version()}

    result["load_seconds"] = round(load_seconds(), 4)
    print(f"load      {result['load_seconds']:.3f} s for ENVO with all ancestors")

    rows = random_pairs(envo, options.rows)
    by_score_term(envo, rows[:1])
    ours = len(rows) / seconds(lambda: by_score_term(envo, rows))
    few = random_pairs(envo, options.oaklib_rows, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "envo.db"
        write_semsql(envo, database)
        found, spent = by_oaklib(database, few)
    if found != by_score_term(envo, few):
        raise SystemExit("oaklib and score_term disagree on relationships or hops")
    theirs = len(few) / spent
    result |= {
        "rows_per_second": round(ours),
        "oaklib_rows_per_second": round(theirs, 1),
        "rows_over_oaklib": round(ours / theirs),
    }
    print(f"rows      {ours:,.0f} rows/s, oaklib sqlite {theirs:,.0f}: {ours / theirs:,.0f} times")

    in_columns(envo, rows[:1000])
    sizes = [size for size in (10_000, 100_000) if size < options.pairs] + [options.pairs]
    costs: dict[int, float] = {}
    for size in sizes:
        pairs = random_pairs(envo, size, seed=2)
        # Small tables are over before the clock has ticked twice: take the best of some.
        times = [in_columns(envo, pairs)[1] for _ in range(max(3, 100_000 // size))]
        costs[size] = min(times) / size
    mean = in_columns(envo, pairs)[0]
    peer_pairs = pairs[:100_000]
    peer_mean, peer_spent = by_nxontology(envo, peer_pairs)
    if abs(peer_mean - in_columns(envo, peer_pairs)[0]) > 1e-9:
        raise SystemExit("nxontology and score_terms disagree on the mean of hierarchical F1")
    columns, peer = 1 / costs[sizes[-1]], len(peer_pairs) / peer_spent
    result |= {
        "pairs_per_second": round(columns),
        "nxontology_pairs_per_second": round(peer),
        "columns_over_nxontology": round(columns / peer, 1),
        "mean_hierarchical_f1": mean,
        "cost_over_largest": {size: round(cost * columns, 2) for size, cost in costs.items()},
    }
    print(f"columns   {columns:,.0f} pairs/s, nxontology {peer:,.0f}: {columns / peer:.1f} times")
    for size, cost in costs.items():
        print(f"flat      {size:>9,} pairs: {cost * 1e6:.2f} us each, {cost * columns:.2f} times")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
