"""Building a suite of cases from a table of samples: stratified, deduplicated, seeded."""

from __future__ import annotations

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evals.env_triad.cases import SLOTS, TEMPLATE_SLOT, TEMPLATE_WORDS, shown_names
from evals.env_triad.prompt import sample_text
from evals.env_triad.templates import read_template
from scoring import parse_term

LONGEST_DESCRIPTION = 500
LONGEST_GROUP = 40
INPUTS = (
    "study_name",
    "description",
    "notes",
    "sampleData",
    *SLOTS,
    "geo_loc_name",
    "depth",
    "analysis_type",
)
# The GOLD path all but states the answer, so that no prompt may show it.
GOLD_PATH = (
    "ecosystem",
    "ecosystem_type",
    "ecosystem_subtype",
    "ecosystem_category",
    "specific_ecosystem",
)
_ASIDE = " _\u00a0"
_TELL_NOTHING = frozenset({"biome", "area", "of", "the", "a", "an", "and", "or", "with", "by"})


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A row of the source: the fields in `INPUTS` as text, and where it stands."""

    place: str
    fields: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Stratum:
    """One value of the slot: how many distinct samples have it, and how many were taken."""

    value: str
    pool: int
    taken: int


@dataclass(frozen=True, kw_only=True)
class Suite:
    """The cases, as rows of a case file, and the account of every row of the source.

    `read` = `without_target` + `without_template` + `duplicates` + the pools of `kept` and
    `left_out`. `contradictory` counts the prompts that samples of several values give: no
    answer is right for all of them.
    """

    slot: str
    rows: Sequence[Mapping[str, object]]
    read: int
    without_target: int
    without_template: int
    duplicates: int
    contradictory: int
    kept: Sequence[Stratum]
    left_out: Sequence[Stratum]


@dataclass(kw_only=True)
class _Pools:
    read: int = 0
    without_target: int = 0
    without_template: int = 0
    duplicates: int = 0
    contradictory: int = 0
    by_value: dict[str, list[Sample]] = field(default_factory=dict)


def build_suite(
    samples: Iterable[Sample], *, slot: str, per_category: int, min_pool: int, seed: int
) -> Suite:
    """Draw `per_category` samples for each value of the slot that at least `min_pool` have.

    Samples without the target, or without a template, are dropped. Strata are the cleaned
    values; within each, samples count once for each prompt that they give, descriptions
    beyond 500 characters cut. One generator of that seed draws from the strata in sorted order.
    The slot may be `sampleData` too: then the template is what is asked for. ValueError for any
    other slot, and for counts below 1.
    """
    if slot not in (*SLOTS, TEMPLATE_SLOT):
        raise ValueError(f"no slot {slot!r}: use {', '.join((*SLOTS, TEMPLATE_SLOT))}")
    if per_category < 1 or min_pool < 1:
        raise ValueError("per_category and min_pool must be at least 1")
    pools = _pooled(samples, slot)
    values = sorted(pools.by_value)
    chance = random.Random(seed)
    drawn: list[tuple[str, Sample]] = []
    kept, left_out = [], []
    for value in values:
        pool = pools.by_value[value]
        if len(pool) < min_pool:
            left_out.append(Stratum(value=value, pool=len(pool), taken=0))
            continue
        taken = chance.sample(pool, min(per_category, len(pool)))
        kept.append(Stratum(value=value, pool=len(pool), taken=len(taken)))
        drawn += [(value, sample) for sample in taken]
    return Suite(
        slot=slot,
        rows=_case_rows(drawn, slot),
        read=pools.read,
        without_target=pools.without_target,
        without_template=pools.without_template,
        duplicates=pools.duplicates,
        contradictory=pools.contradictory,
        kept=kept,
        left_out=left_out,
    )


def clean_value(text: str) -> str:
    """A value without the blanks and underscores around it, as pick lists indent theirs."""
    return text.strip().strip(_ASIDE).strip()


def _pooled(samples: Iterable[Sample], slot: str) -> _Pools:
    pools = _Pools()
    values_of: dict[str, list[str]] = {}
    for sample in samples:
        pools.read += 1
        shown = _cleaned(sample)
        value = shown.fields[slot]
        if slot == TEMPLATE_SLOT:
            value = read_template(value)[0] or value
        if not value:
            pools.without_target += 1
            continue
        if not shown.fields["sampleData"]:
            pools.without_template += 1
            continue
        prompt = sample_text([(name, shown.fields[name]) for name in shown_names(slot)])
        values = values_of.setdefault(prompt, [])
        if value in values:
            pools.duplicates += 1
            continue
        values.append(value)
        pools.contradictory += len(values) == 2
        pools.by_value.setdefault(value, []).append(shown)
    return pools


def _cleaned(sample: Sample) -> Sample:
    fields = {name: sample.fields.get(name, "").strip() for name in INPUTS}
    for slot in (*SLOTS, TEMPLATE_SLOT):
        fields[slot] = clean_value(fields[slot])
    description = fields["description"]
    if len(description) > LONGEST_DESCRIPTION:
        fields["description"] = description[: LONGEST_DESCRIPTION - 3] + "..."
    return Sample(place=sample.place, fields=fields)


def _case_rows(drawn: Sequence[tuple[str, Sample]], slot: str) -> Sequence[Mapping[str, object]]:
    if slot == TEMPLATE_SLOT:
        groups: Mapping[str, str] = {value: template_word(value) for value, _ in drawn}
    else:
        groups = _group_words([value for value, _ in drawn])
    numbers: Counter[str] = Counter()
    width = 2 if len(drawn) < 100 else 3
    rows: list[Mapping[str, object]] = []
    for value, sample in drawn:
        inputs = {name: text for name, text in sample.fields.items() if name != slot}
        if slot == TEMPLATE_SLOT:
            stem = f"template-{groups[value]}"
            inputs[TEMPLATE_SLOT] = value
        else:
            word = template_word(sample.fields[TEMPLATE_SLOT])
            stem = f"{word}-{slot.split('_')[1]}-{groups[value]}"
        numbers[stem] += 1
        rows.append(
            {
                "id": f"{stem}-{numbers[stem]:0{width}d}",
                "slot": slot,
                **inputs,
                "reference": value,
                "value_group": groups[value],
                "why": f"the source's own value, {sample.place}",
            }
        )
    return rows


def template_word(template: str) -> str:
    """A template's word for ids: one that no other template's word contains."""
    if template in TEMPLATE_WORDS:
        return TEMPLATE_WORDS[template]
    for word in _words(template.removesuffix("_data")):
        if _is_free(word):
            return word
    return "other"


def _group_words(values: Iterable[str]) -> Mapping[str, str]:
    """A word for each value, from its label, that `-k` takes for no template or slot."""
    groups: dict[str, str] = {}
    taken: set[str] = set()
    for value in dict.fromkeys(values):
        term = parse_term(value)
        words = [
            word
            for word in _words(term.label or value)
            if word not in _TELL_NOTHING and _is_free(word)
        ]
        digits = (term.curie or "").rpartition(":")[2]
        word = "-".join(words[:3])[:LONGEST_GROUP] or digits or "value"
        if word in taken:
            word = f"{word}-{digits or len(taken)}"
        taken.add(word)
        groups[value] = word
    return groups


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z0-9]+", plain)


def _is_free(word: str) -> bool:
    reserved = {*TEMPLATE_WORDS.values(), *(slot.split("_")[1] for slot in SLOTS)}
    return not any(each in word or word in each for each in reserved)
