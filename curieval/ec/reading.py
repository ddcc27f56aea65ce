"""EC numbers as tables hold them: lists in JSON, one or several in a cell, or free text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from curieval.tables import ABSENT, text_of
from scoring.ec_numbers import load_ec_facts, read_code
from scoring.ec_text import parse_ec

_NONE_GIVEN = frozenset({"empty", "explicit_none"})


@dataclass(frozen=True, kw_only=True, slots=True)
class EcCell:
    """The numbers of a cell, four fields each, and how reading went.

    `reading` is `ok`, `empty` or `explicit_none` (no enzyme), else why nothing was read;
    `problem` names the part of a reference that is no EC number.
    """

    codes: tuple[str, ...]
    reading: str
    problem: str | None = None

    @property
    def is_unreadable(self) -> bool:
        """Whether something stands there and is neither a number nor a word for none."""
        return not self.codes and self.reading not in _NONE_GIVEN

    @property
    def dead_numbers(self) -> str:
        """The transferred and deleted numbers among them."""
        facts = load_ec_facts()
        dead = (code for code in self.codes if code in facts.replaced or code in facts.deleted)
        return "; ".join(dead)


def read_prediction(value: object) -> EcCell:
    """Read an answer: a list of numbers, or text as `scoring.parse_ec` reads it."""
    if isinstance(value, (list, tuple)):
        return _joined([_read_answer(text_of(each)) for each in value])
    return _read_answer(_plain(value))


def read_reference(value: object) -> EcCell:
    """Read a reference: numbers of one to four fields, listed or separated; none is no enzyme."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return _joined([_read_part(_plain(each)) for each in parts])


def _plain(value: object) -> str:
    return "" if value is ABSENT else text_of(value)


@lru_cache(maxsize=1 << 16)
def _read_answer(text: str) -> EcCell:
    answer = parse_ec(text)
    return EcCell(codes=answer.codes, reading=answer.reason)


@lru_cache(maxsize=1 << 16)
def _read_part(text: str) -> EcCell:
    read = read_code(text.strip())
    if read.code:
        return EcCell(codes=(read.code,), reading="ok")
    answer = parse_ec(f"EC {text.strip()}" if text.strip()[:1].isdigit() else text)
    refused = any(note.startswith("refused") for note in answer.notes)
    if refused or answer.reason not in ("ok", *_NONE_GIVEN):
        why = answer.reason if answer.reason != "ok" else "malformed"
        return EcCell(codes=(), reading=why, problem=f"unreadable: {text[:60]!r} ({why})")
    return EcCell(codes=answer.codes, reading=answer.reason)


def _joined(cells: Sequence[EcCell]) -> EcCell:
    if len(cells) == 1:
        return cells[0]
    codes = tuple(dict.fromkeys(code for cell in cells for code in cell.codes))
    problem = next((cell.problem for cell in cells if cell.problem), None)
    if codes or not cells:
        return EcCell(codes=codes, reading="ok" if codes else "empty", problem=problem)
    return EcCell(codes=(), reading=cells[0].reading, problem=problem)
