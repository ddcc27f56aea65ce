"""The Message Batches routes of the misbehaving server: a batch ends after some looks at it."""

from __future__ import annotations

import json
import urllib.parse
from collections import Counter
from datetime import UTC, datetime

LOOKS = 2


def respond_batch(state, method, mode, route, how, data, headers, writer):
    from misbehaving import error_body, send

    parts = route.split("/")[3:]
    if "status" in how:
        return send(writer, int(how["status"]), error_body(int(how["status"])))
    if method == "POST" and not parts:
        number = f"msgbatch_{len(state.batches) + 1}"
        state.batches[number] = {"requests": data["requests"], "looks": 0, "mode": mode}
        for request in data["requests"]:
            state.by_prompt[request["params"]["messages"][-1]["content"]] += 1
        if "forget" in how:
            return False
        return send(writer, 200, describe(state, number, headers))
    if not parts:
        found = [n for n, batch in state.batches.items() if batch["mode"] == mode]
        page = {"data": [describe(state, n, headers) for n in reversed(found)], "has_more": False}
        return send(writer, 200, page)
    batch = state.batches.get(parts[0])
    if batch is None:
        return send(writer, 404, error_body(404))
    if parts[1:] == ["results"]:
        lines = [json.dumps(result(how, request)) for request in batch["requests"]]
        return send(writer, 200, "\n".join(lines).encode())
    batch["looks"] += 1
    return send(writer, 200, describe(state, parts[0], headers, int(how.get("looks", LOOKS))))


def describe(state, number, headers, looks=LOOKS):
    batch = state.batches[number]
    ended = batch["looks"] >= looks
    counts = Counter(processing=0, succeeded=0, errored=0, canceled=0, expired=0)
    counts["succeeded" if ended else "processing"] = len(batch["requests"])
    base = f"http://{headers['host']}/{urllib.parse.quote(batch['mode'], safe='')}"
    now = datetime.now(UTC).isoformat()
    return {
        "id": number,
        "type": "message_batch",
        "processing_status": "ended" if ended else "in_progress",
        "request_counts": counts,
        "created_at": now,
        "expires_at": now,
        "ended_at": now if ended else None,
        "archived_at": None,
        "cancel_initiated_at": None,
        "results_url": f"{base}/v1/messages/batches/{number}/results" if ended else None,
    }


def result(how, request):
    from misbehaving import anthropic_answer

    params = request["params"]
    prompt = params["messages"][-1]["content"]
    if "item_error" in how and how["item_error"] in prompt:
        error = {"type": "error", "error": {"type": "api_error", "message": "item failed"}}
        return {"custom_id": request["custom_id"], "result": {"type": "errored", "error": error}}
    message = anthropic_answer(how, params, f"echo: {prompt}", 100, 10)
    return {
        "custom_id": request["custom_id"],
        "result": {"type": "succeeded", "message": message},
    }
