"""Has many answers judged at once, asking again where a verdict cannot be read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import msgspec

from curieval.models.client import Client
from curieval.models.errors import ModelUnavailable
from curieval.models.families import relatives
from curieval.models.types import Reply, Request
from curieval.report.judges import judge_line
from curieval.report.schema import JudgeInfo
from evals.protein_qa.canaries import check_judge
from evals.protein_qa.cases import QaCase
from evals.protein_qa.prompt import build_judge_request, judge_settings, read_judgement
from scoring.judge import Mode

MOST_ATTEMPTS = 3
HOPELESS = frozenset({"auth", "bad_request"})
NOT_RUN = frozenset({"budget", "cancelled", "not_cached"})
State = Literal["scored", "unscored", "not_run"]


@dataclass(frozen=True, kw_only=True)
class Item:
    """An answer to a case."""

    case: QaCase
    answer: str


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The score of an answer from 0 to 100, the mean of `scores` where the judge was repeated.

    Without a score the reason says why: the call failed, was not made, or no reply could be read.
    """

    state: State
    reason: str
    scores: tuple[float, ...] = ()
    replies: tuple[Reply, ...] = field(default=(), repr=False)

    @property
    def score(self) -> float | None:
        """The mean over repeats."""
        return math.fsum(self.scores) / len(self.scores) if self.scores else None

    @property
    def spread(self) -> float | None:
        """The highest less the lowest score of the repeats."""
        return max(self.scores) - min(self.scores) if self.scores else None


class Adjudicator:
    """A judge at work: `judge` scores answers, `check` tries it on answers of known quality."""

    def __init__(self, client: Client, *, mode: Mode = "rubric", repeats: int = 1) -> None:
        self.client = client
        self.mode: Mode = mode
        self.repeats = repeats
        self.spent_usd = 0.0
        self.unpriced = 0
        self.calls = 0
        self._is_tried = client.instant

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        """Score answers, in order. ModelUnavailable where the judge refuses the very first call."""
        verdicts = [_first(item, self.mode) for item in items]
        open_ = [n for n, verdict in enumerate(verdicts) if verdict is None]
        found = self._judge_each([items[n] for n in open_ for _ in range(self.repeats)])
        for place, n in enumerate(open_):
            verdicts[n] = _merged(found[place * self.repeats : (place + 1) * self.repeats])
        return [verdict for verdict in verdicts if verdict is not None]

    @cached_property
    def check(self) -> Mapping[str, Any]:
        """What canaries say of the judge, in its mode."""
        return check_judge(self.ask, mode=self.mode)

    def info(self, *, checked: bool = True) -> JudgeInfo:
        """Who judges, as reports say it."""
        check = self.check if checked else None
        return msgspec.convert(
            {"model": self.client.name, "identity": dict(self.client.identity), "check": check},
            JudgeInfo,
        )

    def line(self, *, checked: bool = True) -> str:
        """Who judges and how its canaries fared, in one line."""
        return judge_line(self.info(checked=checked))

    def settings(self) -> dict[str, Any]:
        """What the scores depend on besides the judge."""
        return {**judge_settings(self.mode), "repeats": self.repeats, "attempts": MOST_ATTEMPTS}

    def relatives(self, models: Sequence[str]) -> list[str]:
        """Those of the models that are of the judge's family, by name."""
        identity = self.client.identity
        names = (identity.get(key) for key in ("model", "model_id", "name"))
        return relatives((self.client.name, *(str(name) for name in names if name)), models)

    def ask(self, requests: Sequence[Request]) -> list[Reply]:
        """Ask the judge, at first with one request alone; ModelUnavailable if that is hopeless."""
        if not requests:
            return []
        replies: list[Reply] = []
        if not self._is_tried:
            # A wrong key must cost one call, not one for each row of a table.
            replies.append(self.client.ask(requests[0]))
            failure = replies[0].failure
            if failure is not None and failure.kind in HOPELESS:
                raise ModelUnavailable(
                    f"the judge {self.client.name!r} refuses: {failure.message}; nothing was scored"
                )
            self._is_tried = True
        replies += self.client.ask_many(requests[len(replies) :])
        self._book(replies)
        return replies

    def _judge_each(self, items: Sequence[Item]) -> list[Verdict]:
        verdicts: dict[int, Verdict] = {}
        replies: list[tuple[Reply, ...]] = [() for _ in items]
        asked = list(range(len(items)))
        for attempt in range(1, MOST_ATTEMPTS + 1):
            found = self.ask([self._request(items[n], n, attempt) for n in asked])
            for n, reply in zip(asked, found, strict=True):
                replies[n] += (reply,)
                verdicts[n] = self._read(items[n].case, replies[n])
            asked = [
                n
                for n in asked
                if verdicts[n].state == "unscored" and replies[n][-1].failure is None
            ]
        return [verdicts[n] for n in range(len(items))]

    def _request(self, item: Item, place: int, attempt: int) -> Request:
        # Repeats and attempts are numbered through, so that each is a call of its own.
        number = place % self.repeats * MOST_ATTEMPTS + attempt
        request = build_judge_request(item.case, Reply(text=item.answer), number, mode=self.mode)
        assert request is not None
        return request

    def _read(self, case: QaCase, replies: tuple[Reply, ...]) -> Verdict:
        failure = replies[-1].failure
        if failure is not None:
            state: State = "not_run" if failure.kind in NOT_RUN else "unscored"
            return Verdict(state=state, reason=f"judge_failed ({failure.kind})", replies=replies)
        read = read_judgement(case, replies[-1], mode=self.mode)
        if read.score is None:
            return Verdict(
                state="unscored", reason=f"judge_unreadable ({read.reason})", replies=replies
            )
        return Verdict(state="scored", reason=read.reason, scores=(read.score,), replies=replies)

    def _book(self, replies: Sequence[Reply]) -> None:
        if self.client.instant:
            return
        for reply in replies:
            if reply.from_cache or reply.attempts == 0:
                continue
            self.calls += 1
            self.spent_usd += reply.cost_usd or 0.0
            self.unpriced += reply.cost_usd is None and reply.failure is None


def _first(item: Item, mode: Mode) -> Verdict | None:
    """The verdict on what scores 0 unasked, None for what must be asked."""
    if build_judge_request(item.case, Reply(text=item.answer), 1, mode=mode) is None:
        return Verdict(state="scored", reason="nothing_to_judge", scores=(0.0,))
    return None


def _merged(verdicts: Sequence[Verdict]) -> Verdict:
    """Repeats as one: scored where any is, since each tells of the same answer."""
    scored = [verdict for verdict in verdicts if verdict.state == "scored"]
    first = (scored or [*verdicts])[0]
    return Verdict(
        state=first.state,
        reason=first.reason,
        scores=tuple(score for verdict in scored for score in verdict.scores),
        replies=tuple(reply for verdict in verdicts for reply in verdict.replies),
    )
