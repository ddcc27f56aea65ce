"""One table of models.toml, checked."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from curieval.models.call import Price, Traits
from curieval.models.prices import Fixed
from curieval.models.servers import read_key

Positive = Annotated[int, Field(gt=0)]
SECRET_NAME = re.compile(r"[A-Za-z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)")
OWN_FIELDS = frozenset({"model", "messages", "stream", "max_tokens", "max_completion_tokens"})


class PriceEntry(BaseModel):
    """USD per million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    output: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    cached: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


class ServerEntry(BaseModel):
    """Where a model is served, what is sent to it and what it costs.

    `key_env` and the values of `headers` name environment variables that hold secrets.
    `max_tokens` raises a task's token limit, as reasoning needs room. `reasoning` says where
    reasoning text lies: a message field of its own, or between <think> tags in the answer.
    `context` is sent to Ollama, which otherwise cuts long prompts silently.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    base_url: str
    model_id: str = Field(min_length=1)
    api: Literal["openai", "anthropic", "ollama"] = "openai"
    key_env: str | None = None
    headers: dict[str, str] = Field(default_factory=dict)
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
    timeout: Annotated[float, Field(gt=0, le=86400)] = 300.0
    concurrency: Positive | None = None
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    price: PriceEntry | None = None
    extra: dict[str, Any] = Field(default_factory=dict)

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an address such as http://127.0.0.1:8000/v1")
        return value

    @field_validator("key_env")
    @classmethod
    def _names_secret(cls, value: str | None) -> str | None:
        if value is not None and not SECRET_NAME.fullmatch(value):
            raise ValueError(
                "must be the name of an environment variable that ends in KEY, TOKEN, SECRET "
                "or PASSWORD, so that its value is kept out of every file"
            )
        return value

    @field_validator("headers")
    @classmethod
    def _name_secrets(cls, value: dict[str, str]) -> dict[str, str]:
        for variable in value.values():
            cls._names_secret(variable)
        return value

    @field_validator("extra")
    @classmethod
    def _leaves_ours(cls, value: dict[str, Any]) -> dict[str, Any]:
        taken = sorted(OWN_FIELDS & set(value))
        if taken:
            raise ValueError(f"{taken[0]} is set from the other keys and cannot be given here")
        return value

    def address(self, route: str) -> str:
        """Return the address of a route, before the query where the base address has one."""
        parts = urlsplit(self.base_url)
        path = f"{parts.path.rstrip('/')}/{route}"
        return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))

    def traits(self, *, unlisted: Price) -> Traits:
        """Return what the model costs and bears; `unlisted` is its price where none is given."""
        price = unlisted if self.price is None else Fixed(**self.price.model_dump())
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
