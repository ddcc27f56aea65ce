"""Which cases of a task are asked: stratified, seeded samples and slices."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from curieval.models.types import Case

AnyCase = TypeVar("AnyCase", bound=Case)


def stratified(
    cases: Sequence[AnyCase],
    n: int,
    *,
    strata: Sequence[str],
    seed: int = 0,
    group: Callable[[AnyCase], str] | None = None,
) -> list[AnyCase]:
    """Take n cases, spread as evenly over the strata as their sizes allow, in the given order.

    A stratum is one combination of the slice keys `strata`. The same cases, n and seed give
    the same sample whatever the order of `cases`, and a larger n only adds to it. Cases of one
    `group` are taken together: as many groups as fit into n, and at least one.
    """
    if group is not None:
        return _whole_groups(cases, n, strata=strata, seed=seed, group=group)
    pools: dict[tuple[str, ...], list[AnyCase]] = {}
    for case in sorted(cases, key=lambda case: case.id):
        pools.setdefault(tuple(case.slices.get(key, "") for key in strata), []).append(case)
    ranked: list[tuple[int, float, str]] = []
    for stratum, pool in pools.items():
        chance = random.Random(f"{seed}:{stratum}")
        chance.shuffle(pool)
        ranked += [(place, chance.random(), case.id) for place, case in enumerate(pool)]
    chosen = {case_id for _, _, case_id in sorted(ranked)[:n]}
    return [case for case in cases if case.id in chosen]


def _whole_groups(
    cases: Sequence[AnyCase],
    n: int,
    *,
    strata: Sequence[str],
    seed: int,
    group: Callable[[AnyCase], str],
) -> list[AnyCase]:
    groups: dict[str, list[AnyCase]] = {}
    for case in sorted(cases, key=lambda case: case.id):
        groups.setdefault(group(case), []).append(case)
    firsts = [members[0] for members in groups.values()]
    chosen: set[str] = set()
    for count in range(1, len(firsts) + 1):
        more = {group(case) for case in stratified(firsts, count, strata=strata, seed=seed)}
        if chosen and sum(len(groups[name]) for name in more) > n:
            break
        chosen = more
    return [case for case in cases if group(case) in chosen]


def in_slices(case: Case, wanted: Iterable[tuple[str, str]]) -> bool:
    """Whether a case has one of the wanted values for each key that is named."""
    by_key: dict[str, set[str]] = {}
    for key, value in wanted:
        by_key.setdefault(key, set()).add(value)
    return all(case.slices.get(key) in values for key, values in by_key.items())
