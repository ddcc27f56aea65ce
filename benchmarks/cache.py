"""The reply cache under eight writing processes, beside one process that writes the same.

Run `python benchmarks/cache.py`; it ends with 1 when a reply is lost or unreadable.
"""

from __future__ import annotations

import multiprocessing
import sys
import tempfile
import time
from pathlib import Path

from curieval.models.cache import ReplyCache
from curieval.models.types import Reply, Usage

PROCESSES = 8
WRITES = 2000


def write(path: Path, workers: list[int], start) -> None:
    """Write the replies of some workers, one after the other, once all processes are ready."""
    start.wait()
    cache = ReplyCache(path)
    for worker in workers:
        for i in range(WRITES):
            text = f"{worker}-{i} " + "x" * 500
            reply = Reply(text=text, finish="stop", usage=Usage(tokens_in=i))
            cache.put(f"{worker}-{i}", reply, model="bench")
    cache.close()


def run(path: Path, shares: list[list[int]]) -> float:
    """Return the seconds that one process a share takes."""
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(len(shares) + 1)
    processes = [context.Process(target=write, args=(path, share, start)) for share in shares]
    for process in processes:
        process.start()
    start.wait()
    began = time.perf_counter()
    for process in processes:
        process.join()
    return time.perf_counter() - began


def lost(path: Path) -> int:
    cache = ReplyCache(path)
    expected = {f"{n}-{i}": i for n in range(PROCESSES) for i in range(WRITES)}
    found = {key: cache.get(key) for key in expected}
    return sum(r is None or r.usage.tokens_in != expected[k] for k, r in found.items())


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        many, one = Path(folder) / "many.sqlite", Path(folder) / "one.sqlite"
        seconds = run(many, [[n] for n in range(PROCESSES)])
        alone = run(one, [list(range(PROCESSES))])
        missing = lost(many) + lost(one)
        began = time.perf_counter()
        cache = ReplyCache(many)
        for i in range(WRITES):
            cache.get(f"3-{i}")
        reading = time.perf_counter() - began
    total = PROCESSES * WRITES
    print(f"{PROCESSES} processes x {WRITES} writes: {seconds:.2f} s, {total / seconds:.0f}/s")
    print(f"1 process x {total} writes: {alone:.2f} s, {total / alone:.0f}/s")
    print(f"ratio {seconds / alone:.2f}, lost {missing}, a read {1e6 * reading / WRITES:.0f} us")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
