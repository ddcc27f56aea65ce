"""Whole runs beside pydantic-evals and inspect_ai, warm runs, and prefixes read from the cache.

`python benchmarks/peers.py [speed] [warm] [prefix]` runs the named parts, or all. Each harness
asks a model inside its own process that sleeps 50 ms, so that only the harness is measured: ours
with reply cache, records and full report. A figure is the wall time of a whole process, imports
included, the least of three alternating rounds. The others live in an environment that uv makes
in the user's cache folder. All run from compiled bytecode, after a round that counts not, and ours
without hypothesis's plugin, which belongs to the tests. The last line is one JSON object.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path

import httpx
import platformdirs

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from curieval.models.backends.embedded import packaged_weights, start_server  # noqa: E402
from tests.plugin_models.trial import Trial  # noqa: E402

PEERS = {"pydantic_evals": "peer_pydantic_evals.py", "inspect_ai": "peer_inspect_ai.py"}
CASES, CONCURRENCY, DELAY, ROUNDS = 1000, 64, 0.05, 3
WARM_CASES, WARM_SECONDS = 10_000, 25.0
PREFIX_WORKERS, LEAST_SHARE = 8, 0.8
FASTER_THAN_INSPECT = 8.0


def peers_python() -> str:
    """Return the interpreter of the environment that holds the others, making it if need be."""
    folder = platformdirs.user_cache_path("curieval", appauthor=False) / "benchmark-peers"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run(["uv", "venv", "--quiet", str(folder)], check=True)
    command = ["uv", "pip", "install", "--quiet", "--python", str(python)]
    wanted = ("pydantic-evals==2.62.0", "inspect-ai==0.3.285")
    subprocess.run([*command, *wanted], check=True, cwd=folder)
    return str(python)


def ours(folder: Path, arguments=(), *, cases=CASES, delay=DELAY) -> tuple[float, Trial]:
    """Return the seconds of one run of pytest with reply cache and full report, and its folder."""
    trial = Trial(folder, None, cases=cases)
    trial.environment |= {"SLEEPING_SECONDS": str(delay)}
    trial.serve("", url="http://127.0.0.1:9/v1")
    conftest = folder / "conftest.py"
    conftest.write_text(f"{conftest.read_text()}\nimport benchmarks.sleeping  # noqa\n")
    trial.environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return again(trial, ("-p", "no:hypothesispytest", *arguments)), trial


def again(trial: Trial, arguments=()) -> float:
    """Return the seconds of a run in a folder that is there."""
    began = time.perf_counter()
    done = trial.run(*arguments)
    seconds = time.perf_counter() - began
    if done.code != 0:
        raise SystemExit(f"the run ended with {done.code}:\n{done.output}")
    return seconds


def peer(python: str, script: str) -> tuple[float, str]:
    """Return the seconds of one run of another harness, and its version."""
    numbers = (str(DELAY), str(CASES), str(CONCURRENCY))
    command = [python, str(ROOT / "benchmarks" / script), *numbers]
    began = time.perf_counter()
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    seconds = time.perf_counter() - began
    if done.returncode != 0 or done.stdout.split()[-1] != str(CASES):
        raise SystemExit(f"{script} went wrong:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return seconds, done.stdout.split()[-2]


def measure_speed() -> dict:
    """Time the three side by side."""
    python = peers_python()
    best: dict[str, float] = defaultdict(lambda: float("inf"))
    versions = {"curieval": version("curieval"), "pytest": version("pytest")}
    for counts in (False, *[True] * ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            took = {"curieval": ours(Path(folder), ("--concurrency", str(CONCURRENCY)))[0]}
        for name, script in PEERS.items():
            took[name], versions[name] = peer(python, script)
        for name, seconds in took.items():
            best[name] = min(best[name], seconds if counts else float("inf"))
    for name, seconds in best.items():
        print(
            f"{CASES} cases, {DELAY * 1000:.0f} ms, {CONCURRENCY} at once: {name} {seconds:.2f} s"
        )
    return {
        "n": CASES,
        "seconds": {name: round(seconds, 2) for name, seconds in best.items()},
        "pydantic_evals_over_curieval": round(best["pydantic_evals"] / best["curieval"], 2),
        "inspect_ai_over_curieval": round(best["inspect_ai"] / best["curieval"], 2),
        "versions": versions,
    }


def measure_warm() -> dict:
    """Time a run whose replies are all cached.

    It is one busy process: its CPU time is what it takes on a machine that does nothing else.
    """
    with tempfile.TemporaryDirectory() as folder:
        cold, trial = ours(Path(folder), ("--concurrency", "64"), cases=WARM_CASES, delay=0)
        trial.report = Path(folder) / "warm"
        before = cpu_seconds()
        warm = again(trial)
        busy = cpu_seconds() - before
        cached = trial.whole()["from_cache"]
    if cached != WARM_CASES:
        raise SystemExit(f"{cached} of {WARM_CASES} were cached")
    print(f"{WARM_CASES} cases: cold {cold:.1f} s, cached {warm:.1f} s, {busy:.1f} s of CPU")
    return {"n": WARM_CASES, "seconds": round(warm, 1), "cpu_seconds": round(busy, 1)}


def cpu_seconds() -> float:
    """Return the CPU time of the processes that have ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure_prefix() -> dict:
    """Run the embedded model's sample of one task at -n 8 and count the tokens in its records."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report"
        command = [
            *(sys.executable, "-m", "pytest", "evals/env_triad", "-q", "-p", "no:cacheprovider"),
            *("-n", str(PREFIX_WORKERS), "--model", "embedded", "--report", str(report)),
            *("--cache", str(Path(folder) / "replies.sqlite")),
        ]
        began = time.perf_counter()
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        seconds = time.perf_counter() - began
        lines = (report / "records.jsonl").read_text(encoding="utf-8").splitlines()
    parsed = [json.loads(text) for text in lines]
    texts = {line["sha256"]: line["text"] for line in parsed if line["kind"] == "prefix"}
    records = [line for line in parsed if line["kind"] == "record"]
    sizes = {name: count_tokens(text) for name, text in texts.items()}
    return {**share_cached(records, sizes), "seconds": round(seconds, 1)}


def count_tokens(text: str) -> int:
    """Return the tokens of a text by the embedded model's own tokeniser."""
    _, address = start_server(packaged_weights())
    reply = httpx.post(f"{address}/tokenize", json={"content": text}, timeout=60, trust_env=False)
    return len(reply.raise_for_status().json()["tokens"])


def share_cached(records: list[dict], sizes: dict[str, int]) -> dict:
    """Say how much of the prefixes that an earlier case had was read from the cache."""
    groups = defaultdict(list)
    for record in records:
        if record["reply"] and record["reply"]["tokens_in"]:
            groups[record["prompt"]["prefix"]].append(record["reply"])
    cached = possible = 0
    for name, replies in groups.items():
        # The first case of a prefix reads it: the one with the fewest cached tokens.
        hits = sorted(min(reply["tokens_cached"] or 0, sizes[name]) for reply in replies)
        cached += sum(hits[1:])
        possible += sizes[name] * (len(replies) - 1)
    n = sum(map(len, groups.values()))
    read = sum(reply["tokens_in"] for replies in groups.values() for reply in replies)
    found = sum(reply["tokens_cached"] or 0 for replies in groups.values() for reply in replies)
    share = cached / possible if possible else 0.0
    print(
        f"embedded at -n {PREFIX_WORKERS}: {n} cases of {len(groups)} prefixes, {read / n:.0f} "
        f"tokens a case, {found / n:.0f} of them cached; {share:.0%} of repeated prefixes"
    )
    return {
        "n": n,
        "prefixes": len(groups),
        "tokens_in_a_case": round(read / n),
        "tokens_cached_a_case": round(found / n),
        "share_of_repeated_prefixes": round(share, 3),
    }


def main(parts: list[str]) -> int:
    """Run the parts; 1 where a figure falls short."""
    known = {"speed": measure_speed, "warm": measure_warm, "prefix": measure_prefix}
    found = {name: measure() for name, measure in known.items() if not parts or name in parts}
    kept = {
        "speed": lambda f: (
            f["pydantic_evals_over_curieval"] >= 1.0
            and f["inspect_ai_over_curieval"] >= FASTER_THAN_INSPECT
        ),
        "warm": lambda f: f["cpu_seconds"] < WARM_SECONDS,
        "prefix": lambda f: f["share_of_repeated_prefixes"] >= LEAST_SHARE,
    }
    short = [name for name, figures in found.items() if not kept[name](figures)]
    print(json.dumps({**found, "python": platform.python_version(), "fell_short": short}))
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
