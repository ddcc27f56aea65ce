"""Which models can be used here, and why the others cannot."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from curieval.models.errors import CurievalError
from curieval.models.names import BASELINES, CLAUDES, CONSTANT, Kind


@dataclass(frozen=True, kw_only=True)
class ListedModel:
    """A name for --model; `problem` says what is missing, None where nothing is."""

    name: str
    kind: Kind
    destination: str
    problem: str | None


def list_models(models_file: Path | None = None, *, with_llm: bool = True) -> list[ListedModel]:
    """Return ours, the servers of models.toml, and with `with_llm` those of the llm library.

    No call is made. Raises ConfigError where models.toml cannot be read.
    """
    from curieval.models.servers import read_servers

    listed = [
        ListedModel(name=name, kind="rule", destination="this process", problem=None)
        for name in (*BASELINES, f"{CONSTANT}TEXT")
    ]
    listed.append(_opened("embedded", "embedded", models_file))
    listed += [_opened(name, "server", models_file) for name in read_servers(models_file)]
    listed += [_opened(name, "anthropic", models_file) for name in CLAUDES]
    if with_llm:
        listed += _of_llm(models_file, {model.name for model in listed})
    return listed


def _opened(name: str, kind: Kind, models_file: Path | None) -> ListedModel:
    from curieval.models.client import Client
    from curieval.models.settings import ClientSettings

    try:
        with Client(name, settings=ClientSettings(models_file=models_file)) as client:
            destination, problem = client.destination, None
    except CurievalError as error:
        destination, problem = "", str(error)
    return ListedModel(name=name, kind=kind, destination=destination, problem=problem)


def _of_llm(models_file: Path | None, ours: set[str]) -> list[ListedModel]:
    from curieval.models.backends.llm_library import import_llm

    try:
        found = import_llm().get_models_with_aliases()
    except CurievalError as error:
        return [ListedModel(name="llm", kind="llm", destination="", problem=str(error))]
    names = [entry.model.model_id for entry in found if entry.model is not None]
    return [_opened(name, "llm", models_file) for name in names if name not in ours]
