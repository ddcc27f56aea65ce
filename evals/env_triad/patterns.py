"""What a model's answers to the triad have in common, and what that may mean."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_CASES = 5
MOST_PAIRS = 3
MOST_REPAIRS = 6
FEWEST = 2
# An answer outside the value set is a good one from here on.
GOOD_F1 = 0.7
# Reason codes of a pair of label and id that no ontology has.
INVENTED = {
    "label_of_another_term": "with the label of another term",
    "unknown_label": "with a label that no term has",
    "unknown_id": "with an id that no term has",
    "unknown_ontology": "with an id of no ontology at hand",
}

Record = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """Answers that are alike: `cases` of `total` that could be so, each case as often as it is.

    It stands out from a `share` of `total` on, given at least two cases; `meaning` says what
    it may tell.
    """

    name: str
    cases: tuple[str, ...]
    total: int
    share: float
    meaning: str

    @property
    def stands_out(self) -> bool:
        """Whether it is frequent enough to be named."""
        return len(self.cases) >= max(FEWEST, self.share * self.total)


def find_patterns(records: Sequence[Record]) -> Sequence[Pattern]:
    """The patterns in scored records of the triad, whether they stand out or not.

    Hedging and over-specific answers are counted among those that can be read, good terms
    outside the set among those whose template has a set, unreadable ones among all.
    """
    read = [record for record in records if record["scores"].get("parse_success")]
    judged = [record for record in read if record["scores"].get("in_template_enum") is not None]
    return (
        _pattern(
            "more general than the reference (hedging)",
            read,
            lambda scores: scores.get("relationship") == "ancestor",
            share=0.2,
            meaning="the prompt may be too weak to make the model commit itself",
        ),
        _pattern(
            "more specific than the reference",
            read,
            lambda scores: scores.get("relationship") == "descendant",
            share=0.15,
            meaning="the references may be too vague",
        ),
        _pattern(
            "near the reference but outside the value set",
            judged,
            lambda scores: (
                not scores["in_template_enum"] and (scores.get("hierarchical_f1") or 0) >= GOOD_F1
            ),
            share=0.05,
            meaning="the value set may be too narrow",
        ),
        _pattern(
            "invented pairs of label and id",
            read,
            lambda scores: bool(_invented(scores)),
            share=0.05,
            meaning="the model does not know the ids and needs the values shown, or a look-up",
        ),
        _pattern(
            "unreadable",
            records,
            lambda scores: not scores.get("parse_success"),
            share=0.1,
            meaning="the prompt may not make the form `label [CURIE]` clear",
        ),
    )


def remarks(records: Sequence[Record]) -> Sequence[str]:
    """Shares, branches and the lenient reading, a line each, then a sentence with cases for each
    pattern that stands out."""
    if not records:
        return ()
    patterns = find_patterns(records)
    shares = [f"{_share(len(each.cases), each.total)} {each.name}" for each in patterns]
    sets = [record["scores"].get("in_template_enum") for record in records]
    judged = [inside for inside in sets if inside is not None]
    if judged:
        shares.insert(0, f"{_share(sum(judged), len(judged))} in the value set")
    lines = [f"answers: {', '.join(shares)}"]
    lines += filter(None, (_crossed(records), _repaired(records)))
    for each in patterns:
        if each.stands_out:
            found = f"{len(each.cases)} of {each.total} answers are {each.name}"
            if each.name.startswith("invented"):
                found += f", {_kinds(records)}"
            lines.append(f"pattern: {found}: {each.meaning} ({_some(each.cases)})")
    return lines


def _crossed(records: Sequence[Record]) -> str | None:
    """How many answers lie in another branch than their reference, and which for which."""
    pairs = Counter(
        (str(truth), str(answer))
        for record in records
        if (truth := record["scores"].get("truth_branch"))
        and (answer := record["scores"].get("pred_branch"))
    )
    crossed = Counter({pair: n for pair, n in pairs.items() if pair[0] != pair[1]})
    if not crossed:
        return None
    ranked = sorted(crossed.items(), key=lambda item: (-item[1], item[0]))
    often = ", ".join(f"{answer!r} for {truth!r} {n}" for (truth, answer), n in ranked[:MOST_PAIRS])
    return (
        f"branches: {crossed.total()} of {pairs.total()} readable answers lie in another branch "
        f"than the reference, most often {often}"
    )


def _repaired(records: Sequence[Record]) -> str | None:
    """What the lenient reading would give, where it gives anything else, and its repairs."""
    pairs = [
        (scores["hierarchical_f1"], scores["lenient_hierarchical_f1"], scores)
        for record in records
        if (scores := record["scores"]).get("lenient_hierarchical_f1") is not None
        and scores.get("hierarchical_f1") is not None
    ]
    changed = [scores for strict, lenient, scores in pairs if strict != lenient]
    if not changed:
        return None
    repairs = Counter(
        reason
        for scores in changed
        for reason in str(scores.get("lenient_reasons") or "").split()
        if reason not in INVENTED
    )
    ranked = sorted(repairs.items(), key=lambda item: (-item[1], item[0]))
    often = ", ".join(f"{reason} {n}" for reason, n in ranked[:MOST_REPAIRS])
    strict_mean, lenient_mean = (
        math.fsum(pair[side] for pair in pairs) / len(pairs) for side in (0, 1)
    )
    return (
        f"lenient reading: hierarchical_f1 {lenient_mean:.3f} instead of {strict_mean:.3f}, as "
        f"{len(changed)} of {len(pairs)} answers score otherwise ({often})"
    )


def _pattern(
    name: str,
    records: Sequence[Record],
    has: Callable[[Mapping[str, Any]], bool],
    *,
    share: float,
    meaning: str,
) -> Pattern:
    cases = tuple(record["case"] for record in records if has(record["scores"]))
    return Pattern(name=name, cases=cases, total=len(records), share=share, meaning=meaning)


def _invented(scores: Mapping[str, Any]) -> list[str]:
    return [reason for reason in str(scores.get("reasons") or "").split() if reason in INVENTED]


def _kinds(records: Sequence[Record]) -> str:
    counts = Counter(reason for record in records for reason in _invented(record["scores"]))
    return ", ".join(
        f"{counts[reason]} {INVENTED[reason]}" for reason in INVENTED if counts[reason]
    )


def _some(cases: Sequence[str]) -> str:
    names = list(dict.fromkeys(cases))
    more = len(names) - MOST_CASES
    return ", ".join(names[:MOST_CASES]) + (f" and {more} more" if more > 0 else "")


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.0f} %" if total else "none"
