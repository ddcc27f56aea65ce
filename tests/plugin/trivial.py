"""A task that costs nothing to ask and to score, of any size: what tests and benchmarks run."""

from __future__ import annotations

from pathlib import Path

from curieval.models.types import Case, Figure, Hints, Message, Request, Task

CONFTEST = (Path(__file__).resolve().parents[2] / "conftest.py").read_text(encoding="utf-8")
TEST_FILE = """
from fixtures.cases import evaluation
from tests.plugin.trivial import trivial_task

@evaluation(trivial_task({arguments}))
def test_trivial(case, reply, record):
    record({{"right": float(reply.text == case.reference)}})
"""


def trivial_task(n=1000, *, suspects=(), size=10, right="{}"):
    """Make a task of n cases that ask for the numbers from 0; `suspects` are some of them."""
    cases = [
        Case(
            id=f"thing-{number:05}",
            label=f"Number {number}",
            slices={"kind": "odd" if number % 2 else "even"},
            reference=right.format(number),
            origin=f"trivial:{number}",
        )
        for number in range(n)
    ]
    return Task(
        name="trivial",
        load_cases=lambda path=None: cases,
        columns=frozenset({"id"}),
        request=ask_number,
        figures=(Figure(name="right", primary=True),),
        headline_slice="kind",
        strata=("kind",),
        sample=lambda some: some[:size],
        sample_size=size,
        words=frozenset({"thing"}),
        suspect=lambda case: "no number" if number_of(case) in suspects else None,
    )


def number_of(case):
    """The number that a case asks for."""
    return int(case.id.rpartition("-")[2])


def ask_number(case):
    """Ask for the number of a case."""
    return Request(
        messages=(
            Message(role="system", content="Say the number."),
            Message(role="user", content=str(number_of(case))),
        ),
        hints=Hints(case_id=case.id, reference=case.reference, allowed=("0", "1")),
    )
