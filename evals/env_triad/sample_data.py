"""The template of a sample as a further target of the triad's cases: `--slot sampleData`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from curieval.models.types import Baseline, Case, Figure, Hints, Message, Request, Task
from evals.env_triad.cases import SLOTS, TEMPLATE_SLOT, TriadCase, TriadRow, shown_names, triad_rows
from evals.env_triad.lexical import lexical_answer
from evals.env_triad.prompt import EXAMPLE, answer_schema, sample_text
from evals.env_triad.templates import TEMPLATES, read_template
from evals.selection import stratified

SAMPLE_SIZE = 27
STRATA = ("template",)
ANSWER_TOKENS = 24
ID_PREFIX = "template-"
SYSTEM = "\n".join(
    [
        "You are a curator of biosample metadata.",
        "Name the submission template (sampleData) that the sample belongs to.",
        "Give the name only, without explanation.",
        "Choose one of these values:",
        *TEMPLATES,
    ]
)


def load_template_cases(path: Path | None = None) -> Sequence[TriadCase]:
    """The triad's cases, or those of a user's file, with the template as what is asked.

    The slot that such a case asked for is shown with its reference, so that all three stand in
    the prompt and the template does not. Raises CaseFileError that names file, line and field.
    """
    cases = [_case(row, origin) for origin, row in triad_rows(path)]
    return sorted(cases, key=lambda case: case.id)


def build_template_request(case: TriadCase) -> Request:
    """The request for one case: what all share, then its nine `Name: value` lines."""
    example = [(name, EXAMPLE[name]) for name in shown_names(TEMPLATE_SLOT)]
    return Request(
        messages=(
            Message(role="system", content=SYSTEM),
            Message(role="user", content=sample_text(example)),
            Message(role="assistant", content=EXAMPLE[TEMPLATE_SLOT]),
            Message(role="user", content=sample_text(case.shown)),
        ),
        max_tokens=ANSWER_TOKENS,
        temperature=0.0,
        schema=answer_schema(TEMPLATES),
        hints=Hints(
            case_id=case.id,
            reference=case.reference,
            allowed=TEMPLATES,
            answers={"lexical": partial(lexical_answer, case.shown, TEMPLATES)},
        ),
    )


def suspect_template(case: Case) -> str | None:
    """Why a case's template cannot be judged against; None for one of the schema's."""
    return template_problem(case.reference)


def template_problem(reference: str) -> str | None:
    """Why a template is suspect, as `code: sentence`; None for one of the schema's."""
    if reference in TEMPLATES:
        return None
    return f"unknown_template: {reference!r} is none of {', '.join(TEMPLATES)}"


def template_baselines(records: Sequence[Mapping[str, Any]]) -> Sequence[Baseline]:
    """What the most frequent template, and picks among all of them, reach on these records.

    Macro-F1 averages over the templates of the references: the constant answer has
    2 n / (n + N) for its own n of N references and 0 for the others; the picks have that of
    their expected counts.
    """
    counts = Counter(str(record["scores"]["truth_class"]) for record in records)
    total = counts.total()
    if not total:
        return ()
    best = min(counts, key=lambda name: (-counts[name], name))
    constant, picks = {"exact_match": counts[best] / total}, {"exact_match": 1 / len(TEMPLATES)}
    if len(counts) > 1:
        constant["macro_f1"] = 2 * counts[best] / (counts[best] + total) / len(counts)
        picks["macro_f1"] = sum(
            2 * n / (total + len(TEMPLATES) * n) for n in counts.values()
        ) / len(counts)
    return (
        Baseline(name="best_constant", answer=best, figures=constant),
        Baseline(name="random", answer="a random template", figures=picks),
    )


def sample(cases: Sequence[TriadCase]) -> Sequence[TriadCase]:
    """The named set that a model on the user's own machine runs by default."""
    return stratified(cases, SAMPLE_SIZE, strata=STRATA)


def _case(row: TriadRow, origin: str) -> TriadCase:
    # Of a case that asks for the template already, the reference is its template.
    given = row.reference if row.slot == TEMPLATE_SLOT else row.sampleData
    reference = read_template(given)[0] or given
    shown = {name: getattr(row, name) for name in shown_names(TEMPLATE_SLOT)}
    case_id = row.id
    if row.slot in SLOTS:
        shown[row.slot] = row.reference
        case_id = f"{ID_PREFIX}{row.id}"
    return TriadCase(
        id=case_id,
        label=row.study_name or row.id,
        slices={
            "slot": TEMPLATE_SLOT,
            "template": reference,
            "group": row.value_group,
            "difficulty": row.difficulty,
        },
        reference=reference,
        origin=origin,
        template=reference,
        slot=TEMPLATE_SLOT,
        shown=tuple(shown.items()),
        allowed=TEMPLATES,
    )


ENV_TEMPLATE = Task(
    name="env_template",
    load_cases=load_template_cases,
    columns=frozenset({"id", "slot", "sampleData", "reference"}),
    request=build_template_request,
    figures=(
        Figure(name="exact_match", primary=True),
        Figure(name="macro_f1", aggregate="macro_f1"),
    ),
    headline_slice="template",
    strata=STRATA,
    sample=sample,
    sample_size=SAMPLE_SIZE,
    words=frozenset({"template"}),
    baselines=template_baselines,
    suspect=suspect_template,
)
