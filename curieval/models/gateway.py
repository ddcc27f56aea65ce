"""The gateway: the one process that makes calls serves those of the workers, on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Any

from curieval.models.client import Client
from curieval.models.errors import CurievalError
from curieval.models.frames import PROTOCOL, pack, read_frame
from curieval.models.loop import spawn
from curieval.models.secrets import redact
from curieval.models.types import Failure, Reply
from curieval.models.wire import reply_to_json, request_from_json

STOP_SECONDS = 5.0
LARGEST_GREETING = 4096


class Gateway:
    """Lets workers ask the clients of this process, by name and with a token.

    A worker that dies leaves its calls in flight to finish and be cached; one that cancels a
    call gives it up.
    """

    def __init__(self, clients: Mapping[str, Client]) -> None:
        self._clients = dict(clients)
        self._token = secrets.token_urlsafe(32)
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    def start(self) -> tuple[str, int, str]:
        """Listen on a free port of 127.0.0.1; return host, port and token."""

        async def listen() -> int:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
            return int(self._server.sockets[0].getsockname()[1])

        return "127.0.0.1", spawn(listen()).result(STOP_SECONDS), self._token

    def stop(self) -> None:
        """Stop listening and drop the workers; the clients stay open."""

        async def stop() -> None:
            if self._server is None:
                return
            self._server.close()
            self._server = None
            for task in list(self._serving):
                task.cancel()
            for writer in list(self._writers):
                writer.close()

        with contextlib.suppress(TimeoutError):
            spawn(stop()).result(STOP_SECONDS)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        calls: dict[int, asyncio.Future[Reply]] = {}
        try:
            if not await self._greet(reader, writer):
                return
            while True:
                message = await read_frame(reader)
                if "cancel" in message:
                    call = calls.get(message["cancel"])
                    if call is not None:
                        call.cancel()
                else:
                    self._answer(message, writer, calls)
        except (EOFError, ValueError, KeyError, TypeError, ConnectionError):
            return
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        greeting = await read_frame(reader, largest=LARGEST_GREETING)
        token = str(greeting["token"])
        if not hmac.compare_digest(token.encode(), self._token.encode()):
            writer.write(pack({"refused": "the token is wrong"}))
            return False
        if greeting["protocol"] != PROTOCOL:
            writer.write(pack({"refused": f"the gateway speaks protocol {PROTOCOL}"}))
            return False
        client = self._clients.get(greeting["model"])
        if client is None:
            writer.write(pack({"refused": f"this run has no model {greeting['model']!r}"}))
            return False
        writer.write(
            pack(
                {
                    "identity": dict(client.identity),
                    "destination": client.destination,
                    "concurrency": client.concurrency,
                    "enforces_schema": client.enforces_schema,
                }
            )
        )
        return True

    def _answer(
        self,
        message: dict[str, Any],
        writer: asyncio.StreamWriter,
        calls: dict[int, asyncio.Future[Reply]],
    ) -> None:
        number = int(message["id"])
        client = self._clients[message["model"]]
        call = asyncio.ensure_future(client.ask_async(request_from_json(message["request"])))
        calls[number] = call

        async def deliver() -> None:
            try:
                reply = await asyncio.shield(call)
            except asyncio.CancelledError:
                if not call.cancelled():
                    raise
                reply = Reply(failure=Failure(kind="cancelled", message="the call was given up"))
            except CurievalError as error:
                reply = Reply(failure=Failure(kind="local", message=redact(str(error))), attempts=0)
            except Exception as error:
                reply = Reply(
                    failure=Failure(
                        kind="server_error", message=redact(f"{type(error).__name__}: {error}")
                    )
                )
            finally:
                calls.pop(number, None)
            if writer.is_closing():
                return
            with contextlib.suppress(ConnectionError, RuntimeError):
                writer.write(pack({"id": number, "reply": reply_to_json(reply)}))
                await writer.drain()

        task = asyncio.ensure_future(deliver())
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
