"""What may pass is tried again, what may not is not, and every wait is recorded."""

from __future__ import annotations

import pytest

from curieval.models.call import CallError
from curieval.models.retry import Retry
from tests.models.asking import Scripted, call, reply, run


def retried(*outcomes, attempts=4, backoff=1.0):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    inner = Scripted(*outcomes)
    layer = Retry(inner, attempts=attempts, backoff=backoff, sleep=sleep)
    answer = run(layer(call()))
    numbers = [one.attempt for one in inner.calls]
    assert numbers == list(range(1, len(numbers) + 1))
    assert inner.calls[-1].waited == pytest.approx(sum(waits))
    return answer, waits, len(inner.calls)


@pytest.mark.parametrize("kind", ["timeout", "connection", "rate_limited", "server_error"])
def test_tries_again_what_may_pass(kind):
    answer, waits, calls = retried(CallError(kind, "no"), CallError(kind, "no"), reply("yes"))
    assert (answer.text, calls) == ("yes", 3)
    assert 0.5 <= waits[0] <= 1.0 <= waits[1] <= 2.0


@pytest.mark.parametrize("kind", ["auth", "bad_request", "budget"])
def test_gives_up_at_once_what_stays_wrong(kind):
    answer, waits, calls = retried(CallError(kind, "wrong"), reply("never"))
    assert (answer.failure.kind, answer.failure.message) == (kind, "wrong")
    assert (answer.attempts, waits, calls) == (1, [], 1)


def test_gives_up_after_the_stated_attempts():
    answer, waits, calls = retried(CallError("server_error", "HTTP 500"))
    assert answer.failure.kind == "server_error"
    assert (answer.attempts, len(waits), calls) == (4, 3, 4)


def test_is_patient_with_who_is_overloaded():
    answer, _, calls = retried(CallError("rate_limited", "HTTP 429", overloaded=True))
    assert (answer.failure.kind, answer.attempts, calls) == ("rate_limited", 8, 8)


def test_waits_as_long_as_the_server_asks():
    _, waits, _ = retried(CallError("rate_limited", "slow down", retry_after=17.0), reply())
    assert waits == [17.0]


def test_does_not_wait_for_hours():
    answer, waits, _ = retried(CallError("rate_limited", "quota", retry_after=3600.0), reply())
    assert waits == []
    assert "asks to wait 3600 s" in answer.failure.message


def test_waits_stop_growing():
    _, waits, _ = retried(CallError("timeout", "late"), attempts=12)
    assert max(waits) <= 30.0


def test_failures_hold_no_key():
    answer, _, _ = retried(CallError("auth", "bad key: Authorization: Bearer abcdefgh12345678"))
    assert "abcdefgh12345678" not in answer.failure.message
