"""The client: one way to ask any model, wherever its calls are made."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Any, Protocol

from curieval.models.backends.baselines import (
    Answerer,
    answer_by_rule,
    answer_constant,
    answer_random,
    answer_reference,
)
from curieval.models.call import Backend
from curieval.models.names import CONSTANT, check_llm_name, kind_of, slug_for
from curieval.models.settings import ClientSettings
from curieval.models.types import Reply, Request


class Line(Protocol):
    """What carries a client's requests: this process, a gateway, or no call at all."""

    instant: bool
    concurrency: int
    enforces_schema: bool

    @property
    def identity(self) -> Mapping[str, Any]:
        """What tells this model from every other."""

    @property
    def destination(self) -> str:
        """Where the data go."""

    def submit(self, request: Request) -> Future[Reply]:
        """Start a call."""

    def widened(self, concurrency: int) -> AbstractContextManager[None]:
        """Allow more calls in flight for a while."""

    def close(self) -> None:
        """Cancel what is in flight and let go of everything."""


class Client:
    """Ask a model by its name: `Client("embedded").ask(request)`.

    Raises UnknownModel, MissingKey, ModelUnavailable, CacheError or ConfigError at once where
    the model cannot be used; what goes wrong with a call is a Failure in its Reply. Safe to use
    from several threads. With `settings.gateway` the calls are made by the process behind it.
    """

    def __init__(self, name: str, *, settings: ClientSettings | None = None) -> None:
        self.name = name
        self.slug = slug_for(name)
        self.line = _line_for(name, settings or ClientSettings())

    @property
    def identity(self) -> Mapping[str, Any]:
        """What tells this model from every other, as JSON: kind, model, endpoint or weights."""
        return self.line.identity

    @property
    def destination(self) -> str:
        """Where the data go: "this process", "127.0.0.1 (embedded)" or a host name."""
        return self.line.destination

    @property
    def instant(self) -> bool:
        """Whether answers come at once, without a call."""
        return self.line.instant

    @property
    def concurrency(self) -> int:
        """Calls that are in flight at most."""
        return self.line.concurrency

    @property
    def enforces_schema(self) -> bool:
        """Whether answers are held to a request's JSON Schema as they are generated."""
        return self.line.enforces_schema

    def submit(self, request: Request) -> Future[Reply]:
        """Start a call; cancelling the future gives the call up."""
        return self.line.submit(request)

    def ask(self, request: Request) -> Reply:
        """Ask and wait."""
        return self.submit(request).result()

    async def ask_async(self, request: Request) -> Reply:
        """Ask from a coroutine, on any event loop."""
        return await asyncio.wrap_future(self.submit(request))

    def ask_many(
        self, requests: Iterable[Request], *, concurrency: int | None = None
    ) -> list[Reply]:
        """Ask all and return the replies in order, at most `concurrency` in flight."""
        if concurrency is None:
            return _gather([self.submit(request) for request in requests])
        if concurrency < 1:
            raise ValueError(f"concurrency must be at least 1, found {concurrency}")
        places = threading.Semaphore(concurrency)
        futures = []
        with self.line.widened(concurrency):
            for request in requests:
                places.acquire()
                future = self.submit(request)
                future.add_done_callback(lambda _: places.release())
                futures.append(future)
            return _gather(futures)

    def close(self) -> None:
        """Cancel what is in flight and let go of files and connections, within seconds."""
        self.line.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.name!r})"


def open_client(name: str, *, settings: ClientSettings) -> Client:
    """Open a client; raises what `Client` raises."""
    return Client(name, settings=settings)


class InstantLine:
    """A baseline: answers in the caller's thread."""

    instant = True
    concurrency = 1
    enforces_schema = False
    destination = "this process"

    def __init__(self, answer: Answerer, identity: Mapping[str, Any]) -> None:
        self._answer = answer
        self.identity = identity

    def submit(self, request: Request) -> Future[Reply]:
        """Answer now."""
        future: Future[Reply] = Future()
        future.set_result(self._answer(request))
        return future

    @contextmanager
    def widened(self, concurrency: int) -> Iterator[None]:
        """Nothing is ever in flight."""
        yield

    def close(self) -> None:
        """Nothing is held."""


def _gather(futures: list[Future[Reply]]) -> list[Reply]:
    try:
        return [future.result() for future in futures]
    except BaseException:
        for future in futures:
            future.cancel()
        raise


def _line_for(name: str, settings: ClientSettings) -> Line:
    kind = kind_of(name, settings.models_file)
    if kind == "constant":
        text = name.removeprefix(CONSTANT)
        return InstantLine(answer_constant(text), {"kind": "constant", "text": text})
    if kind == "random":
        return InstantLine(answer_random, {"kind": "random"})
    if kind == "reference":
        return InstantLine(answer_reference, {"kind": "reference"})
    if kind == "rule":
        return InstantLine(answer_by_rule(name), {"kind": "rule", "name": name})
    if settings.gateway is not None:
        from curieval.models.remote import RemoteLine

        return RemoteLine(name, gateway=settings.gateway)
    from curieval.models.stack import Stack

    return Stack(_backend_for(name, settings), model=name, settings=settings)


def _backend_for(name: str, settings: ClientSettings) -> Backend:
    kind = kind_of(name, settings.models_file)
    if kind == "embedded":
        from curieval.models.backends.embedded import Embedded

        return Embedded()
    if kind == "anthropic":
        from curieval.models.backends.claude import Claude

        return Claude(name, offline=settings.offline)
    if kind == "server":
        from curieval.models.backends.server import open_server
        from curieval.models.servers import read_servers

        entry = read_servers(settings.models_file)[name]
        return open_server(entry, offline=settings.offline)
    check_llm_name(name, settings.models_file)
    from curieval.models.backends.llm_library import LlmLibrary

    return LlmLibrary(name, offline=settings.offline)
