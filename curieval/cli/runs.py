"""`curieval report`, `gate` and `compare`: what can be done with a run after it ran."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from curieval.cli import options
from curieval.cli.app import print_json, say, width

if TYPE_CHECKING:
    from curieval.report.run import Run
    from curieval.report.schema import GateResult, Report
    from curieval.report.thresholds import Thresholds

commands = typer.Typer(rich_markup_mode=None, add_completion=False)

ThresholdsFile = Annotated[
    Path | None,
    typer.Option(
        "--thresholds",
        metavar="FILE",
        envvar="CURIEVAL_THRESHOLDS",
        help="What a run must reach.",
        show_default="evals/thresholds.toml where there is one",
    ),
]
_USUAL = Path("evals") / "thresholds.toml"


@commands.command("report", short_help="Rebuild a report from its records, or merge several.")
def report(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="Folders that --report named.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Put several runs together here."),
    ] = None,
    thresholds: ThresholdsFile = None,
    parquet: Annotated[
        bool, typer.Option("--parquet", help="Write scores.parquet as well.")
    ] = False,
) -> None:
    """Rebuild report.json, report.html and scores.tsv from records.jsonl, after a crash too.

    Several folders (shards of several machines, or models that were run apart) are put
    together in the folder that --out names.

    \b
    Examples:
      curieval report reports/2026-12-01-101500
      curieval report shard-1 shard-2 --out whole
    """
    from curieval.report.build import build_report
    from curieval.report.gate import check_gates
    from curieval.report.merge import merge_runs
    from curieval.report.run import read_run
    from curieval.report.terminal import render_summary
    from curieval.report.write import write_report

    if len(folders) > 1 and out is None:
        raise typer.BadParameter("several folders are put together in one that --out names")
    folder = folders[0] if out is None else out
    if out is not None:
        merge_runs(folders, out)
    run = read_run(folder)
    rebuilt = build_report(
        run,
        baselines=_of_tasks("baselines", run),
        remarks=_of_tasks("remarks", run),
        compose=_of_tasks("compose", run),
    )
    rules = _thresholds(thresholds, rebuilt)
    rebuilt = rebuilt.with_gates(check_gates(rebuilt, rules) if rules else [])
    write_report(rebuilt, folder, run=run, explain=_of_tasks("explain", run), parquet=parquet)
    print(render_summary(rebuilt, rebuilt.gates, width()), end="")
    say(f"report: {folder / 'report.html'}")


@commands.command("gate", short_help="Hold a run against thresholds and a baseline.")
def gate(
    path: Annotated[
        Path, typer.Argument(metavar="REPORT", help="A run's folder or its report.json.")
    ],
    thresholds: ThresholdsFile = None,
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="REPORT", help="A run that this one must not be worse than."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Hold a run against its thresholds and a baseline; the exit code says how it went.

    0 all kept; 1 a threshold missed; 10 worse than the baseline; 11 too many unscored;
    12 the budget was reached.

    \b
    Examples:
      curieval gate reports/nightly
      curieval gate reports/nightly --baseline reports/main --thresholds mine.toml
    """
    from curieval.report.gate import check_gates
    from curieval.report.load import load_report
    from curieval.report.regression import check_baseline

    found = load_report(path)
    rules = _thresholds(thresholds, found)
    gates = check_gates(found, rules) if rules else []
    regressions = check_baseline(found, load_report(baseline), rules) if baseline else []
    if not rules and baseline is None:
        raise typer.BadParameter(
            f"nothing to hold it against: there is no {_USUAL}; name "
            "--thresholds FILE or --baseline REPORT"
        )
    code = _exit_code(found, gates, regressions)
    results = [*gates, *regressions]
    if json:
        print_json({"exit_code": code, "gates": msgspec.to_builtins(results)})
    else:
        _print_gates(results)
        say(f"exit code {code}")
    raise typer.Exit(code)


@commands.command("compare", short_help="Compare two runs case by case.")
def compare(
    before: Annotated[Path, typer.Argument(metavar="A", help="A run's folder or report.json.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="The run to compare with it.")],
    model: Annotated[
        list[str] | None,
        typer.Option("--model", metavar="A=B", help="Compare this model of A with that of B."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write B's page with the comparison in it."),
    ] = None,
    json: options.Json = False,
) -> None:
    """Compare two runs case by case: differences with interval and test, what fell and rose.

    \b
    Examples:
      curieval compare reports/main reports/branch
      curieval compare reports/a reports/b --model claude-haiku-4-5=claude-sonnet-5-5
    """
    from curieval.report.compare import compare_reports
    from curieval.report.differences import render_comparison
    from curieval.report.load import load_report

    sides = load_report(before), load_report(after)
    found = compare_reports(*sides, models=_pairs(model or ()))
    if html is not None:
        _write_comparison(html, after, sides[1], found)
    if json:
        print_json({"comparisons": msgspec.to_builtins(found)})
    else:
        print(render_comparison(found, width()), end="")


def _of_tasks(name: str, run: Run) -> dict[str, Callable[..., Any]]:
    from evals import ALL_HOMES, load_task

    tasks = {task: load_task(task) for task in ALL_HOMES}
    if (run.manifest.get("options") or {}).get("ontology"):
        from curieval.ontologies.in_force import reopen

        ontologies = reopen(run.manifest.get("ontologies") or ())
        for task, each in list(tasks.items()):
            if each.with_ontologies is not None and ontologies is not None:
                tasks[task] = each.with_ontologies(ontologies)
            elif each.with_ontologies is not None:
                say(f"note: {task} without {name}: open the run's ontology again to have them")
                del tasks[task]
    found = {task: getattr(each, name, None) for task, each in tasks.items()}
    return {task: function for task, function in found.items() if function is not None}


def _thresholds(named: Path | None, report: Report) -> Thresholds | None:
    if named is None and not _USUAL.exists():
        return None
    from curieval.report.thresholds import load_thresholds
    from evals import ALL_HOMES, load_task

    known = {task: {f.name for f in load_task(task).figures} for task in ALL_HOMES}
    known |= {task: {f.name for f in about.figures} for task, about in report.tasks.items()}
    return load_thresholds(named or _USUAL, tasks=known)


def _exit_code(
    report: Report, gates: Sequence[GateResult], regressions: Sequence[GateResult]
) -> int:
    from curieval.report.exits import Facts, exit_code

    wholes = [summary for summary in report.summaries if not summary.slice]
    asked = sum(summary.counts.asked for summary in wholes)
    return exit_code(
        Facts(
            budget_reached=any("budget" in summary.reasons for summary in wholes),
            asked=asked,
            failed=asked - sum(summary.counts.scored for summary in wholes),
            worse_than_baseline=any(each.state == "failed" for each in regressions),
            threshold_missed=any(each.state == "failed" for each in gates),
        )
    )


def _print_gates(results: Sequence[GateResult]) -> None:
    from curieval.report.tables import inert, wrapped

    words = {"failed": "MISSED", "skipped": "skipped", "passed": "kept"}
    for state in ("failed", "skipped", "passed"):
        for each in results:
            if each.state == state:
                print(inert(wrapped(f"{words[state]}: {each.message}", width())))
    if not results:
        print("no rule applies to the models and tasks of this report")


def _pairs(models: Sequence[str]) -> dict[str, str] | None:
    pairs = {}
    for pair in models:
        first, sign, second = pair.partition("=")
        if not (first and sign and second):
            raise typer.BadParameter(f"--model {pair}: expected A=B, a model of each report")
        pairs[first] = second
    return pairs or None


def _write_comparison(file: Path, folder: Path, report: Report, found: Sequence[Any]) -> None:
    from curieval.report.atomic import write_whole
    from curieval.report.html import page_parts
    from curieval.report.run import read_run

    run = read_run(folder if folder.is_dir() else folder.parent)
    explain = _of_tasks("explain", run)
    write_whole(file, page_parts(report, run, explain=explain, comparisons=found))
    say(f"page: {file}")
