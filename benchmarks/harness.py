"""What the harness costs: its CPU beside bare pytest's, and how many slow calls it keeps in flight.

cpu   the CPU seconds of the whole process for trivial cases with an instant model, over those
      of bare pytest on as many parametrized tests; rounds alternate, the least of each counts
wall  the seconds from start to exit for cases that a local server answers after 50 ms each,
      64 in flight, in one process (-n 0) and with two workers (-n 2); beside it the least
      that is possible: cases x 50 ms / 64

The last line is one JSON object. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.plugin.trivial import CONFTEST, TEST_FILE  # noqa: E402
from tests.servers.misbehaving import serving  # noqa: E402

DELAY = 0.05
IN_FLIGHT = 64
BARE = """
import pytest

@pytest.mark.parametrize(
    "n", [pytest.param(str(n), id=f"thing-{{n:05}}-constant") for n in range({n})]
)
def test_trivial(n):
    assert float(n == n)
"""
# Hypothesis imports itself whole when a session ends; neither side of the comparison needs it.
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]


def run(folder: Path, *options: str) -> tuple[float, float]:
    """Run pytest on a folder; return its CPU seconds, children included, and its wall seconds."""
    home = folder.parent
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("CURIEVAL_", "PYTEST_"))},
        "PYTHONPATH": str(ROOT),
        "PYTHONPYCACHEPREFIX": str(home / "bytecode"),
        "LLM_USER_PATH": str(home / "llm"),
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    report = Path(tempfile.mkdtemp(dir=home))
    command = [sys.executable, *PYTEST, "-c", str(ROOT / "pyproject.toml"), "--rootdir"]
    command += [str(folder), str(folder), *options]
    if "--model" in options:
        command += ["--limit", "all", "--report", str(report), "--cache", str(report / "c.sqlite")]
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        output = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{output}")
    shutil.rmtree(report)
    return usage.ru_utime + usage.ru_stime, wall


def folders(home: Path, n: int) -> tuple[Path, Path]:
    """Write the two suites: ours and the bare one."""
    ours, bare = home / "ours", home / "bare"
    ours.mkdir()
    bare.mkdir()
    (ours / "conftest.py").write_text(CONFTEST)
    (ours / "test_trivial.py").write_text(TEST_FILE.format(arguments=n))
    (bare / "test_trivial.py").write_text(BARE.format(n=n))
    return ours, bare


def measure_cpu(home: Path, n: int, rounds: int) -> dict[str, float]:
    """The least CPU seconds of each side over alternating rounds, after one that counts not."""
    ours, bare = folders(home, n)
    model = ("--model", "constant:7")
    run(bare)
    run(ours, *model)
    spent: dict[str, list[float]] = {"bare": [], "curieval": []}
    for _ in range(rounds):
        spent["bare"].append(run(bare)[0])
        spent["curieval"].append(run(ours, *model)[0])
        print(f"cpu: bare {spent['bare'][-1]:.2f} s, curieval {spent['curieval'][-1]:.2f} s")
    return {side: min(seconds) for side, seconds in spent.items()}


def measure_wall(home: Path, n: int, rounds: int) -> dict[str, float]:
    """The least wall seconds with the slow server, in one process and with two workers."""
    ours = home / "ours"
    least: dict[str, float] = {}
    with serving() as server:
        address = server.openai(f"delay={DELAY}")
        table = f'[models.slow]\nbase_url = "{address}"\nmodel_id = "slow"\n'
        (home / "models.toml").write_text(table)
        options = ("--model", "slow", "--concurrency", str(IN_FLIGHT))
        for _ in range(rounds):
            for workers in ("0", "2"):
                seconds = run(ours, *options, "-n", workers)[1]
                least[f"n{workers}"] = min(seconds, least.get(f"n{workers}", seconds))
                print(f"wall: -n {workers} {seconds:.2f} s")
    return least


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=1000, metavar="N", help="default 1000")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="default 5")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        cpu = measure_cpu(Path(name), options.cases, options.rounds)
        wall = measure_wall(Path(name), options.cases, options.rounds)
    floor = options.cases * DELAY / IN_FLIGHT
    result = {
        "benchmark": "harness",
        "n": options.cases,
        "rounds": options.rounds,
        "cpu_seconds": {side: round(seconds, 3) for side, seconds in cpu.items()},
        "cpu_ratio": round(cpu["curieval"] / cpu["bare"], 3),
        "wall_seconds": {side: round(seconds, 3) for side, seconds in wall.items()},
        "wall_floor_seconds": round(floor, 3),
        "wall_ratio_to_floor": {side: round(s / floor, 2) for side, s in wall.items()},
        "cpus": os.cpu_count(),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("curieval", "pytest", "pytest-xdist", "pluggy")},
        },
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()
