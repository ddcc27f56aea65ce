"""Any model of the llm library by its name there, the user's plugins included."""

from __future__ import annotations

import functools
import importlib.metadata
import os
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from curieval.models.backends.embedded import WEIGHTS_PACKAGE
from curieval.models.backends.status import shorten, status_error
from curieval.models.call import Answer, CallError, Traits
from curieval.models.endpoints import bare_url
from curieval.models.errors import MissingKey, ModelUnavailable
from curieval.models.loop import in_thread
from curieval.models.prices import Listed
from curieval.models.types import FinishReason, Request, Usage

if TYPE_CHECKING:
    import llm

LIMIT_OPTIONS = ("max_tokens", "max_output_tokens", "num_predict", "max_new_tokens")
FINISH: dict[str, FinishReason] = {
    "length": "length",
    "max_tokens": "length",
    "MAX_TOKENS": "length",
    "content_filter": "refusal",
    "refusal": "refusal",
    "SAFETY": "refusal",
}


def import_llm() -> ModuleType:
    """Import the llm library with every plugin of the user's, without the weights package.

    llm loads all plugins unguarded, and that of the weights package needs a compiler. Raises
    ModelUnavailable where another plugin does not load.
    """
    if "llm" not in sys.modules:
        before = os.environ.get("LLM_LOAD_PLUGINS")
        os.environ["LLM_LOAD_PLUGINS"] = ",".join(_plugins(before))
        try:
            import llm.plugins
        finally:
            if before is None:
                del os.environ["LLM_LOAD_PLUGINS"]
            else:
                os.environ["LLM_LOAD_PLUGINS"] = before
    import llm.plugins

    # Somebody else may have imported llm first: what it will load is still open.
    if not llm.plugins._loaded:
        llm.plugins.LLM_LOAD_PLUGINS = ",".join(_plugins(llm.plugins.LLM_LOAD_PLUGINS))
    try:
        llm.plugins.load_plugins()  # type: ignore[no-untyped-call]
    except Exception as error:
        llm.plugins._loaded = False
        raise ModelUnavailable(
            f"a plugin of the llm library does not load: {type(error).__name__}: {error}; "
            "mend or uninstall it, or name the plugins to load in LLM_LOAD_PLUGINS"
        ) from error
    return llm


def _plugins(named: str | None) -> list[str]:
    if named is not None:
        names = [name.strip() for name in named.split(",") if name.strip()]
    else:
        points = importlib.metadata.entry_points(group="llm")
        names = sorted({point.dist.name for point in points if point.dist is not None})
    return [name for name in names if name.lower().replace("_", "-") != WEIGHTS_PACKAGE]


def known_ids() -> list[str]:
    """Return every name and alias of the library's models."""
    return sorted(import_llm().get_model_aliases())


def check_key(name: str) -> None:
    """Raise MissingKey where the model of this name needs a key that llm does not find."""
    llm = import_llm()
    try:
        llm.get_model(name).get_key()
    except llm.NeedsKeyException as error:
        raise MissingKey(f"model {name!r}: {error}") from None


class LlmLibrary:
    """One model of the library, asked in a thread, as many plugins are synchronous only."""

    def __init__(self, name: str, *, offline: bool = False) -> None:
        self._llm = import_llm()
        self._model: llm.Model = self._llm.get_model(name)
        if not offline:
            check_key(name)
        _stop_own_retries(self._model)
        self.traits = Traits(
            price=Listed(model=self._name_at_provider),
            enforces_schema=bool(self._model.supports_schema),
        )

    @property
    def _name_at_provider(self) -> str:
        return str(getattr(self._model, "model_name", None) or self._model.model_id)

    @functools.cached_property
    def identity(self) -> Mapping[str, Any]:
        """The library's id of the model, whatever alias named it, and its address if it has one."""
        base = getattr(self._model, "api_base", None)
        return {
            "kind": "llm",
            "model": self._model.model_id,
            "class": f"{type(self._model).__module__}.{type(self._model).__qualname__}",
            "endpoint": None if base is None else bare_url(base),
        }

    @property
    def destination(self) -> str:
        """The host where the library says it, else the plugin that knows it."""
        base = getattr(self._model, "api_base", None)
        if base is not None:
            return urlsplit(base).hostname or str(base)
        module = type(self._model).__module__
        if module.startswith("llm.default_plugins.openai"):
            return "api.openai.com"
        return f"where the llm plugin {module.partition('.')[0]} sends it"

    def payload(self, request: Request) -> dict[str, Any]:
        """Return the arguments of the library's prompt, with the options that the model has."""
        system = [m.content for m in request.messages if m.role == "system"]
        turns = [m for m in request.messages if m.role != "system"]
        if [m.role for m in turns] != ["user"]:
            raise ValueError("a model of the llm library takes one user message a request")
        known = self._model.Options.model_fields
        options: dict[str, Any] = {}
        if request.temperature is not None and "temperature" in known:
            options["temperature"] = request.temperature
        limit = next((name for name in LIMIT_OPTIONS if name in known), None)
        if limit is not None:
            options[limit] = request.max_tokens
        if "seed" in known:
            options["seed"] = request.repeat
        schema = request.schema if self._model.supports_schema else None
        return {
            "prompt": turns[0].content,
            "system": "\n\n".join(system) or None,
            "schema": None if schema is None else dict(schema),
            "options": options,
        }

    def most_tokens_out(self, payload: Mapping[str, Any]) -> int | None:
        """Return the token limit that is sent, None for a model without such an option."""
        return next(
            (payload["options"].get(n) for n in LIMIT_OPTIONS if n in payload["options"]), None
        )

    async def start(self) -> None:
        """Build the OpenAI SDK's client where that is what the library asks with."""
        if "get_client" in vars(self._model):
            get_client: Callable[[str | None], object] = vars(self._model)["get_client"]
            await in_thread(lambda: get_client(self._model.get_key()), name="curieval-llm")

    async def send(self, payload: Mapping[str, Any]) -> Answer:
        """Ask once."""
        return await in_thread(lambda: self._ask(payload), name="curieval-llm")

    def _ask(self, payload: Mapping[str, Any]) -> Answer:
        try:
            response = self._model.prompt(
                payload["prompt"],
                system=payload["system"],
                schema=payload["schema"],
                stream=False,
                **payload["options"],
            )
            text = response.text()
            used = response.usage()
        except Exception as error:
            raise _classified(error, self._llm.NeedsKeyException) from error
        raw = response.response_json if isinstance(response.response_json, dict) else {}
        return Answer(
            text=text,
            finish=_finish(raw),
            usage=Usage(
                tokens_in=used.input,
                tokens_out=used.output,
                tokens_cached=_detail(used.details, "prompt_tokens_details", "cached_tokens"),
                tokens_reasoning=_detail(
                    used.details, "completion_tokens_details", "reasoning_tokens"
                ),
            ),
        )

    async def close(self) -> None:
        """Nothing is held between calls."""


def _stop_own_retries(model: llm.Model) -> None:
    """Take the OpenAI SDK's hidden retries away, so that every attempt is recorded.

    One SDK client is kept as well: llm builds one a call, which costs 50 ms and a connection.
    """
    make = getattr(model, "get_client", None)
    if make is None or not type(model).__module__.startswith("llm.default_plugins."):
        return

    @functools.cache
    def get_client(*args: object, **kwargs: object) -> object:
        return make(*args, **kwargs).with_options(max_retries=0)

    vars(model)["get_client"] = get_client


def _classified(error: Exception, needs_key: type[Exception]) -> CallError:
    """Tell the kind of a plugin's error by status, else by the names along its causes."""
    if isinstance(error, needs_key):
        return CallError("auth", str(error))
    chain: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in chain:
        chain.append(cause)
        cause = cause.__cause__ or cause.__context__
    for link in chain:
        response = getattr(link, "response", None)
        status = getattr(link, "status_code", None) or getattr(response, "status_code", None)
        if isinstance(status, int) and status >= 400:
            return status_error(status, str(link), getattr(response, "headers", None) or {})
    text = f"{type(error).__name__}: {shorten(str(error))}"
    names = " ".join(type(link).__name__ for link in chain).lower()
    if "timeout" in names:
        return CallError("timeout", text, billed=True)
    if "connect" in names:
        return CallError("connection", text, billed="connecterror" not in names)
    return CallError("server_error", text, billed=True)


def _finish(raw: Mapping[str, Any]) -> FinishReason:
    choices = raw.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else raw
    if not isinstance(first, dict):
        return "stop"
    reason = first.get("finish_reason") or first.get("stop_reason") or first.get("finishReason")
    return FINISH.get(str(reason), "stop")


def _detail(details: object, group: str, name: str) -> int | None:
    inner = details.get(group) if isinstance(details, dict) else None
    count = inner.get(name) if isinstance(inner, dict) else None
    return count if isinstance(count, int) else None
