"""Estimates: calls, tokens and USD before the first call, and never a made-up price."""

from __future__ import annotations

import pytest

from curieval.models import Client
from curieval.models.estimate import estimate
from tests.models.asking import quick, request, served_client


@pytest.fixture
def claude(server, monkeypatch, tmp_path):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-none-00000000")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base("ok;tag=estimate"))
    with Client("claude-haiku-4-5", settings=quick(cache=tmp_path / "c.sqlite")) as client:
        yield client


LONG = "Rules of the house. " * 800


def test_counts_with_the_providers_counter(claude, server):
    asked = [request(f"estimated {i}", system=LONG, max_tokens=100) for i in range(10)]
    claude.ask(asked[0])
    found = estimate(claude, [*asked, asked[3]])
    assert (found.calls, found.cached) == (9, 1)
    assert found.counted == "the provider's counter, on 9 of 9 prompts"
    assert found.tokens_out == 900
    # Claude Haiku 4.5: $1 a million tokens in, $5 out.
    assert found.usd == pytest.approx((found.tokens_in * 1.0 + 900 * 5.0) / 1e6)
    assert found.usd_batch == pytest.approx(found.usd / 2)
    assert found.usd_prompt_cache < found.usd
    assert "estimated 1" not in server.calls()["by_prompt"]


def test_a_shared_prefix_is_written_once_and_read_after(claude):
    asked = [request(f"{i:04}", system=LONG, max_tokens=1) for i in range(101)]
    found = estimate(claude, asked, count=False)
    assert found.counted == "4 characters a token"
    # 16,000 characters are 4,000 tokens: one write at $1.25, a hundred reads at $0.10 a million.
    saved = 100 * 4000 * (1.0 - 0.1) / 1e6 - 4000 * 0.25 / 1e6
    assert found.usd - found.usd_prompt_cache == pytest.approx(saved)


def test_short_prefixes_are_not_cached_by_the_provider(claude):
    found = estimate(claude, [request(str(i)) for i in range(5)], count=False)
    assert found.usd_prompt_cache == pytest.approx(found.usd)


def test_an_unknown_price_stays_unknown(tmp_path, server):
    with served_client(tmp_path, server.openai()) as client:
        found = estimate(client, [request("a"), request("b", max_tokens=9)])
    assert (found.calls, found.tokens_out) == (2, 25)
    assert (found.usd, found.usd_batch, found.usd_prompt_cache) == (None, None, None)


def test_baselines_cost_nothing():
    found = estimate(Client("reference"), [request("a")])
    assert (found.calls, found.usd) == (0, 0.0)


def test_a_counter_that_does_not_answer_is_said(server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-none-00000000")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
    with Client("claude-haiku-4-5", settings=quick()) as client:
        found = estimate(client, [request("a")])
    assert "counter did not answer" in found.counted
    assert found.usd > 0
