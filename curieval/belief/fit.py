"""Priors measured on curated sentences: rand = 1 − accuracy − syst, reader by reader."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curieval.belief.statements import LeftOut
from curieval.belief.truth import Truth
from curieval.models.errors import ConfigError
from curieval.report.atomic import write_whole
from curieval.report.tables import Column, inert, table, wrapped
from scoring.priors import load_priors
from scoring.statistics import wilson_interval

FEWEST = 100
# INDRA's own for nearly all readers; taken for those that it does not name.
USUAL_SYST = 0.05
MOST_LISTED = 10


@dataclass(frozen=True, kw_only=True)
class ReaderPrior:
    """A reader's share of right sentences with its 95 % Wilson interval, and what follows of it.

    `rand_low` and `rand_high` are what the ends of that interval give, none where the prior is
    INDRA's since fewer than the wanted sentences were curated (`fitted` false). `syst` is INDRA's.
    """

    reader: str
    n: int
    right: int
    accuracy: float
    low: float
    high: float
    fitted: bool
    rand: float | None
    rand_low: float | None
    rand_high: float | None
    syst: float | None
    indra_rand: float | None


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Priors fitted to a truth set, and what of the set was left out."""

    truth: str
    rows: int
    sentences: int
    fewest: int
    readers: Sequence[ReaderPrior]
    left_out: Sequence[LeftOut]
    notes: Sequence[str]

    def as_json(self) -> dict[str, Any]:
        """Everything as JSON data."""
        return asdict(self)

    def as_text(self, width: int) -> str:
        """A line for each reader, then what was left out."""
        head = f"{self.truth}: {self.sentences} curated sentences in {self.rows} rows"
        readers = self.readers
        columns = [
            Column(head="reader", cells=[each.reader for each in readers], left=True),
            Column(head="n", cells=[str(each.n) for each in readers]),
            Column(head="accuracy", cells=[f"{each.accuracy:.3f}" for each in readers]),
            Column(head="95 %", cells=[f"{each.low:.3f}–{each.high:.3f}" for each in readers]),
            Column(head="rand", cells=[_number(each.rand) for each in readers]),
            Column(head="95 %", cells=[_range(each) for each in readers], worth=8),
            Column(head="syst", cells=[_number(each.syst) for each in readers]),
            Column(head="INDRA's\nrand", cells=[_number(each.indra_rand) for each in readers]),
            Column(
                head="prior", cells=["fitted" if each.fitted else "INDRA's" for each in readers]
            ),
        ]
        lines = [wrapped(head, width), "", *table(columns, width)]
        lines += left_out_lines(self.left_out, width)
        return inert("\n".join(lines) + "\n")

    def priors(self) -> dict[str, dict[str, float | int]]:
        """The priors as `--priors FILE` reads them: INDRA's, the fitted ones in their place."""
        known: dict[str, dict[str, float | int]] = {
            source: {"rand": prior.rand, "syst": prior.syst}
            for source, prior in load_priors("indra").items()
        }
        for each in self.readers:
            if each.fitted and each.rand is not None and each.syst is not None:
                known[each.reader] = {
                    "rand": each.rand,
                    "syst": each.syst,
                    "n": each.n,
                    "accuracy": each.accuracy,
                    "accuracy_low": each.low,
                    "accuracy_high": each.high,
                }
        return known


def fit_priors(truth: Truth, *, fewest: int = FEWEST) -> Fit:
    """Fit rand of each reader with at least `fewest` curated sentences; syst stays INDRA's.

    A rand below 0 (a reader that errs less often than syst says) is 0, and noted.
    """
    known = load_priors("indra")
    counts: dict[str, list[bool]] = {}
    for one in truth.curated:
        counts.setdefault(one.sentence.source_api, []).append(one.right)
    readers, notes = [], []
    for reader, rights in sorted(counts.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        prior = known.get(reader)
        share = wilson_interval(sum(rights), len(rights))
        fitted = len(rights) >= fewest
        syst = prior.syst if prior else USUAL_SYST if fitted else None
        rand = prior.rand if prior else None
        rands: tuple[float | None, float | None] = (None, None)
        if fitted and syst is not None:
            rand = max(0.0, 1.0 - share.mean - syst)
            rands = (max(0.0, 1.0 - share.high - syst), max(0.0, 1.0 - share.low - syst))
            if share.mean > 1.0 - syst:
                notes.append(f"{reader[:60]}: errs less often than syst {syst:g} says; rand is 0")
            if prior is None:
                notes.append(f"{reader[:60]}: INDRA has no prior for it; syst is {USUAL_SYST:g}")
        readers.append(
            ReaderPrior(
                reader=reader,
                n=len(rights),
                right=sum(rights),
                accuracy=share.mean,
                low=share.low,
                high=share.high,
                fitted=fitted,
                rand=rand,
                rand_low=rands[0],
                rand_high=rands[1],
                syst=syst,
                indra_rand=prior.rand if prior else None,
            )
        )
    nameless = [each.reader[:60] for each in readers if each.rand is None]
    if nameless:
        notes.append(
            f"too few sentences, and no prior of INDRA's; not in the priors: {', '.join(nameless)}"
        )
    return Fit(
        truth=truth.name,
        rows=truth.rows,
        sentences=len(truth.curated),
        fewest=fewest,
        readers=readers,
        left_out=truth.left_out,
        notes=notes,
    )


def write_priors(fit: Fit, out: Path, source: Path) -> None:
    """Write the priors as JSON, whole or not at all; CurievalError where that cannot be."""
    if out.exists() and out.samefile(source):
        raise ConfigError(f"{out}: is the truth set that is being read; name another file")
    write_whole(out, [json.dumps(fit.priors(), indent=1, ensure_ascii=False, allow_nan=False)])


def left_out_lines(left_out: Sequence[LeftOut], width: int) -> list[str]:
    """How much was left out, and the first places of it."""
    if not left_out:
        return []
    lines = ["", f"left out: {len(left_out)}"]
    lines += [wrapped(f"  {each.origin}: {each.why}", width) for each in left_out[:MOST_LISTED]]
    more = len(left_out) - MOST_LISTED
    return lines + ([f"  and {more} more; --json lists all"] if more > 0 else [])


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _range(each: ReaderPrior) -> str:
    if each.rand_low is None or each.rand_high is None:
        return "–"
    return f"{each.rand_low:.3f}–{each.rand_high:.3f}"
