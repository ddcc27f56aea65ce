"""A real local server of the OpenAI and Anthropic wire formats that misbehaves on demand.

The first part of the path says how: `/delay=0.05/v1/chat/completions`, several joined by `;`:

    ok                     an answer: "echo: " and the last user message
    text=T                 this answer
    delay=S                wait S seconds first
    status=N[:K[:R]]       refuse with HTTP N, the first K times for each prompt (0: for ever),
                           with Retry-After R
    overload=N             HTTP 429 with Retry-After while more than N calls are in flight
    just=P[,P]             all this for these whole prompts, the others are answered
    cut                    half a reply, then the connection closes
    hang                   no reply
    slow=S                 one byte each S seconds
    broken, html, redirect, nofinish, empty, refusal, length, wrong
    huge=M                 a reply of M MiB
    only=T                 all this for prompts with T in them, the others are answered
    tell                   refuse with HTTP 500, with secret headers and the address in the text
    item_error=T, forget   of a batch: requests with T in them fail; taken without an answer
    looks=N                of a batch: it ends with the N-th look at it (2)
    usage=I:O              tokens that are said to be used (4 characters a token otherwise)

Other words, such as `tag=mine`, only tell apart: bounds and counts of calls in flight are kept
for each first part of a path. GET /calls tells what arrived: {"total", "by_prompt",
"most_in_flight": {first part: calls}, "with_schema": {first part: calls}, "paths", "headers"},
the headers those of the last call.
Run as a process: `python misbehaving.py [--port P]` prints its address on the first line.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Iterator

SECRET_HEADERS = ("authorization", "x-api-key", "x-trial")
REASONS = {200: "OK", 307: "Temporary Redirect", 400: "Bad Request", 404: "Not Found"}


class Misbehaving:
    """The server's state: what arrived, and the batches that were made."""

    def __init__(self):
        self.by_prompt = Counter()
        self.paths = Counter()
        self.headers = {}
        self.flying = Counter()
        self.most = Counter()
        self.with_schema = Counter()
        self.batches = {}

    async def serve(self, reader, writer):
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                first, *lines = head.rstrip().split("\r\n")
                method, path, _ = first.split(" ")
                headers = {k.lower(): v.strip() for k, _, v in (x.partition(":") for x in lines)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                if not await self.respond(method, path, headers, body, writer):
                    break
        writer.close()

    async def respond(self, method, path, headers, body, writer):
        path, _, query = path.partition("?")
        if path == "/calls":
            seen = {
                "total": sum(self.by_prompt.values()),
                "by_prompt": self.by_prompt,
                "most_in_flight": self.most,
                "with_schema": self.with_schema,
                "paths": self.paths,
                "headers": self.headers,
            }
            return send(writer, 200, seen)
        _, mode, *rest = path.split("/")
        mode = urllib.parse.unquote(mode)
        how = dict(p.partition("=")[::2] for p in mode.split(";"))
        route = "/".join(rest)
        self.paths[f"{method} {route}"] += 1
        self.headers = headers
        data = json.loads(body) if body else {}
        if route.startswith("v1/messages/batches"):
            from batches import respond_batch

            return respond_batch(self, method, mode, route, how, data, headers, writer)
        if route == "v1/messages/count_tokens":
            return send(writer, 200, {"input_tokens": spoken(data) // 4})
        prompt = text_of(data["messages"][-1]["content"])
        self.by_prompt[prompt] += 1
        if "only" in how and how["only"] not in prompt:
            how = {}
        if "response_format" in data or "output_config" in data:
            self.with_schema[mode] += 1
        if "tell" in how:
            body = error_body(500)
            sent = {k: v for k, v in headers.items() if k in SECRET_HEADERS}
            body["error"]["message"] += f" {sent} at http://{headers['host']}{path}?{query}"
            return send(writer, 500, body)
        self.flying[mode] += 1
        self.most[mode] = max(self.most[mode], self.flying[mode])
        try:
            return await self.misbehave(route, mode, how, data, prompt, writer)
        finally:
            self.flying[mode] -= 1

    async def misbehave(self, route, mode, how, data, prompt, writer):
        if "just" in how and prompt not in how["just"].split(","):
            how = {}
        if "overload" in how and self.flying[mode] > int(how["overload"]):
            return send(writer, 429, error_body(429), retry="0.05")
        if "delay" in how:
            await asyncio.sleep(float(how["delay"]))
        if "hang" in how:
            await asyncio.sleep(3600)
        if "status" in how:
            status, times, retry = (*how["status"].split(":"), "0", "")[:3]
            if int(times) == 0 or self.by_prompt[prompt] <= int(times):
                return send(writer, int(status), error_body(int(status)), retry=retry)
        if "redirect" in how:
            writer.write(
                b"HTTP/1.1 307 Temporary Redirect\r\nLocation: http://elsewhere.invalid/v1\r\n"
                b"Content-Length: 0\r\n\r\n"
            )
            return True
        reply = answer(route, how, data, prompt)
        if data.get("stream"):
            return await stream(route, how, reply, writer)
        payload = json.dumps(reply).encode()
        kind = "application/json"
        if "html" in how:
            payload, kind = b"<html><body>Please log in</body></html>", "text/html"
        if "broken" in how:
            payload = payload[: len(payload) // 2]
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(payload)}\r\n\r\n"
        writer.write(head.encode())
        if "cut" in how:
            writer.write(payload[: len(payload) // 2])
            await writer.drain()
            return False
        if "slow" in how:
            for byte in payload:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(float(how["slow"]))
            return True
        writer.write(payload)
        await writer.drain()
        return True


def answer(route, how, data, prompt):
    text = how.get("text", f"echo: {prompt}")
    if "empty" in how or "refusal" in how:
        text = ""
    if "huge" in how:
        text = "x" * (int(how["huge"]) * 2**20)
    sizes = how["usage"].split(":") if "usage" in how else None
    counted = (spoken(data) // 4, max(1, len(text) // 4))
    read, written = (int(size) for size in sizes) if sizes else counted
    if "wrong" in how:
        return {"hello": "world"}
    if route.endswith("messages"):
        return anthropic_answer(how, data, text, read, written)
    if route == "api/chat":
        return {
            "model": data["model"],
            "message": {"role": "assistant", "content": text},
            "done": True,
            "done_reason": "length" if "length" in how else "stop",
            "prompt_eval_count": read,
            "eval_count": written,
        }
    finish = "length" if "length" in how else "stop"
    message = {"role": "assistant", "content": text}
    if "refusal" in how:
        message["refusal"] = "I cannot help with that."
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": data["model"],
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": None if "nofinish" in how else finish,
            }
        ],
        "usage": {
            "prompt_tokens": read,
            "completion_tokens": written,
            "total_tokens": read + written,
            "prompt_tokens_details": {"cached_tokens": read // 2},
        },
    }


def anthropic_answer(how, data, text, read, written):
    reason = "max_tokens" if "length" in how else "refusal" if "refusal" in how else "end_turn"
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": data["model"],
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": None if "nofinish" in how else reason,
        "stop_sequence": None,
        "usage": {
            "input_tokens": read,
            "output_tokens": written,
            "cache_creation_input_tokens": 7,
            "cache_read_input_tokens": 11,
        },
    }


async def stream(route, how, reply, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    events = anthropic_events(reply) if route.endswith("messages") else openai_events(reply)
    if "cut" in how or "nofinish" in how:
        events = events[: len(events) // 2]
    for event in events:
        writer.write(event)
        await writer.drain()
        if "slow" in how:
            await asyncio.sleep(float(how["slow"]))
    return False


def openai_events(reply):
    choice = reply["choices"][0]
    text = choice["message"]["content"]
    deltas = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in pieces(text)]
    if "refusal" in choice["message"]:
        deltas.append({"refusal": choice["message"]["refusal"]})
    chunks = [{"choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    last = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    chunks += [{"choices": [last]}, {"choices": [], "usage": reply["usage"]}]
    return [b"data: " + json.dumps(c).encode() + b"\n\n" for c in chunks] + [b"data: [DONE]\n\n"]


def anthropic_events(reply):
    text = "".join(block["text"] for block in reply["content"])
    start = {**reply, "content": [], "stop_reason": None}
    events = [
        {"type": "message_start", "message": start},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        },
    ]
    for piece in pieces(text):
        delta = {"type": "text_delta", "text": piece}
        events.append({"type": "content_block_delta", "index": 0, "delta": delta})
    stop = {"stop_reason": reply["stop_reason"], "stop_sequence": None}
    events += [
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stop, "usage": reply["usage"]},
        {"type": "message_stop"},
    ]
    return [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in events]


def spoken(data):
    return len(json.dumps(data["messages"])) + len(json.dumps(data.get("system", "")))


def pieces(text):
    size = max(4, len(text) // 50)
    return [text[i : i + size] for i in range(0, len(text), size)]


def text_of(content):
    if isinstance(content, str):
        return content
    return "".join(block.get("text", "") for block in content)


def error_body(status):
    kinds = {429: "rate_limit_error", 529: "overloaded_error", 401: "authentication_error"}
    kind = kinds.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": f"refused with {status}"}}


def send(writer, status, value, retry=""):
    payload = value if isinstance(value, bytes) else json.dumps(value).encode()
    extra = f"Retry-After: {retry}\r\n" if retry else ""
    writer.write(
        f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}\r\nContent-Type: application/json\r\n"
        f"{extra}Content-Length: {len(payload)}\r\n\r\n".encode()
        + payload
    )
    return True


class Served:
    """A server that runs in a process of its own."""

    def __init__(self, address: str):
        self.address = address

    def base(self, how: str = "ok") -> str:
        """Return the base URL of a behaviour, for the Anthropic SDK and Ollama."""
        return f"{self.address}/{urllib.parse.quote(how, safe='')}"

    def openai(self, how: str = "ok") -> str:
        """Return the base URL of a behaviour, for OpenAI clients."""
        return f"{self.base(how)}/v1"

    def calls(self) -> dict:
        """Return what arrived so far."""
        with urllib.request.urlopen(f"{self.address}/calls") as reply:
            return json.load(reply)


@contextlib.contextmanager
def serving() -> Iterator[Served]:
    """Run a server of its own process for a while."""
    command = [sys.executable, __file__]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Served(process.stdout.readline().strip())
        finally:
            process.kill()


async def main(port):
    server = await asyncio.start_server(Misbehaving().serve, "127.0.0.1", port, limit=2**26)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    asyncio.run(main(parser.parse_args().port))
