"""What answers without a model reach on the environmental triad: one constant, or a random pick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from curieval.models.types import Baseline
from evals.env_triad.cases import TEMPLATE_WORDS, allowed_texts, candidate_texts
from scoring.facts import load_ontology
from scoring.ontology import Ontology

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Reference, other accepted values with their weights, template, slot.
ReferenceKey = tuple[str, tuple[tuple[str, float], ...], str, str]
Figures = dict[str, "NDArray[np.float64]"]

NAMES = (
    "hierarchical_f1",
    "lin_similarity",
    "hierarchical_precision",
    "hierarchical_recall",
    "ontology_score",
)
PAIRS_AT_A_TIME = 1 << 17
MOST_REFERENCES = 2_000


def constant_and_random(
    references: Mapping[ReferenceKey, int], ontologies: Sequence[Ontology] | None = None
) -> Sequence[Baseline]:
    """What two answers reach on these references, counted by how often each stands.

    For each figure the constant answer with the highest mean, among all values that any
    template allows in these slots and the references (the 2,000 most frequent); and the mean
    over all values that the row's template allows (any template where it has no set), which
    is what random picks reach. Nothing for no references. The shipped ontologies serve by
    default.
    """
    if not references:
        return ()
    import numpy as np

    given = tuple(ontologies or (load_ontology("envo"), load_ontology("po")))
    answers = _answers(references)
    place = {text: number for number, text in enumerate(answers)}
    sums = {name: np.zeros(len(answers)) for name in NAMES}
    picks = dict.fromkeys(sums, 0.0)
    for (template, slot), keys in _groups(references).items():
        own = [place[text] for text in candidate_texts(template, slot)]
        for part in _parts(keys, len(answers)):
            counts = np.array([references[key] for key in part], dtype=float)
            figures = _figures(part, answers, template, slot, given)
            for name, values in figures.items():
                sums[name] += counts @ values
                picks[name] += float(counts @ values[:, own].mean(axis=1))
    total = sum(references.values())
    found = []
    for name, column in sums.items():
        # The answers are sorted, and argmax takes the first of equals.
        best = int(np.argmax(column))
        figure = {name: float(column[best]) / total}
        found.append(Baseline(name="best_constant", answer=answers[best], figures=figure))
    return (
        *found,
        Baseline(
            name="random",
            answer="a random allowed value",
            figures={name: value / total for name, value in picks.items()},
        ),
    )


def reference_key(record: Mapping[str, Any]) -> ReferenceKey:
    """What a record's baselines depend on."""
    accepted = tuple(sorted(record.get("accepted", {}).items()))
    slices = record["slices"]
    return record["reference"], accepted, slices["template"], slices["slot"]


def _answers(references: Mapping[ReferenceKey, int]) -> list[str]:
    slots = {slot for _, _, _, slot in references}
    allowed = {
        text for each in TEMPLATE_WORDS for slot in slots for text in allowed_texts(each, slot)
    }
    frequent: Counter[str] = Counter()
    for key, count in references.items():
        frequent[key[0]] += count
    return sorted(allowed | {text for text, _ in frequent.most_common(MOST_REFERENCES)})


def _groups(
    references: Mapping[ReferenceKey, int],
) -> Mapping[tuple[str, str], list[ReferenceKey]]:
    groups: dict[tuple[str, str], list[ReferenceKey]] = {}
    for key in references:
        groups.setdefault((key[2], key[3]), []).append(key)
    return groups


def _parts(keys: Sequence[ReferenceKey], answers: int) -> Iterator[Sequence[ReferenceKey]]:
    size = max(1, PAIRS_AT_A_TIME // answers)
    for start in range(0, len(keys), size):
        yield keys[start : start + size]


def _figures(
    keys: Sequence[ReferenceKey],
    answers: Sequence[str],
    template: str,
    slot: str,
    ontologies: tuple[Ontology, ...],
) -> Figures:
    """Each figure of every answer (columns) against every reference (rows)."""
    import numpy as np

    from scoring.term_table import score_terms

    scores = score_terms(
        {
            "prediction": [text for _ in keys for text in answers],
            "reference": [key[0] for key in keys for _ in answers],
            "accepted": [each for key in keys for each in [dict(key[1])] * len(answers)],
        },
        ontology=ontologies,
        template=template,
        slot=slot,
    )
    shape = (len(keys), len(answers))
    return {name: np.nan_to_num(scores[name].astype(float)).reshape(shape) for name in NAMES}
