"""One table of models.toml, checked."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit, urlunsplit

from msgspec import Meta, Struct, field
from msgspec.structs import asdict

from curieval.models.call import Price, Traits
from curieval.models.prices import Fixed
from curieval.models.servers import read_key

Positive = Annotated[int, Meta(gt=0)]
Usd = Annotated[float, Meta(ge=0, lt=1e9)]
SECRET_NAME = re.compile(r"[A-Za-z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)")
OWN_FIELDS = frozenset({"model", "messages", "stream", "max_tokens", "max_completion_tokens"})


class PriceEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """USD per million tokens."""

    input: Usd
    output: Usd
    cached: Usd | None = None


class ServerEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a model is served, what is sent to it and what it costs.

    `key_env` and the values of `headers` name environment variables that hold secrets.
    `max_tokens` raises a task's token limit, as reasoning needs room. `reasoning` says where
    reasoning text lies: a message field of its own, or between <think> tags in the answer.
    `context` is sent to Ollama, which otherwise cuts long prompts silently.
    """

    base_url: str
    model_id: Annotated[str, Meta(min_length=1)]
    api: Literal["openai", "anthropic", "ollama"] = "openai"
    key_env: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    context: Positive | None = None
    max_tokens: Positive | None = None
    token_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    thinking: Positive | None = None
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    reasoning: Literal["field", "think_tags"] = "field"
    temperature: bool = True
    seed: bool = True
    structured: bool = True
    stream: bool = False
    timeout: Annotated[float, Meta(gt=0, le=86400)] = 300.0
    concurrency: Positive | None = None
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    price: PriceEntry | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not _is_address(self.base_url):
            raise ValueError("base_url: must be an address such as http://127.0.0.1:8000/v1")
        if self.key_env is not None:
            _refuse_other_names("key_env", self.key_env)
        for header, variable in self.headers.items():
            _refuse_other_names(f"headers.{header}", variable)
        if taken := sorted(OWN_FIELDS & self.extra.keys()):
            raise ValueError(f"extra.{taken[0]}: is set from the other keys; leave it out")

    def address(self, route: str) -> str:
        """Return the address of a route, before the query where the base address has one."""
        parts = urlsplit(self.base_url)
        path = f"{parts.path.rstrip('/')}/{route}"
        return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))

    def traits(self, *, unlisted: Price) -> Traits:
        """Return what the model costs and bears; `unlisted` is its price where none is given."""
        price = unlisted if self.price is None else Fixed(**asdict(self.price))
        return Traits(
            price=price,
            concurrency=self.concurrency,
            timeout=self.timeout,
            requests_per_minute=self.requests_per_minute,
            tokens_per_minute=self.tokens_per_minute,
            enforces_schema=self.structured,
        )

    def find_key(self) -> str | None:
        """Return the key, None where the server needs none; raises MissingKey."""
        if self.key_env is None:
            return None
        return read_key(self.key_env, model=self.model_id)

    def find_headers(self) -> dict[str, str]:
        """Return the extra headers with the values of their variables; raises MissingKey."""
        return {h: read_key(v, model=self.model_id) for h, v in self.headers.items()}


def _refuse_other_names(key: str, variable: str) -> None:
    if not SECRET_NAME.fullmatch(variable):
        raise ValueError(
            f"{key}: must be the name of an environment variable that ends in KEY, TOKEN, SECRET "
            "or PASSWORD, so that its value is kept out of every file"
        )


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
