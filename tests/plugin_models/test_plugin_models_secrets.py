"""Keys and passwords are found in no file and no line that a run leaves behind."""

from __future__ import annotations

import base64

import pytest

PASSWORD = "pw-Zq81xx07Lmn"
QUERY_KEY = "qk-55aaRt90Wpq"
KEYS = {"TRIAL_API_KEY": "tk-9fK2hhLp03vX", "TRIAL_HEADER_TOKEN": "hd-77GhtYY1dq42"}
ENTRY = 'key_env = "TRIAL_API_KEY"\nheaders = { x-trial = "TRIAL_HEADER_TOKEN" }\n'
BASIC = base64.b64encode(f"user:{PASSWORD}".encode()).decode()
SECRETS = (PASSWORD, QUERY_KEY, BASIC, *KEYS.values())


def leaks(trial, output):
    """The secrets that stand in the output or in any file but models.toml, and where."""
    texts = {"output": output.encode()}
    for file in trial.folder.rglob("*"):
        if file.is_file() and file != trial.models:
            texts[str(file.relative_to(trial.folder))] = file.read_bytes()
    assert {"report/records.jsonl", "report/report.html", "report/report.json"} <= texts.keys()
    return [
        (name, secret)
        for name, data in texts.items()
        for secret in SECRETS
        if secret.encode() in data
    ]


@pytest.mark.parametrize("api", ["openai", "anthropic"])
@pytest.mark.parametrize("place", ["environment", "address"])
def test_no_secret_is_written_anywhere(short_trial, api, place):
    trial = short_trial
    # The server tells all that it was sent in the text of its error, for some of the cases.
    base = trial.server.base if api == "anthropic" else trial.server.openai
    url = base("tell;only=question 00")
    if place == "address":
        url = url.replace("//", f"//user:{PASSWORD}@", 1) + f"?key={QUERY_KEY}"
        trial.serve("", url=url, entry=f'api = "{api}"\n')
    else:
        trial.serve("", url=url, entry=f'{ENTRY}api = "{api}"\n')
    settings = KEYS if place == "environment" else {"ANTHROPIC_API_KEY": KEYS["TRIAL_API_KEY"]}

    done = trial.run("-v", "--concurrency", "12", environment=settings)

    assert done.code == 11, done.output
    sent = " ".join(trial.server.calls()["headers"].values())
    reached = KEYS.values() if place == "environment" else (BASIC,)
    assert [secret for secret in reached if secret not in sent] == []
    told = [line["detail"] for line in trial.lines() if line["state"] == "unscored"]
    assert len(told) == 10
    assert all("[redacted]" in text for text in told)
    assert leaks(trial, done.output) == []
