"""The one background event loop of a process, started by the first call that needs it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_running: tuple[int, asyncio.AbstractEventLoop] | None = None


def background_loop() -> asyncio.AbstractEventLoop:
    """Return the running loop; a forked child, which inherits no thread, gets its own."""
    global _running
    with _lock:
        if _running is None or _running[0] != os.getpid():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="curieval-calls", daemon=True).start()
            _running = (os.getpid(), loop)
        return _running[1]


def loop_runs() -> bool:
    """Whether anything in this process can be in flight or connected."""
    return _running is not None and _running[0] == os.getpid()


async def in_thread(work: Callable[[], T], *, name: str) -> T:
    """Run blocking work in a daemon thread of its own.

    The pool of asyncio would be joined when the interpreter exits, so that one hanging call of
    a plugin kept the whole run from ending.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result: T | None = None
        failed: BaseException | None = None
        try:
            result = work()
        except StopIteration as error:
            failed = RuntimeError(f"stopped early: {error!r}")
        except BaseException as error:
            failed = error
        try:
            loop.call_soon_threadsafe(settle, result, failed)
        except RuntimeError:
            return

    threading.Thread(target=run, name=name, daemon=True).start()
    return await future


def spawn(work: Awaitable[T]) -> Future[T]:
    """Start a coroutine on the background loop from any thread."""

    async def run() -> T:
        return await work

    return asyncio.run_coroutine_threadsafe(run(), background_loop())
