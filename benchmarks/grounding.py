"""What grounding costs: building the term set, a text never seen, and one that is kept.

build  seconds from nothing to an open grounder, and how many of them importing gilda takes
new    milliseconds a text that no process has asked for, gilda being loaded
kept   milliseconds a text that another process has asked for, gilda not loaded
check  milliseconds a `check_grounding` of one agent, texts and names new to this process

The last line is one JSON object. Run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from curieval.grounder import open_grounder, quiet_import
from curieval.grounding_terms import shipped_terms
from scoring import check_grounding


def milliseconds(run: Callable[[Any], Any], items: Iterable[Any]) -> float:
    """The mean milliseconds an item."""
    listed = list(items)
    began = time.perf_counter()
    for item in listed:
        run(item)
    return (time.perf_counter() - began) / len(listed) * 1_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=3_000)
    options = parser.parse_args()
    genes = [row for row in shipped_terms() if row.db == "HGNC" and row.status == "synonym"]
    drawn = random.Random(3).sample(genes, options.texts * 2)
    texts, others = drawn[: options.texts], drawn[options.texts :]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.perf_counter()
        with quiet_import():
            import gilda.grounder  # noqa: F401
        imported = time.perf_counter() - began
        grounder = open_grounder("shipped", folder=folder)
        built = time.perf_counter() - began
        new = milliseconds(lambda row: grounder.ground(row.text), texts)
        grounder.prime([])
        again = open_grounder("shipped", folder=folder)
        kept = milliseconds(lambda row: again.ground(row.text), texts)
        check = milliseconds(
            lambda row: check_grounding(
                row.name, row.text, row.text, grounder=again, families=again.families
            ),
            others,
        )
    print(f"build {built:.1f} s, of which importing gilda {imported:.1f} s")
    print(f"new   {new:.3f} ms a text\nkept  {kept:.3f} ms a text\ncheck {check:.3f} ms an agent")
    print(
        json.dumps(
            {
                "build_seconds": round(built, 1),
                "import_seconds": round(imported, 1),
                "new_ms": round(new, 3),
                "kept_ms": round(kept, 3),
                "check_ms": round(check, 3),
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
