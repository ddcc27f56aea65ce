"""Numbered questions to a sleeping model through pydantic-evals, in the environment of peers.py."""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import version

from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected


def main(seconds: float, cases: int, concurrency: int) -> None:
    async def ask(question: str) -> str:
        await asyncio.sleep(seconds)
        return f"echo: {question}"

    questions = [f"question {number:03}" for number in range(cases)]
    dataset = Dataset(
        name="numbered",
        cases=[Case(name=q, inputs=q, expected_output=f"echo: {q}") for q in questions],
        evaluators=[EqualsExpected()],
    )
    report = dataset.evaluate_sync(ask, max_concurrency=concurrency, progress=False)
    right = sum(all(a.value for a in case.assertions.values()) for case in report.cases)
    print(version("pydantic-evals"), right)


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
