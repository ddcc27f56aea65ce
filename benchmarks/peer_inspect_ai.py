"""Numbered questions to a sleeping model through inspect_ai, in the environment of peers.py."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from importlib.metadata import version

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelAPI, ModelOutput, modelapi
from inspect_ai.scorer import Score, Target, accuracy, scorer
from inspect_ai.solver import TaskState, generate

SECONDS, CASES, CONCURRENCY = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])


@modelapi(name="sleeping")
class Sleeping(ModelAPI):
    """Echoes the question after a while."""

    async def generate(self, input, tools, tool_choice, config):
        await asyncio.sleep(SECONDS)
        return ModelOutput.from_content(self.model_name, f"echo: {input[-1].text}")


@scorer(metrics=[accuracy()])
def equals():
    async def score(state: TaskState, target: Target) -> Score:
        return Score(value=float(state.output.completion == target.text))

    return score


def main() -> None:
    questions = [f"question {number:03}" for number in range(CASES)]
    samples = [Sample(id=q, input=q, target=f"echo: {q}") for q in questions]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=equals())
    with tempfile.TemporaryDirectory() as logs:
        (log,) = eval(
            task,
            model="sleeping/m-1",
            max_connections=CONCURRENCY,
            max_samples=CONCURRENCY,
            display="none",
            log_dir=logs,
        )
    right = log.results.scores[0].metrics["accuracy"].value * CASES
    print(version("inspect-ai"), round(right))


if __name__ == "__main__":
    main()
