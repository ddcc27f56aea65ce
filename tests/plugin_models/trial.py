"""Runs of pytest on a task of numbered questions, each in processes of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.servers.misbehaving import Served

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
LONGEST = 180
OWN_SETTINGS = ("CURIEVAL_", "ANTHROPIC_", "OPENAI_", "PYTEST_", "GITHUB_", "LLM_")


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a run ended and what it printed."""

    code: int
    output: str


class Trial:
    """A folder with the task, a models.toml, a cache and a report of its own."""

    def __init__(self, folder: Path, server: Served | None, *, cases: int = 200):
        self.folder = folder
        self.server = server
        self.report = folder / "report"
        self.cache = folder / "cache" / "replies.sqlite"
        self.models = folder / "models.toml"
        kept = {k: v for k, v in os.environ.items() if not k.startswith(OWN_SETTINGS)}
        self.environment = {
            **kept,
            "TRIAL_CASES": str(cases),
            "PYTHONPATH": str(PROJECT),
            "LLM_USER_PATH": str(folder / "llm"),
            "HOME": str(folder),
            "COLUMNS": "120",
        }
        shutil.copy(PROJECT / "conftest.py", folder)
        shutil.copy(HERE / "trial_task.py", folder / "test_trial.py")
        (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:anyio\n")

    def serve(self, how: str, *, name: str = "mine", entry: str = "", url: str | None = None):
        """Add a model whose server behaves so; `entry` holds further lines of its table."""
        if url is None:
            claude = 'api = "anthropic"' in entry
            url = self.server.base(how) if claude else self.server.openai(how)
        table = f'[models.{name}]\nbase_url = "{url}"\nmodel_id = "m-1"\n{entry}\n'
        with self.models.open("a") as file:
            file.write(table)

    def start(self, *arguments: str, model: str | None = "mine", environment=None):
        """Start a run in a process group of its own, its output in a file."""
        command = [
            *(sys.executable, "-m", "pytest", "-p", "no:cacheprovider"),
            *("--models-file", str(self.models), "--cache", str(self.cache)),
            *("--report", str(self.report)),
            *(("--model", model) if model else ()),
            *arguments,
        ]
        with (self.folder / "output.txt").open("w") as output:
            return subprocess.Popen(
                command,
                cwd=self.folder,
                env={**self.environment, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def finish(self, process: subprocess.Popen) -> Done:
        """Wait for a run's end."""
        try:
            code = process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise AssertionError(f"the run does not end:\n{self.output()}") from None
        return Done(code=code, output=self.output())

    def run(self, *arguments: str, **settings) -> Done:
        """Run to the end."""
        return self.finish(self.start(*arguments, **settings))

    def output(self) -> str:
        """Return what the latest run has printed so far."""
        return (self.folder / "output.txt").read_text()

    def await_calls(self, process: subprocess.Popen, number: int) -> None:
        """Wait until so many calls have reached the server."""
        bound = time.monotonic() + LONGEST
        while self.server.calls()["total"] < number:
            assert process.poll() is None, f"ended too early:\n{self.output()}"
            assert time.monotonic() < bound, f"too few calls:\n{self.output()}"
            time.sleep(0.01)

    def lines(self, kind: str = "record") -> list[Mapping]:
        """Return the lines of one kind in records.jsonl, over all legs."""
        found = []
        for text in (self.report / "records.jsonl").read_text().splitlines():
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if line["kind"] == kind:
                found.append(line)
        return found

    def leg(self, number: int) -> list[Mapping]:
        """Return the records of one leg."""
        return [line for line in self.lines() if line["leg"] == number]

    def summed_up(self) -> Mapping:
        """Return report.json."""
        return json.loads((self.report / "report.json").read_text())

    def whole(self, model: str = "mine") -> Mapping:
        """Return the summary over all cases of a model."""
        found = self.summed_up()["summaries"]
        return next(s for s in found if not s["slice"] and s["model"] == model)


def end_of_group(process: subprocess.Popen, *, seconds: float = 20.0) -> bool:
    """Whether no process of a run is left, waiting a while for the last."""
    bound = time.monotonic() + seconds
    while time.monotonic() < bound:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
