"""Runs pytest as people do: a process of its own, in a world without keys, caches and reports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.plugin.trivial import CONFTEST, TEST_FILE

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120
ALIEN = ("CURIEVAL_", "PYTEST_", "ANTHROPIC_", "OPENAI_", "GITHUB_")
TIMES = ("seconds", "waited", "attempts", "from_cache")


@dataclass(frozen=True, kw_only=True)
class Ran:
    """How a run went: exit code, what it printed, and the folder of its report."""

    code: int
    output: str
    folder: Path

    def lines(self, kind):
        """The lines of records.jsonl of one kind."""
        return [line for line in read_lines(self.folder) if line["kind"] == kind]

    def records(self):
        """The records of the run by item id; the last of each stands."""
        return {line["id"]: line for line in self.lines("record")}

    def report(self):
        """report.json."""
        return json.loads((self.folder / "report.json").read_text(encoding="utf-8"))

    def whole(self, task=None):
        """The summary of the only model on a task, over all its cases."""
        wholes = [s for s in self.report()["summaries"] if not s["slice"]]
        (summary,) = [s for s in wholes if task in (None, s["task"])]
        return summary

    def tallies(self):
        """Counts of the states: planned, scored, unscored, not_run."""
        counts = self.whole()["counts"]
        return {name: counts[name] for name in ("planned", "scored", "unscored", "not_run")}


class World:
    """A folder with an environment of its own, in which runs are started."""

    def __init__(self, folder: Path, bytecode: Path) -> None:
        self.folder = folder
        self.runs = 0
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(ALIEN)},
            "PYTHONPATH": str(ROOT),
            "LLM_USER_PATH": str(folder / "llm"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "COLUMNS": "120",
        }
        if sys.dont_write_bytecode:
            # Each of a hundred processes would compile all of pytest and pydantic again.
            self.environment["PYTHONPYCACHEPREFIX"] = str(bytecode)
            del self.environment["PYTHONDONTWRITEBYTECODE"]

    def command(self, *arguments, workers=0, report=None, cwd=None):
        """The command of a run, its folder and where its report goes; it plans in `cwd`."""
        self.runs += 1
        folder = report or self.folder / f"report-{self.runs}"
        command = [sys.executable, "-m", "pytest"]
        command += ["-o", f"cache_dir={self.folder / 'pytest-cache'}", "-n", str(workers)]
        command += ["--cache", str(self.folder / "replies.sqlite"), "--report", str(folder)]
        return [*command, *map(str, arguments)], folder

    def run(self, *arguments, workers=0, report=None, cwd=None, **environment):
        """Run to the end."""
        with self.started(
            *arguments, workers=workers, report=report, cwd=cwd, **environment
        ) as running:
            return running.end()

    def started(self, *arguments, workers=0, report=None, cwd=None, **environment):
        """A run that goes on: to be waited for, interrupted or killed."""
        command, folder = self.command(*arguments, workers=workers, report=report)
        return Running(command, folder, cwd or self.folder, {**self.environment, **environment})

    def evals(self, *arguments, **settings):
        """Run the project's own environmental triad."""
        return self.run(ROOT / "evals" / "env_triad", *arguments, cwd=ROOT, **settings)

    def suite(self, n=20, *, name="suite", test=TEST_FILE, ini="", **task):
        """Write a suite of n trivial cases; return its folder, to be run with -c of its own."""
        folder = self.folder / name
        folder.mkdir()
        arguments = ", ".join([str(n), *(f"{key}={value!r}" for key, value in task.items())])
        (folder / "conftest.py").write_text(CONFTEST)
        (folder / "test_trivial.py").write_text(test.format(arguments=arguments))
        (folder / "pyproject.toml").write_text(f"[tool.pytest.ini_options]\n{ini}\n")
        return folder

    def serve(self, address, *, name="slow", entry=""):
        """Make a local server a model of the user's."""
        with (self.folder / "models.toml").open("a") as file:
            file.write(f'[models.{name}]\nbase_url = "{address}"\nmodel_id = "{name}"\n{entry}\n')
        return ("--model", name)


class Running:
    """A run under way."""

    def __init__(self, command, folder, cwd, environment) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def end(self, seconds=SECONDS):
        """Wait for the end; every process that it started must end with it."""
        output, _ = self.process.communicate(timeout=seconds)
        return Ran(code=self.process.returncode, output=output, folder=self.folder)

    def wait_for_records(self, n, seconds=60):
        """Wait until n records are on disk."""
        waited = time.monotonic() + seconds
        while len(self.finished()) < n:
            assert self.process.poll() is None, self.process.stdout.read()
            assert time.monotonic() < waited, f"{len(self.finished())} of {n} records"
            time.sleep(0.02)

    def finished(self):
        """The ids of the records on disk."""
        return [line["id"] for line in read_lines(self.folder) if line["kind"] == "record"]

    def interrupt(self, number, *, group=False):
        """Send a signal to the process, or to all as a terminal does."""
        (os.killpg if group else os.kill)(self.process.pid, number)

    def members(self):
        """The processes of the run that are still alive, as `pid: command line`."""
        return {
            int(entry.name): (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            for entry in Path("/proc").iterdir()
            if entry.name.isdigit() and session_of(entry) == self.process.pid
        }


def session_of(entry: Path):
    """The session that a process of /proc belongs to; None for one that is gone or a zombie."""
    try:
        state, _, _, session, *_ = (entry / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if state == "Z" else int(session)


def read_lines(folder: Path):
    """The whole lines of records.jsonl so far."""
    path = folder / "records.jsonl"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.split("\n")[:-1]]


def timeless(record):
    """A record without what differs from run to run."""
    reply = {k: v for k, v in (record["reply"] or {}).items() if k not in TIMES}
    return {**record, "reply": reply}
