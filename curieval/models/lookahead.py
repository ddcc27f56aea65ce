"""Keeps calls under way for the items to come, so that most replies wait for their tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future

from curieval.models.types import Reply

Start = Callable[[], "Future[Reply]"]


class LookAhead:
    """Starts at most `width` calls ahead of the item that runs; the client bounds those in flight.

    `width` is larger than the number in flight, so that a slow reply at the head of the line
    does not starve the calls behind it.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._started: dict[str, Future[Reply]] = {}

    @property
    def runs_low(self) -> bool:
        """Whether topping up is worth a walk over the items to come: a quarter has been taken."""
        return len(self._started) <= self.width * 3 // 4

    def top_up(self, upcoming: Iterable[tuple[str, Start]]) -> None:
        """Start calls in the given order until `width` are started and not yet taken."""
        for key, start in upcoming:
            if len(self._started) >= self.width:
                return
            if key not in self._started:
                self._started[key] = start()

    def take(self, key: str, start: Start) -> Reply:
        """Wait for the reply of `key`, starting its call when nobody has."""
        future = self._started.pop(key, None)
        return (start() if future is None else future).result()

    def cancel(self) -> None:
        """Give up what is started and not yet taken."""
        for future in self._started.values():
            future.cancel()
        self._started.clear()
