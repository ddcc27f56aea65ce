"""A judge on a local server that speaks the OpenAI protocol; a function decides its verdict."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def points_of(payload):
    """The ids of the rubric's points, in the order in which they are asked."""
    schema = payload["response_format"]["json_schema"]["schema"]
    return list(schema["properties"]["points"]["properties"])


def verdict(payload, met, *, contradiction=False):
    """A verdict that grants or denies every point."""
    return json.dumps(
        {"points": dict.fromkeys(points_of(payload), int(met)), "contradiction": contradiction}
    )


@contextmanager
def judging(tmp_path, decide, *, status=200, entry=""):
    """Serve `decide(payload) -> text`; yields the path of models.toml and the payloads seen."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            seen.append(payload)
            body = {"error": {"message": "no such key"}}
            if status == 200:
                message = {"role": "assistant", "content": decide(payload)}
                body = {
                    "choices": [{"message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 1000, "completion_tokens": 100},
                }
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    models = tmp_path / "models.toml"
    models.write_text(
        f'[models.judge]\nbase_url = "http://127.0.0.1:{server.server_port}/v1"\n'
        f'model_id = "gpt-judge"\n{entry}\n'
    )
    try:
        yield models, seen
    finally:
        server.shutdown()
        server.server_close()
