"""`curieval judge-check`, `score qa` and `cases qa`: judged answers, and judges that are judged."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from curieval.cli import asking, options
from curieval.cli.app import answer
from curieval.cli.cases import commands as cases_commands
from curieval.cli.score import commands as score_commands

commands = typer.Typer(rich_markup_mode=None, add_completion=False)

JudgeName = Annotated[
    str,
    typer.Option(
        "--judge",
        metavar="NAME",
        envvar="CURIEVAL_JUDGE",
        help="Model that judges, as in `pytest evals --judge NAME`.",
    ),
]
ModeOption = Annotated[
    Literal["rubric", "card"] | None,
    typer.Option(
        "--mode",
        metavar="rubric|card",
        help="0 or 1 for each point of a rubric, or one score from 0 to 100.",
        show_default="rubric; a table without rubrics: card",
    ),
]
RunFolder = Annotated[
    Path | None,
    typer.Option("--report", metavar="DIR", help="A run's folder, as its --report named it."),
]


@commands.command("judge-check", short_help="Try a judge on known answers and against people.")
def judge_check(
    judge: JudgeName = "reference-judge",
    human: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="People's ratings: .xlsx or a table with the columns id, answer, score.",
        ),
    ] = None,
    report: RunFolder = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A model whose answers it is to judge. Repeatable; not called."
        ),
    ] = None,
    mode: ModeOption = None,
    column: options.Columns = None,
    encoding: options.Encoding = None,
    cache: asking.CacheFile = None,
    max_cost: asking.MaxCost = None,
    concurrency: asking.Concurrency = None,
    offline: asking.Offline = False,
    refresh: asking.Refresh = False,
    models_file: asking.ModelsFile = None,
    json: options.Json = False,
) -> None:
    """Is the judge any good? Exit code 1 where it is not trusted.

    It is tried on answers of known quality (canaries). With --human it is also held against
    people: bias, error, rank correlation, kappa and alpha, each with an interval, and the mean
    that people would give by the prediction-powered estimate, for which rows without a score,
    or the run that --report names, supply the answers that nobody rated.

    \b
    Examples:
      curieval judge-check
      curieval judge-check --judge deepseek-v3 --max-cost 0.50
      curieval judge-check --judge claude-haiku-4-5 --human ratings.xlsx --report reports/today
    """
    from curieval.models.client import Client
    from curieval.qa.adjudicator import Adjudicator
    from curieval.qa.check import check_with_people
    from curieval.qa.ratings import READ, models_of_run, open_ratings, read_ratings
    from curieval.tables import read_mapping

    ratings = table = None
    if human is not None:
        table = open_ratings(human, encoding=encoding)
        ratings = read_ratings(table, mapping=read_mapping(column or (), READ), report=report)
    models = [*(model or ()), *(models_of_run(report) if report else ())]
    settings = asking.client_settings(cache, max_cost, concurrency, offline, refresh, models_file)
    with Client(judge, settings=settings) as client:
        adjudicator = Adjudicator(client, mode=mode or "rubric")
        found = check_with_people(
            adjudicator,
            ratings=ratings,
            models=models,
            repairs=dict(table.repairs) if table else None,
        )
    answer(found, as_json=json, notes=found.notes, repairs=found.repairs)
    if not found.trusted:
        raise typer.Exit(1)


@score_commands.command("qa")
def score_qa(
    file: options.Table,
    judge: JudgeName = "reference-judge",
    out: options.Out = None,
    mode: ModeOption = None,
    repeats: Annotated[
        int, typer.Option(metavar="N", min=1, help="Ask the judge N times about each answer.")
    ] = 1,
    check: Annotated[
        bool, typer.Option(help="Try the judge on answers of known quality first.")
    ] = True,
    column: options.Columns = None,
    encoding: options.Encoding = None,
    doubled_ids: Annotated[
        bool, typer.Option("--doubled-ids", help="Score rows although their ids repeat.")
    ] = False,
    cache: asking.CacheFile = None,
    max_cost: asking.MaxCost = None,
    concurrency: asking.Concurrency = None,
    offline: asking.Offline = False,
    refresh: asking.Refresh = False,
    models_file: asking.ModelsFile = None,
    json: options.Json = False,
) -> None:
    """LLM-Score of answers to protein questions; exit code 1 below 98 % coverage.

    Columns: question, reference, prediction, and where there are any id, rubric, must_not and
    model. A rubric is a list of points (in text one a line, or between ` | `). An unreadable
    verdict is asked for again twice, then the row is unscored. The scored table keeps your rows
    and columns and adds llm_score, judge_state, judge_reason, judge_calls and judge_cost_usd.

    \b
    Examples:
      curieval score qa answers.tsv
      curieval score qa answers.jsonl --judge deepseek-v3 --max-cost 2 -o scored.tsv
      curieval score qa run.csv --judge gpt-4o-mini --mode card --column prediction=response
    """
    from curieval.models.client import Client
    from curieval.qa.adjudicator import Adjudicator
    from curieval.qa.score import READ, score_table, usual_mode
    from curieval.tables import open_table, read_mapping

    table = open_table(file, encoding=encoding)
    mapping = read_mapping(column or (), READ)
    settings = asking.client_settings(cache, max_cost, concurrency, offline, refresh, models_file)
    with Client(judge, settings=settings) as client:
        adjudicator = Adjudicator(client, mode=mode or usual_mode(table, mapping), repeats=repeats)
        found = score_table(
            table, adjudicator, mapping=mapping, out=out, checked=check, doubled_ids=doubled_ids
        )
    answer(found, as_json=json, notes=found.notes, repairs=found.repairs)
    if not found.is_covered:
        raise typer.Exit(1)


@cases_commands.command("qa")
def cases_qa(
    for_rating: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Write a blind sheet of N answers for people."),
    ] = None,
    report: RunFolder = None,
    seed: Annotated[int, typer.Option(help="The same seed draws the same answers.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Sheet: .xlsx, .tsv or .csv. Questions: .jsonl.",
            show_default="questions: standard output",
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the account as JSON.")] = False,
) -> None:
    """The protein questions as a case file, or a blind sheet of answers for people to rate.

    With --for-rating the sheet shows question, reference, answer and an empty score, in random
    order and without the names of models: N answers drawn at random from the run that --report
    names, or from the authored answers of known quality. `curieval judge-check --human FILE`
    reads it back.

    \b
    Examples:
      curieval cases qa -o questions.jsonl
      curieval cases qa --for-rating 60 --report reports/today -o ratings.xlsx
    """
    from curieval.qa.sheet import write_sheet
    from curieval.qa.suite import suite_lines, write_suite

    if for_rating is not None:
        if out is None:
            raise typer.BadParameter("--for-rating writes a sheet: name it with --out")
        sheet = write_sheet(out, n=for_rating, seed=seed, report=report)
        answer(sheet, as_json=json, notes=sheet.notes, repairs=sheet.repairs)
    elif report is not None:
        raise typer.BadParameter("--report supplies answers: say how many with --for-rating N")
    elif out is None:
        sys.stdout.write(suite_lines())
    else:
        answer(write_suite(out), as_json=json)
