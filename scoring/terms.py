"""Reading `label [CURIE]`: strictly, or as people and models really write it."""

from __future__ import annotations

from scoring.strict_term import UNREAD, ParsedTerm, read_strictly
from scoring.term_reader import read_terms

__all__ = ["UNREAD", "ParsedTerm", "parse_term", "parse_terms"]


def parse_term(text: object, *, lenient: bool = False) -> ParsedTerm:
    """Read one `label [CURIE]`; the result is false where there is none.

    Strictly, the whole text must match: blanks and then `"` come off both ends, leading
    `_` off the label, and the CURIE keeps its case. `lenient` gives the first term of
    `parse_terms`, with the reason `several_answers` where there are more, and the reason
    `no_answer` where there is none. Takes anything, never raises.

    >>> parse_term("__temperate woodland biome [ENVO:01000221]").label
    'temperate woodland biome'
    >>> parse_term("Answer: **tundra biome** (ENVO_01000180).", lenient=True).curie
    'ENVO:01000180'
    """
    if not lenient:
        return read_strictly(text if isinstance(text, str) else str(text))
    terms = read_terms(text)
    if not terms:
        return ParsedTerm(reasons=("no_answer",))
    first = terms[0]
    if len(terms) == 1:
        return first
    return ParsedTerm(
        label=first.label,
        curie=first.curie,
        raw_id=first.raw_id,
        reasons=(*first.reasons, "several_answers"),
    )


def parse_terms(text: object) -> list[ParsedTerm]:
    """Every term that a text names, in order, each repair named by a reason code.

    Reads other separators, IRIs, doubled and misspelt prefixes, missing and odd brackets,
    labels after ids, markup, quotes, JSON, YAML, leading prose, and labels without an id
    (reason `label_only`). An id that cannot be one (its number of digits, an unheard-of
    prefix) stands in `raw_id`, and `curie` is None. Empty for a refusal, a missing value
    or text that names nothing. Takes anything, never raises, in time linear in its length.

    >>> [term.curie for term in parse_terms("soil (ENVO:00001998); sand ENVO_01000017")]
    ['ENVO:00001998', 'ENVO:01000017']
    """
    return read_terms(text)
