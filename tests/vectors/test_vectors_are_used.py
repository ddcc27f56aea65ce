"""Every group of the vectors of belief is asked for by a test."""

import json
from pathlib import Path

FOLDER = Path(__file__).parent


def test_every_group_has_its_test():
    text = (FOLDER / "belief.jsonl").read_text(encoding="utf-8")
    groups = {json.loads(line)["group"] for line in text.splitlines()}
    tests = "\n".join(
        path.read_text(encoding="utf-8") for path in (FOLDER.parent / "scoring").glob("test_*.py")
    )
    assert {group for group in groups if f'"{group}"' not in tests} == set()
    assert len(groups) == 9
