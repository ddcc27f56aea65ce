"""Scores every sentence of a file of INDRA statements by a model, and writes one row for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from curieval.evidence import EvidenceScore, score_pairs
from curieval.models.client import Client
from curieval.models.errors import ModelUnavailable
from curieval.models.types import CaseFileError
from curieval.statements.reading import LeftOut, Sentence, read_sentences
from curieval.tables import open_output
from scoring.grounding import Grounding

State = Literal["scored", "unscored", "not_run", "no_text"]
COLUMNS = (
    "place", "matches_hash", "source_hash", "type", "claim", "source_api", "negated", "text",
    "state", "verdict", "confidence", "score", "tier", "reason", "grounding", "model",
    "tokens_in", "tokens_out", "cost_usd", "seconds", "from_cache",
)  # fmt: skip
SENTENCES_AT_A_TIME = 2_000
_HOPELESS = ("auth", "bad_request")
_NOT_RUN = ("budget", "cancelled", "not_cached")
# These answer from what only the cases of an evaluation bring along.
_OF_CASES = frozenset({"reference", "random"})


@dataclass(kw_only=True)
class Tally:
    """What was counted over all sentences; `calls` were made now, cached ones apart."""

    sentences: int = 0
    states: Counter[str] = field(default_factory=Counter)
    tiers: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)
    calls: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    left_out: list[LeftOut] = field(default_factory=list)
    repairs: Counter[str] = field(default_factory=Counter)


def score_file(
    path: Path,
    client: Client,
    *,
    out: Path | None = None,
    use_grounding: bool = True,
    progress: Callable[[int, int], None] = lambda done, n: None,
) -> Tally:
    """Score all sentences of a file, write them where `out` names a table, and count.

    The file is read to its end before the first call, so that a mistake costs nothing.
    `progress` is told how many sentences are behind and how many there are. Raises
    CaseFileError, TableError, and ModelUnavailable where the model refuses the first call.
    """
    if client.name in _OF_CASES or client.identity.get("kind") == "rule":
        raise ModelUnavailable(
            f"the baseline {client.name!r} answers the cases of `pytest evals` alone; name a "
            'model, or constant:TEXT such as \'constant:{"verdict": "correct"}\''
        )
    n = sum(isinstance(one, Sentence) for one in read_sentences(path))
    tally = Tally()
    with open_output(out, COLUMNS, source=path) if out else nullcontext() as output:
        scorer = _Scorer(client, use_grounding, lambda done: progress(done, n))
        for sentences in _parts(read_sentences(path), tally.left_out):
            scores = scorer.score(sentences)
            for sentence, score in zip(sentences, scores, strict=True):
                _count(tally, sentence, score)
            if output is not None:
                rows = [*map(_row, sentences, scores)]
                columns = {name: [row[name] for row in rows] for name in COLUMNS}
                output.write(columns, len(rows))
        if not n:
            raise CaseFileError(_nothing(path, tally))
    if output is not None:
        tally.repairs.update(output.repairs)
    return tally


class _Scorer:
    """Asks sentences of a type one after another; the very first call goes out alone."""

    def __init__(
        self, client: Client, use_grounding: bool, progress: Callable[[int], None]
    ) -> None:
        self._client = client
        self._use_grounding = use_grounding
        self._progress = progress
        self._is_tried = client.instant
        self._behind = 0

    def score(self, sentences: Sequence[Sentence]) -> list[EvidenceScore]:
        """The scores in the order of the sentences."""
        order = sorted(range(len(sentences)), key=lambda n: sentences[n].type)
        found: dict[int, EvidenceScore] = {}
        while order and not self._is_tried:
            # A wrong key must cost one call, not one for each sentence.
            (found[order[0]],) = self._ask([sentences[order[0]]])
            self._try(found[order.pop(0)])
        found |= zip(order, self._ask([sentences[n] for n in order]), strict=True)
        return [found[n] for n in range(len(sentences))]

    def _ask(self, sentences: Sequence[Sentence]) -> list[EvidenceScore]:
        pairs = [(one.statement, one.evidence) for one in sentences]
        started = self._behind

        def start() -> None:
            nonlocal started
            started += 1
            self._progress(started)

        scores = score_pairs(pairs, self._client, use_grounding=self._use_grounding, started=start)
        self._behind += len(scores)
        self._progress(self._behind)
        return scores

    def _try(self, score: EvidenceScore) -> None:
        if score.model is None:
            return
        if score.tier == "unscored" and failure_of(score) in _HOPELESS:
            raise ModelUnavailable(
                f"the model {self._client.name!r} refuses: {score.reason}; nothing was scored"
            )
        self._is_tried = True


def failure_of(score: EvidenceScore) -> str:
    """The kind of what kept a sentence from being scored, the first word of its reason."""
    return (score.reason or "").partition(":")[0]


def state_of(score: EvidenceScore) -> State:
    """Judged; nobody can tell; not asked for want of budget or cache; or nothing to ask about."""
    if score.tier == "no_text":
        return "no_text"
    if score.tier != "unscored":
        return "scored"
    return "not_run" if failure_of(score) in _NOT_RUN else "unscored"


def _parts(
    found: Iterator[Sentence | LeftOut], left_out: list[LeftOut]
) -> Iterator[list[Sentence]]:
    part: list[Sentence] = []
    for one in found:
        if isinstance(one, LeftOut):
            left_out.append(one)
            continue
        part.append(one)
        if len(part) == SENTENCES_AT_A_TIME:
            yield part
            part = []
    if part:
        yield part


def _nothing(path: Path, tally: Tally) -> str:
    first = f"; the first of {len(tally.left_out)}: {tally.left_out[0]}" if tally.left_out else ""
    return f"{path}: holds no sentence that can be scored{first}"


def _count(tally: Tally, sentence: Sentence, score: EvidenceScore) -> None:
    state = state_of(score)
    tally.sentences += 1
    tally.states[state] += 1
    tally.tiers[score.tier] += 1
    tally.first.setdefault(state, sentence.origin)
    if state == "scored":
        tally.verdicts[score.verdict or "none"] += 1
        if score.verdict is None:
            tally.reasons[score.reason or "unreadable"] += 1
    elif state != "no_text":
        tally.reasons[failure_of(score)] += 1
    if score.model is None or state == "not_run":
        return
    if score.from_cache:
        tally.cached += 1
        return
    tally.calls += 1
    tally.tokens_in += score.tokens_in or 0
    tally.tokens_out += score.tokens_out or 0
    tally.cost_usd += score.cost_usd or 0.0
    tally.unpriced += score.cost_usd is None and state == "scored"


def _row(sentence: Sentence, score: EvidenceScore) -> dict[str, Any]:
    names = ("place", "matches_hash", "source_hash", "type", "claim", "source_api", "negated")
    own = {name: getattr(sentence, name) for name in names if name != "place"}
    said = {name: getattr(score, name) for name in COLUMNS[9:] if name != "grounding"}
    text = sentence.evidence.get("text")
    return {
        "place": sentence.origin,
        **own,
        "text": text if isinstance(text, str) else None,
        "state": state_of(score),
        **said,
        "grounding": [_grounding(one) for one in score.grounding],
    }


def _grounding(found: Grounding | None) -> dict[str, Any] | None:
    """What is told of one agent in a row; None for an unknown agent."""
    if found is None:
        return None
    return {
        "agent": found.claim_name,
        "raw_text": found.raw_text,
        "status": found.status,
        "best": found.best.curie if found.best else None,
        "rejects": found.auto_reject,
    }
