"""A worker's line to the gateway: requests go out, one thread takes the replies in."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager
from typing import Any

from curieval.models.errors import GatewayError
from curieval.models.frames import PROTOCOL, pack, receive_frame
from curieval.models.types import Failure, Reply, Request
from curieval.models.wire import reply_from_json, request_to_json, with_parsed

CONNECT_SECONDS = 30.0


class RemoteLine:
    """A model whose calls are made by the process behind the gateway.

    Raises GatewayError where the gateway cannot be reached or refuses.
    """

    instant = False

    def __init__(self, name: str, *, gateway: tuple[str, int, str]) -> None:
        host, port, token = gateway
        self._name = name
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[Request, Future[Reply]]] = {}
        self._gone = False
        try:
            self._socket = socket.create_connection((host, port), timeout=CONNECT_SECONDS)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket.sendall(pack({"protocol": PROTOCOL, "token": token, "model": name}))
            welcome = receive_frame(self._socket)
        except (OSError, EOFError, ValueError) as error:
            raise GatewayError(
                f"the process that makes this run's calls does not answer at {host}:{port}: "
                f"{error or 'it closed the connection'}"
            ) from error
        if "refused" in welcome:
            self._socket.close()
            raise GatewayError(f"the gateway at {host}:{port} refused: {welcome['refused']}")
        self._socket.settimeout(None)
        self.identity: Mapping[str, Any] = welcome["identity"]
        self.destination: str = welcome["destination"]
        self.concurrency: int = welcome["concurrency"]
        self.enforces_schema: bool = welcome["enforces_schema"]
        threading.Thread(target=self._take, name="curieval-replies", daemon=True).start()

    def submit(self, request: Request) -> Future[Reply]:
        """Send a request to the gateway."""
        number = next(self._numbers)
        future: Future[Reply] = Future()
        message = {"id": number, "model": self._name, "request": request_to_json(request)}
        frame = pack(message)
        with self._lock:
            if self._gone:
                future.set_result(_lost())
                return future
            self._waiting[number] = (request, future)
            try:
                self._socket.sendall(frame)
            except OSError:
                del self._waiting[number]
                future.set_result(_lost())
                return future
        future.add_done_callback(lambda done: self._give_up(number) if done.cancelled() else None)
        return future

    @contextmanager
    def widened(self, concurrency: int) -> Iterator[None]:
        """The bound on calls in flight is the whole run's and stays."""
        yield

    def close(self) -> None:
        """Give up what is in flight and hang up."""
        with self._lock:
            futures = [future for _, future in self._waiting.values()]
        for future in futures:
            future.cancel()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _give_up(self, number: int) -> None:
        with self._lock:
            if self._waiting.pop(number, None) is None or self._gone:
                return
            with contextlib.suppress(OSError):
                self._socket.sendall(pack({"cancel": number}))

    def _take(self) -> None:
        try:
            while True:
                message = receive_frame(self._socket)
                with self._lock:
                    waiting = self._waiting.pop(message["id"], None)
                if waiting is not None:
                    request, future = waiting
                    _settle(future, with_parsed(reply_from_json(message["reply"]), request))
        except (OSError, EOFError, ValueError, KeyError, TypeError):
            with self._lock:
                self._gone = True
                left = list(self._waiting.values())
                self._waiting.clear()
            for _, future in left:
                _settle(future, _lost())


def _settle(future: Future[Reply], reply: Reply) -> None:
    with contextlib.suppress(InvalidStateError):
        future.set_result(reply)


def _lost() -> Reply:
    message = "the process that makes this run's calls is gone"
    return Reply(failure=Failure(kind="connection", message=message), attempts=0)
