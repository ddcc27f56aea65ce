"""Reading a run folder back: its legs, its plan, and the record that stands for each item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from curieval.report.errors import ReportError
from curieval.report.records import RECORDS_FILE, RECORDS_VERSION

State = Literal["scored", "unscored", "not_run"]
STATES: tuple[State, ...] = ("scored", "unscored", "not_run")
MOST_DAMAGE_NAMED = 20
_OFTEN_THE_SAME = ("id", "task", "case", "model", "state", "reason", "reference")


@dataclass(kw_only=True)
class Leg:
    """One start of a run: what it was asked to do, and how it ended (None if it was killed)."""

    number: int
    started: str
    manifest: Mapping[str, Any]
    planned: set[str] = field(default_factory=set)
    finished: str | None = None
    interrupted: bool = False
    exit_code: int | None = None


@dataclass(kw_only=True, slots=True)
class Spending:
    """What one call for an item, its answer's or one of its judge's, cost over all legs, in USD.

    `usd` is what its answers cost whoever paid (a cached reply's first price counts once);
    `charged` is what this run paid; `unknown` counts answers without a known price.
    """

    usd: float = 0.0
    charged: float = 0.0
    unknown: int = 0
    _called: bool = False

    def add(self, reply: Mapping[str, Any]) -> None:
        """Count one reply; a call that failed and has no price costs nothing."""
        price = reply.get("cost_usd")
        unknown = int(price is None and reply.get("finish") is not None)
        if reply.get("from_cache"):
            if not self._called:
                self.usd, self.unknown = price or 0.0, unknown
            return
        if not self._called:
            self.usd, self.unknown, self._called = 0.0, 0, True
        self.usd += price or 0.0
        self.charged += price or 0.0
        self.unknown += unknown


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run folder as it stands: legs, plan, prompt prefixes, and one record an item.

    Texts of prompts and replies stay on disk (`transcripts`), so that memory does not grow
    with them. `repeated` counts items recorded more than once within a leg (reruns).
    """

    folder: Path
    legs: tuple[Leg, ...]
    plan: Mapping[str, Mapping[str, Any]]
    prefixes: Mapping[str, str]
    records: Mapping[str, Mapping[str, Any]]
    spending: Mapping[str, Sequence[Spending]]
    repeated: Mapping[str, int]
    damage: tuple[str, ...]
    offsets: Mapping[str, int]

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The last leg's manifest, with the models, tasks and judges of earlier legs added."""
        merged: dict[str, Any] = dict(self.legs[-1].manifest)
        tasks: dict[str, Any] = {}
        models: dict[str, Any] = {}
        judges: dict[str, Any] = {}
        for leg in self.legs:
            judges.update(leg.manifest.get("judges") or {})
            tasks.update(leg.manifest.get("tasks") or {})
            models.update({each["name"]: each for each in leg.manifest.get("models") or ()})
        return {**merged, "tasks": tasks, "models": list(models.values()), "judges": judges}

    def transcripts(self) -> Iterator[Mapping[str, Any]]:
        """The standing records with prompt and reply text, one at a time, in file order."""
        with (self.folder / RECORDS_FILE).open("rb") as file:
            for offset in sorted(self.offsets.values()):
                file.seek(offset)
                yield _parse(file.readline())


def read_run(folder: Path) -> Run:
    """Read records.jsonl of `folder`; lines that a kill cut off are counted and named.

    Across legs the last record of an item stands, but one that never ran does not displace
    one that did; within a leg the first that was scored stands, so that rerunning cannot pick
    the better score. ReportError where there is no run or its format is another version's.
    """
    path = Path(folder) / RECORDS_FILE
    reader = _Reader(path)
    try:
        with path.open("rb") as file:
            offset = 0
            for number, line in enumerate(file, 1):
                reader.read(line, number, offset)
                offset += len(line)
    except FileNotFoundError:
        raise ReportError(
            f"there is no {RECORDS_FILE} in {folder}; name the folder that a run's --report named"
        ) from None
    except OSError as error:
        raise ReportError(f"{path} cannot be read: {error.strerror or error}") from error
    if not reader.legs:
        raise ReportError(f"{path} holds no run; run the evaluation again")
    if reader.damaged > len(reader.damage):
        reader.damage.append(f"and {reader.damaged - len(reader.damage)} more damaged lines")
    return Run(
        folder=Path(folder),
        legs=tuple(reader.legs),
        plan=reader.plan,
        prefixes=reader.prefixes,
        records=reader.records,
        spending=reader.spending,
        repeated=reader.repeated,
        damage=tuple(reader.damage),
        offsets=reader.offsets,
    )


def _parse(line: bytes) -> dict[str, Any]:
    value = msgspec.json.decode(line)
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, found a {type(value).__name__}")
    return value


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.legs: list[Leg] = []
        self.plan: dict[str, Mapping[str, Any]] = {}
        self.prefixes: dict[str, str] = {}
        self.records: dict[str, Mapping[str, Any]] = {}
        self.spending: dict[str, list[Spending]] = {}
        self.repeated: dict[str, int] = {}
        self.offsets: dict[str, int] = {}
        self.leg_of: dict[str, int] = {}
        self.slices: dict[tuple[tuple[str, object], ...], Mapping[str, str]] = {}
        self.texts: dict[str, str] = {}
        self.damage: list[str] = []
        self.damaged = 0

    def read(self, line: bytes, number: int, offset: int) -> None:
        line = line.strip()
        if not line:
            return
        try:
            value = _parse(line)
            self.take(value, number, offset)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            self.damaged += 1
            if self.damaged <= MOST_DAMAGE_NAMED:
                torn = not line.endswith(b"}")
                what = "is cut off" if torn else f"cannot be read ({error!r:.80})"
                self.damage.append(
                    f"{RECORDS_FILE}:{number} {what}; the item it held counts as not run "
                    "unless another line holds it"
                )

    def take(self, value: dict[str, Any], number: int, offset: int) -> None:
        kind = value["kind"]
        if kind == "run":
            self.start_leg(value, number)
        elif kind == "plan":
            for item in value["items"]:
                self.add_plan(item)
        elif kind == "prefix":
            self.prefixes[value["sha256"]] = value["text"]
        elif kind == "record":
            self.add_record(value, offset)
        elif kind == "end" and self.legs:
            leg = self.legs[-1]
            leg.finished = value.get("finished")
            leg.interrupted = bool(value.get("interrupted"))
            leg.exit_code = value.get("exit_code")

    def start_leg(self, value: dict[str, Any], number: int) -> None:
        version = value.get("schema_version")
        if version != RECORDS_VERSION:
            raise ReportError(
                f"{self.path}:{number} has records of version {version}, this program reads "
                f"version {RECORDS_VERSION}; use the curieval that wrote it"
            )
        manifest = value.get("manifest") or {}
        self.legs.append(
            Leg(number=len(self.legs) + 1, started=value.get("started", ""), manifest=manifest)
        )

    def add_plan(self, item: Mapping[str, Any]) -> None:
        shared = self.shared_texts(item)
        self.plan[shared["id"]] = {
            **item,
            **shared,
            "repeat": item.get("repeat", 1),
            "slices": self.shared_slices(item.get("slices") or {}),
        }
        if self.legs:
            self.legs[-1].planned.add(shared["id"])

    def add_record(self, value: dict[str, Any], offset: int) -> None:
        key, state = self.texts.setdefault(value["id"], value["id"]), value["state"]
        if state not in STATES:
            raise ValueError(f"unknown state {state!r}")
        value.pop("prompt", None)
        judge = value.get("judge") or {}
        spent = self.spending.setdefault(key, [])
        for place, reply in enumerate((value.get("reply"), *judge.get("replies", ()))):
            while len(spent) <= place:
                spent.append(Spending())
            if reply:
                reply.pop("text", None)
                spent[place].add(reply)
        record = {
            **value,
            **{name: value[name] for name in ("task", "case", "model")},
            **self.shared_texts(value),
            "repeat": value.get("repeat", 1),
            "slices": self.shared_slices(value.get("slices") or {}),
            "scores": value.get("scores") or {},
            "flags": value.get("flags") or (),
        }
        earlier = self.records.get(key)
        if earlier is not None:
            if self.leg_of[key] == len(self.legs):
                self.repeated[key] = self.repeated.get(key, 1) + 1
                if earlier["state"] == "scored":
                    return
            elif state == "not_run" and earlier["state"] != "not_run":
                return
        self.records[key] = record
        self.leg_of[key] = len(self.legs)
        self.offsets[key] = offset

    def shared_texts(self, item: Mapping[str, Any]) -> dict[str, str]:
        found = {name: item.get(name) for name in _OFTEN_THE_SAME}
        return {
            name: self.texts.setdefault(text, text)
            for name, text in found.items()
            if isinstance(text, str)
        }

    def shared_slices(self, slices: Mapping[str, Any]) -> Mapping[str, str]:
        # A hundred thousand records have few different slices: one dictionary for equal ones.
        key = tuple(slices.items())
        shared = self.slices.get(key)
        if shared is None:
            shared = {str(name): str(value) for name, value in key}
            self.slices[key] = shared
        return shared
