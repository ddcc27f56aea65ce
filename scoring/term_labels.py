"""Telling the label of a term from the prose, punctuation and markup around it."""

from __future__ import annotations

import re
from functools import cache

from scoring.facts import SHIPPED, load_ontology
from scoring.ontology import plain_label

# The longest label of ENVO has 148 characters; what is longer is prose around one.
WINDOW = 400
_CUTS = 60

# Words of the form that a prompt asks for; an ontology may have terms of these names.
PLACEHOLDERS = frozenset({"label", "curie", "term", "id", "name", "value", "answer"})

# No label of ENVO or PO holds square, curly or angle brackets; round ones many do.
_EDGES = " \t\r\n,;|:.=&+/\\`\"'*_-–—→⇒➡•·#?¿!¡$~✓✔✅☑👉\ufe0f\ufffd[]{}<>"
_HARD = re.compile(r"[\n|;\"`“”]")
_SOFT = re.compile(
    r"[\n|;\"`“”,:(=>→]|\.\s"
    r"|\s(?:is|are|was|as|be|being|likely|probably|maybe|perhaps|possibly|an?|the|called|named|choose|select|-|–|—)(?=\s)",
    re.I,
)
_SOFT_AFTER = re.compile(
    r"[\n|;\"`“”,:)=.(]|\s(?:is|are|was|as|because|since|which|for|given|based|due|and|or|-|–|—)(?=\s)",
    re.I,
)
_LEAD = re.compile(
    r"(?:(?:the|my|your|final|best|correct|most\s+likely|most\s+appropriate|predicted|suggested"
    r"|expected|env|mixs|ontology|envo)[\s_]+){0,4}"
    r"(?:answer|value|term|label|name|prediction|response|result|output|classification|choice"
    r"|annotation|curie|id|identifier|slot|biome|env[_ ]broad[_ ]scale|env[_ ]local[_ ]scale"
    r"|env[_ ]medium|broad[- _]scale|local[- _]scale|medium|environmental\s+medium)"
    r"(?:\s+(?:for|of|in)\s+(?:this|the|that)\s+\w+)?"
    r"\s*(?:\bis\b|\bwould\s+be\b|\bshould\s+be\b|:|=|→|->)+\s*(?:the\s+)?",
    re.I,
)
_LEADS_ON = re.compile(
    r"\b(?:is|are|be|as|choose|select|pick|use|suggest|recommend|assign(?:ed)?|to|would|say|the|an?"
    r"|with|by|it)\W*\Z",
    re.I,
)
_LIST_MARK = re.compile(r"\(?\d{1,2}[.)]\s+|[-*•·>#]+\s+")
_PREFIX_ALONE = re.compile(r"[\[(|,;]?\s?\bENVO\b\s?[\])]?\s*\Z")
_JOINER = re.compile(r"\A(?:and|or|plus|then|also|with)(?:\s+|\Z)", re.I)
_SAYS_WHAT = re.compile(
    r"[\s,;:(–—-]*(?:(?:which|that|this|it)\s+(?:is|means|stands\s+for|corresponds\s+to)"
    r"|i\.e\.|meaning|called|named|for)\s+(?:the\s+|an?\s+)?",
    re.I,
)
_REASON_GIVEN = re.compile(
    r"(?:is|are|was|as|because|since|which|for|based|due|this|that|it|the\s+sample|so|given)\b",
    re.I,
)


@cache
def _known_labels() -> frozenset[str]:
    known: set[str] = set()
    for name in SHIPPED:
        ontology = load_ontology(name)
        for curie in ontology:
            label = ontology.label(curie) or ""
            known.add(plain_label(label))
            known.add(plain_label(label.removeprefix("obsolete ")))
            known.update(plain_label(text) for text, scope in ontology.synonyms(curie))
    known.discard("")
    return frozenset(known)


@cache
def _names_of(curie: str) -> frozenset[str]:
    for name in SHIPPED:
        term = load_ontology(name).term(curie)
        if term is not None:
            texts = (term.label, *(text for text, _ in term.synonyms))
            return frozenset(map(plain_label, texts))
    return frozenset()


def names(label: str, curie: str | None) -> bool:
    """Whether the shipped ontologies call the CURIE so, case and blanks aside."""
    return curie is not None and plain_label(label) in _names_of(curie)


def is_known(label: str) -> bool:
    """Whether a text is a label or synonym of the shipped ontologies, case and blanks aside."""
    return len(label) <= WINDOW and plain_label(label) in _known_labels()


def trim(text: str) -> str:
    """The text without blanks, quotes, separators and unpaired brackets at its ends."""
    for _ in range(8):
        trimmed = text.lstrip(_EDGES + ")").rstrip(_EDGES + "(")
        if trimmed.startswith("("):
            close = _closing_place(trimmed)
            if close is None:
                trimmed = trimmed[1:]
            elif close == len(trimmed) - 1:
                trimmed = trimmed[1:-1]
        if trimmed.endswith(")") and trimmed.count(")") > trimmed.count("("):
            trimmed = trimmed[:-1]
        if trimmed == text:
            break
        text = trimmed
    return text


def _closing_place(text: str) -> int | None:
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth:
            return place
    return None


def label_before(segment: str, *, joined: bool = False) -> str | None:
    """The label at the end of the text before an id; None where there is none.

    `joined` says that another term stands before the text, so that it may open with a
    separator or `and`. Of the places where a label can begin, the first wins that makes
    a label of the shipped ontologies; without one, what follows separators and lead-in.
    """
    segment = _PREFIX_ALONE.sub("", segment[-WINDOW:])
    whole = trim(segment)
    if not whole:
        return None
    if is_known(whole):
        return whole
    for cut in list(_SOFT.finditer(segment))[-_CUTS:]:
        candidate = trim(segment[cut.end() :])
        if candidate and is_known(candidate) and not _is_remark(segment, cut):
            return candidate
    hard = [cut.end() for cut in _HARD.finditer(segment) if trim(segment[cut.end() :])]
    rest = segment[hard[-1] :] if hard else segment
    if joined:
        rest = _JOINER.sub("", rest.lstrip(_EDGES), count=1)
    pieces = rest.rsplit("[", 1) if "[" in trim(rest) and "]" not in rest else [rest]
    labels = [label for label in map(without_lead, reversed(pieces)) if label]
    return None if not labels or _LEADS_ON.search(labels[0]) else labels[0]


def _is_remark(segment: str, cut: re.Match[str]) -> bool:
    """Whether a cut opens round brackets that end the text and say more of what stands before."""
    if cut.group() != "(" or not segment.rstrip(_EDGES).endswith(")"):
        return False
    return without_lead(segment[: cut.start()]) is not None


def label_after(segment: str) -> str | None:
    """The label at the start of the text after an id; None where prose or a code follows."""
    segment = segment[:WINDOW]
    if not segment or segment[0] == "_" or segment[0].isalnum():
        return None
    segment = _SAYS_WHAT.sub("", segment, count=1) if _SAYS_WHAT.match(segment) else segment
    hard = _HARD.search(segment.lstrip(_EDGES))
    whole = trim(segment.lstrip(_EDGES)[: hard.start()] if hard else segment)
    if sum(character.isalpha() for character in whole) < 3 or _REASON_GIVEN.match(whole):
        return None
    if is_known(whole):
        return whole
    ends = [cut.start() for cut in _SOFT_AFTER.finditer(whole)]
    for end in reversed(ends[:_CUTS]):
        candidate = trim(whole[:end])
        if candidate and is_known(candidate):
            return candidate
    sentence = re.split(r"\.\s|\s[-–—]\s", whole, maxsplit=1)[0]
    return trim(sentence) or None


def without_lead(text: str) -> str | None:
    """The text without "Answer:", "The biome is", list marks; None where nothing is left."""
    for _ in range(4):
        text = text.lstrip(_EDGES)
        mark = _LIST_MARK.match(text) or _LEAD.match(text)
        if mark is None:
            break
        text = text[mark.end() :]
    bare = trim(text)
    return bare if any(character.isalnum() for character in bare) else None
