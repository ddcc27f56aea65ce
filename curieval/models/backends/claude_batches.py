"""Anthropic's Message Batches: many requests at half the price, answered within a day."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from curieval.models.backends.claude_wire import read_message, translated
from curieval.models.batches import BatchLook
from curieval.models.call import Answer, CallError

if TYPE_CHECKING:
    from curieval.models.backends.claude import Claude


class ClaudeBatches:
    """The batches of one Claude model; the key of a reply is the request's id in its batch."""

    share_of_price = 0.5
    most_requests = 10_000
    most_bytes = 64 * 2**20

    def __init__(self, backend: Claude) -> None:
        self._backend = backend

    async def create(self, payloads: Mapping[str, Mapping[str, Any]]) -> str:
        """Hand a batch in; return its id."""
        requests: Any = [
            {"custom_id": key, "params": _flat(payload)} for key, payload in payloads.items()
        ]
        client = await self._backend.started()
        with translated(self._backend.destination):
            return (await client.messages.batches.create(requests=requests)).id

    async def look(self, number: str) -> BatchLook:
        """Ask how far a batch is."""
        client = await self._backend.started()
        with translated(self._backend.destination):
            batch = await client.messages.batches.retrieve(number)
        return _seen(batch)

    async def recent(self) -> list[BatchLook]:
        """Return the latest batches of this key's workspace."""
        client = await self._backend.started()
        with translated(self._backend.destination):
            page = await client.messages.batches.list(limit=100)
            return [_seen(batch) for batch in page.data]

    async def results(self, number: str) -> AsyncIterator[tuple[str, Answer | CallError]]:
        """Yield what came of each request, in no order."""
        client = await self._backend.started()
        with translated(self._backend.destination):
            async for line in await client.messages.batches.results(number):
                yield line.custom_id, _outcome(line.result)


def _flat(payload: Mapping[str, Any]) -> dict[str, Any]:
    params = dict(payload)
    return {**params, **params.pop("extra_body", {})}


def _seen(batch: Any) -> BatchLook:  # noqa: ANN401
    counts = batch.request_counts
    done = counts.succeeded + counts.errored + counts.canceled + counts.expired
    return BatchLook(
        number=batch.id,
        ended=batch.processing_status == "ended",
        done=done,
        total=done + counts.processing,
        created=batch.created_at.timestamp(),
    )


def _outcome(result: Any) -> Answer | CallError:  # noqa: ANN401
    if result.type == "succeeded":
        try:
            return read_message(result.message)
        except CallError as error:
            return error
    if result.type == "errored":
        said = result.error.error
        wrong = said.type in ("invalid_request_error", "not_found_error", "request_too_large")
        return CallError("bad_request" if wrong else "server_error", str(said.message))
    return CallError("server_error", f"the batch ended before this request: {result.type}")
