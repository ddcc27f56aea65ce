"""What a call costs: the bundled price table of genai-prices, or the user's own prices."""

from __future__ import annotations

from dataclasses import dataclass

from curieval.models.types import Usage


@dataclass(frozen=True, kw_only=True)
class Free:
    """A model that runs on the user's own machine."""

    def cost(self, usage: Usage) -> float | None:
        """Return 0, whatever was used."""
        return 0.0

    def worst(self, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return 0, whatever may be used."""
        return 0.0


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """A model whose price nobody told us: its cost is unknown, never 0."""

    def cost(self, usage: Usage) -> float | None:
        """Return None."""
        return None

    def worst(self, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return None."""
        return None


@dataclass(frozen=True, kw_only=True)
class Fixed:
    """Prices that the user gives, in USD per million tokens.

    `cached` is the price of tokens read from a prompt cache, the full one when None.
    """

    input: float
    output: float
    cached: float | None = None

    def cost(self, usage: Usage) -> float | None:
        """Return USD, or None where the server counted no tokens."""
        if usage.tokens_in is None or usage.tokens_out is None:
            return None
        read = min(usage.tokens_cached or 0, usage.tokens_in)
        cached = self.input if self.cached is None else self.cached
        fresh = (usage.tokens_in - read) * self.input
        return (fresh + read * cached + usage.tokens_out * self.output) / 1e6

    def worst(self, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return USD with nothing read from a cache."""
        dearest = max(self.input, self.cached or 0.0)
        return (tokens_in * dearest + tokens_out * self.output) / 1e6


@dataclass(frozen=True, kw_only=True)
class Listed:
    """A model of the bundled price table; each call is priced alone, as tiers depend on size."""

    model: str
    provider: str | None = None

    def cost(self, usage: Usage) -> float | None:
        """Return USD, or None where model or token counts are unknown."""
        if usage.tokens_in is None or usage.tokens_out is None:
            return None
        return self._price(
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
            cached=min(usage.tokens_cached or 0, usage.tokens_in),
            written=min(usage.tokens_cache_write or 0, usage.tokens_in),
        )

    def worst(self, *, tokens_in: int, tokens_out: int) -> float | None:
        """Return USD with the whole prompt at its dearest: fresh, or written to a cache."""
        fresh = self._price(tokens_in=tokens_in, tokens_out=tokens_out)
        written = self._price(tokens_in=tokens_in, tokens_out=tokens_out, written=tokens_in)
        if fresh is None:
            return None
        return max(fresh, written or 0.0)

    def _price(
        self, *, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0
    ) -> float | None:
        from genai_prices import Usage as Tokens
        from genai_prices import calc_price

        tokens = Tokens(
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            cache_read_tokens=cached,
            cache_write_tokens=written,
        )
        try:
            return float(calc_price(tokens, self.model, provider_id=self.provider).total_price)
        except (LookupError, ValueError):
            return None
