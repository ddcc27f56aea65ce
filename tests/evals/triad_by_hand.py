"""The triad's figures by another route: breadth-first over the shipped facts, from the spec's text.

Nothing here comes from `scoring`, so that a slip in it cannot hide.
"""

from __future__ import annotations

import csv
import gzip
import json
import re
from functools import cache
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "enum_data"
TERM = re.compile(r'"*_*(.+?)\s*\[(\w+:\d+)\]"*')
BRANCHES = {
    "env_broad_scale": "ENVO:00000428",
    "env_local_scale": "ENVO:01000813",
    "env_medium": "ENVO:00010483",
}


@cache
def facts(curie):
    """Parents and labels of the ontology that a term is scored in: the Plant Ontology its own."""
    return _read("po" if is_plant(curie) else "envo")


@cache
def _read(name):
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        terms = {term["id"]: term for term in map(json.loads, lines)}
    parents = {i: [p for p in term.get("is_a", ()) if p in terms] for i, term in terms.items()}
    return parents, {i: term["label"] for i, term in terms.items()}


@cache
def hops(curie):
    """Ancestors with the least number of is_a steps; the term itself with 0."""
    parents, _ = facts(curie)
    found, front = {curie: 0}, [curie]
    while front:
        further = [p for term in front for p in parents.get(term, ()) if p not in found]
        step = found[front[0]] + 1
        found.update(dict.fromkeys(further, step))
        front = list(dict.fromkeys(further))
    return found


@cache
def allowed(template, slot):
    """CURIEs of a template's value set; None where it has none."""
    path = DATA / f"{template}_{slot}.tsv"
    if not path.exists():
        return None
    with path.open(encoding="utf-8", newline="") as file:
        return frozenset(row["id"] for row in csv.DictReader(file, delimiter="\t"))


def read(text):
    """Label and CURIE of `label [CURIE]`."""
    return TERM.fullmatch(text.strip()).groups()


def is_plant(curie):
    """Whether a term is the Plant Ontology's, in which it is scored by itself."""
    return curie.startswith("PO:")


def ontology_score(answer, reference, template, slot):
    """Section 1: 0.1 parsed + 0.1 label + 0.5 hierarchy + 0.3 value set."""
    (label, curie), (_, truth) = read(answer), read(reference)
    _, labels = facts(curie)
    if curie == truth:
        near = 1.0
    elif is_plant(curie) != is_plant(truth):
        near = 0.0
    elif truth in hops(curie):
        near = max(0.0, 1 - 0.10 * hops(curie)[truth])
    elif curie in hops(truth):
        near = max(0.0, 1 - 0.15 * hops(truth)[curie])
    else:
        near = 0.0
    values = allowed(template, slot)
    member = 0.5 if values is None else float(curie in values)
    named = labels.get(curie, "").lower() == label.strip().lower()
    return 0.1 + 0.1 * named + 0.5 * near + 0.3 * member


def hierarchical_f1(answer, reference, slot, accepted=()):
    """Section 2, the best of weight x F1 over the reference and those accepted beside it."""
    weighted = [(reference, 1.0), *accepted]
    return max(weight * _f1(read(answer)[1], read(text)[1], slot) for text, weight in weighted)


def _f1(answer, truth, slot):
    parents, labels = facts(answer)
    if answer not in labels or is_plant(answer) != is_plant(truth):
        return 0.0
    root = BRANCHES[slot]
    a, b = set(hops(answer)), set(hops(truth))
    if root in a and root in b:
        a, b = ({t for t in side if root in hops(t) and t != root} for side in (a, b))
        if not a and not b:
            return 1.0
    elif slot == "env_local_scale" or is_plant(answer):
        a, b = ({t for t in side if parents[t]} for side in (a, b))
    else:
        return 0.0
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0
