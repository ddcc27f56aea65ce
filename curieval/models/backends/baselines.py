"""Answers that need no model: what a language model has to beat."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from curieval.models.types import Failure, Hints, Reply, Request, Usage

Answerer = Callable[[Request], Reply]


def answer_constant(text: str) -> Answerer:
    """Return an answerer that says the same to every request."""
    return lambda request: _reply(text)


def answer_reference(request: Request) -> Reply:
    """Give the reference itself: the harness must score it as right."""
    return _reply(request.hints.reference)


def answer_random(request: Request) -> Reply:
    """Draw one of the allowed answers, the same for a case in every run; empty where none are."""
    hints = request.hints
    return _reply(hints.allowed[_draw(hints, request.repeat)] if hints.allowed else "")


def answer_by_rule(name: str) -> Answerer:
    """Return an answerer that answers by the task's own rule of this name."""

    def answer(request: Request) -> Reply:
        rule = request.hints.answers.get(name)
        if rule is None:
            failure = Failure(kind="bad_request", message=f"the task has no rule named {name}")
            return Reply(failure=failure)
        return _reply(rule())

    return answer


def _draw(hints: Hints, repeat: int) -> int:
    digest = hashlib.sha256(f"{hints.case_id}\n{repeat}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % len(hints.allowed)


def _reply(text: str) -> Reply:
    return Reply(text=text, finish="stop", usage=Usage(), cost_usd=0.0)
