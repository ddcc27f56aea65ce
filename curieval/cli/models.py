"""`curieval models`: which models can be used here, and one real call to see that it works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curieval.cli import options
from curieval.cli.app import answer, group

if TYPE_CHECKING:
    from curieval.models.listing import ListedModel
    from curieval.models.types import Reply

commands = group("models", "List the models that can be used, and try one.")
commands.info.no_args_is_help = False

ModelsFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Servers of your own.",
        show_default="./models.toml, else that of your configuration folder",
    ),
]


@commands.callback(invoke_without_command=True)
def models(
    context: typer.Context, models_file: ModelsFile = None, json: options.Json = False
) -> None:
    """List the models that can be used, and why the others cannot. No call is made.

    \b
    Examples:
      curieval models
      curieval models check embedded
    """
    if context.invoked_subcommand is None:
        from curieval.models.listing import list_models

        answer(Listing(models=list_models(models_file)), as_json=json)


@commands.command("check")
def check(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As in `pytest evals --model NAME`.")],
    models_file: ModelsFile = None,
    json: options.Json = False,
) -> None:
    """Make one real call and show latency, tokens and cost; exit code 1 when it fails.

    \b
    Examples:
      curieval models check embedded
      curieval models check claude-haiku-4-5
    """
    from curieval.models.client import Client
    from curieval.models.settings import ClientSettings

    with Client(name, settings=ClientSettings(models_file=models_file)) as client:
        trial = Trial(
            model=name,
            destination=client.destination,
            identity=dict(client.identity),
            reply=client.ask(_question()),
        )
    answer(trial, as_json=json)
    if trial.reply.failure is not None:
        raise typer.Exit(1)


@dataclass(frozen=True, kw_only=True)
class Listing:
    """The models that were looked at."""

    models: Sequence[ListedModel]

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return {"models": [asdict(each) for each in self.models]}

    def as_text(self, width: int) -> str:
        """What can be used, then what cannot and why."""
        from curieval.report.tables import Column, inert, table, wrapped

        usable = [each for each in self.models if each.problem is None]
        columns = [
            Column(head="model", cells=[each.name for each in usable], left=True),
            Column(head="kind", cells=[each.kind for each in usable], left=True),
            Column(head="cases go to", cells=[each.destination for each in usable], left=True),
        ]
        lines = table(columns, width)
        reasons: dict[str, list[str]] = {}
        for each in self.models:
            if each.problem is not None:
                why = each.problem.removeprefix(f"model {each.name!r}: ")
                reasons.setdefault(why, []).append(each.name)
        if reasons:
            lines += ["", "cannot be used:"]
        lines += [wrapped(f"{', '.join(names)}: {why}", width) for why, names in reasons.items()]
        return inert("\n".join(lines) + "\n")


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One call and what came back."""

    model: str
    destination: str
    identity: Mapping[str, Any]
    reply: Reply

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return {
            "model": self.model,
            "destination": self.destination,
            "identity": dict(self.identity),
            "reply": asdict(self.reply),
        }

    def as_text(self, width: int) -> str:
        """What came back, how long it took and what it cost."""
        from curieval.report.tables import inert, wrapped

        reply = self.reply
        lines = [f"{self.model}, asked at {self.destination}"]
        if reply.failure is not None:
            lines.append(wrapped(f"failed: {reply.failure.kind}: {reply.failure.message}", width))
        else:
            lines.append(wrapped(f"answer ({reply.finish}): {reply.text.strip()[:200]}", width))
        cost = "unknown" if reply.cost_usd is None else f"${reply.cost_usd:.6f}"
        sent, received = (
            "?" if count is None else str(count)
            for count in (reply.usage.tokens_in, reply.usage.tokens_out)
        )
        lines.append(
            f"{reply.seconds:.2f} s, {reply.attempts} attempts, {sent} tokens in, "
            f"{received} tokens out, cost {cost}"
        )
        return inert("\n".join(lines) + "\n")


def _question() -> Any:  # noqa: ANN401 - a Request, whose module loads late
    from curieval.models.types import Hints, Message, Request

    return Request(
        messages=(
            Message(role="system", content="You are a curator of biosample metadata."),
            Message(role="user", content="Which gas do plants take up from the air?"),
        ),
        max_tokens=24,
        hints=Hints(case_id="check", reference="carbon dioxide", allowed=("carbon dioxide",)),
    )
