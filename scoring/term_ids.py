"""Finding ontology ids in text as people and models write them, and naming each repair."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# The prefixes of the OBO Foundry, and a few beside them that sample metadata use.
_PREFIXES = """
    AAO ADO ADW AEO AERO AfPO AGRO AISM AMPHX APO APOLLO_SV ARO ATO BCGO BCO BFO BILA BSPO BTO
    CARO CDAO CDNO CEPH CHEBI CHEMINF CHIRO CHMO CIDO CIO CL CLAO CLO CLYH CMF CMO COB COLAO CRO
    CTENO CTO CVDO DDANAT DDPHENO DIDEO DINTO DISDRIV DOID DRON DUO ECAO ECO ECOCORE ECTO EFO EHDAA
    EHDAA2 EMAPA ENM ENVO EO EPIO EPO ERO EUPATH EV ExO FAO FBbi FBbt FBcv FBdv FIDEO FIX FLOPO FLU
    FMA FOBI FOODON FOVT FYPO GALLONT GAZ GECKO GENEPIO GENO GEO GNO GO GRO GSSO HANCESTRO HAO HOM
    HP HsapDv HSO HTN IAO ICEO ICO IDO IDOMAL IEV INO IPR KISAO LABO LEPAO LIPRO MA MAMO MAT MAXO
    MCO MCRO MESH MF MFMO MFO MFOEM MFOMD MI MIAPA MICRO MIRO MIXS MMO MmusDv MO MOD MONDO MOP MP
    MPATH MPIO MRO MS NBO NCBITaxon NCIT NCRO NGBO NOMEN OAE OARCS OBA OBCS OBI OBIB OCCO OGG OGI
    OGMS OGSF OHD OHMI OHPI OlatDv OMIT OMO OMP OMRSE ONE ONS ONTONEO OOSTT OPL OPMI ORNASEQ OVAE
    PAO PATO PCL PCO PDRO PdumDv PECO PHIPO PLANA PLANP PO PORO PPO PR PROCO PSDO PSO PW RBO REX
    RNAO RO RS RXNO SBO SCDO SEPIO SIBO SLSO SNOMED SNOMEDCT SO SPD STATO SWO SYMP TADS TAXRANK
    TGMA TO TRANS TTO TXPO UBERON UO UPA UPHENO VariO VBO VHOG VO VSAO VT VTO WBbt WBls WBPhenotype
    XAO XCO XLMOD XPO YPO ZEA ZECO ZFA ZFS ZP
"""
KNOWN_PREFIXES = frozenset(_PREFIXES.split())
_CANONICAL = {prefix.lower(): prefix for prefix in KNOWN_PREFIXES}

# How many digits an id of the ontology has; the others are taken as they come.
_WIDTHS = {
    "ENVO": range(7, 9),
    "FOODON": range(7, 9),
    **dict.fromkeys(
        ("BFO", "BTO", "CL", "ENM", "GO", "IAO", "OBI", "PATO", "PCO", "PO", "RO", "UBERON"),
        range(7, 8),
    ),
}
# Long enough, and odd enough, to be told from the end of a word.
_GLUED = ("ENVO", "UBERON", "CHEBI", "FOODON")

_DASHES = frozenset("-.–—")

_NUMBER = re.compile(r"[0-9]+(?:[Oo]+[0-9]+)*(?:[Oo]+(?![A-Za-z0-9]))?")
_BEFORE = re.compile(
    r"(?P<prefix>[A-Za-z](?:[A-Za-z_]*[A-Za-z])?0?)"
    r"(?P<link>\s{0,3}[^\w\s\[\](){}\"'`<>]?[:_\-#]?\s{0,3}[:_\-]?\s{0,3}|\s{0,3}[\[(]\s?)\Z"
)
_REST = re.compile(r"\s([0-9]{1,7})(?![A-Za-z0-9])")
_OUTER_PREFIX = re.compile(r"([A-Za-z][A-Za-z0-9]*)\s?[:_\-/]\s?\Z")
_IRI_STOP = re.compile(r"[\s<>\"'()\[\]{}|,;`]")
_OPENING = re.compile(r"[\[({<\"'`*\s]*\Z")
_CLOSING = re.compile(r"[\])}>\"'`*]+|\s[\])}>]+")
_WINDOW = 48


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundId:
    """An id in a text: its CURIE, or the `raw_id` that cannot be one, and where it stands.

    `start` and `end` enclose the brackets and quotes around it; `square` says that it
    stands in square brackets; `bare` that it is a number alone.
    """

    start: int
    end: int
    curie: str | None
    raw_id: str | None
    reasons: tuple[str, ...]
    square: bool
    bare: bool


def find_ids(text: str) -> list[FoundId]:
    """All ids of a text in order, in one pass; numbers without a prefix only where alone."""
    found = list(_scan(text))
    if any(not one.bare for one in found):
        return [one for one in found if not one.bare or one.square]
    return found


def _scan(text: str) -> Iterator[FoundId]:
    floor = 0
    for number in _NUMBER.finditer(text):
        one = _read_id(text, number.start(), number.end(), floor)
        if one is not None:
            floor = one.end
            yield one


def _read_id(text: str, start: int, end: int, floor: int) -> FoundId | None:
    start = _letters_o(text, start, floor)
    digits = text[start:end]
    reasons: list[str] = []
    if "o" in digits or "O" in digits:
        reasons.append("letter_o_for_zero")
        digits = digits.replace("O", "0").replace("o", "0")
    lowest = max(floor, start - _WINDOW)
    before = _BEFORE.search(text[lowest:start])
    read = None
    if before is not None:
        square = _in_square(text, lowest + before.start())
        read = _prefix(before["prefix"], before["link"], digits, square, reasons)
    if before is None or read is None:
        return _bare_number(text, start, end, digits, floor, reasons)
    prefix, spelt = read
    first = lowest + before.start() + len(before["prefix"]) - len(spelt)
    if "[" in before["link"] or "(" in before["link"]:
        reasons.append("bracket_style")
    first = _absorb_outer(text, first, floor, prefix, reasons)
    first = _absorb_iri(text, first, floor, reasons)
    width = _WIDTHS.get(prefix)
    if width is not None and len(digits) < width.start:
        rest = _REST.match(text, end)
        if rest is not None and len(digits) + len(rest[1]) == width.stop - 1:
            digits, end = digits + rest[1], rest.end()
            reasons.append("space_in_curie")
    curie = f"{prefix}:{digits}"
    if "unknown_prefix" in reasons:
        known = False
    elif width is not None and len(digits) not in width:
        reasons.append("wrong_digit_count")
        known = False
    else:
        known = True
    left, right, square = _enclose(text, first, end, floor, reasons)
    return FoundId(
        start=left,
        end=right,
        curie=curie if known else None,
        raw_id=None if known else curie,
        reasons=tuple(reasons),
        square=square,
        bare=False,
    )


def _letters_o(text: str, start: int, floor: int) -> int:
    """Where a number begins if the letters O before it stand for zeros."""
    first = start
    while first > max(floor, start - 8) and text[first - 1] in "Oo":
        first -= 1
    follows_a_link = first > 0 and (text[first - 1] in ":_.-[(" or text[first - 1].isspace())
    return first if first < start and follows_a_link else start


def _in_square(text: str, start: int) -> bool:
    return text[max(0, start - 4) : start].rstrip().endswith("[")


def _prefix(
    word: str, link: str, digits: str, square: bool, reasons: list[str]
) -> tuple[str, str] | None:
    """The prefix that the word before a number stands for, and the part that spells it."""
    for spelt in dict.fromkeys((word.lstrip("_"), word.rpartition("_")[2])):
        prefix = "ENVO" if spelt.upper() == "ENV0" else _CANONICAL.get(spelt.lower())
        if prefix is not None:
            if not _is_link(prefix, spelt, link, digits):
                return None
            if spelt.upper() == "ENV0":
                reasons.append("letter_o_for_zero")
            elif spelt != prefix:
                reasons.append("prefix_case")
            break
    else:
        read = _unlisted_prefix(word.lstrip("_"), link, digits, square, reasons)
        if read is None:
            return None
        prefix, spelt = read
    if link != ":":
        reasons.append("space_in_curie" if link.strip() == ":" else "curie_separator")
    return prefix, spelt


def _unlisted_prefix(
    word: str, link: str, digits: str, square: bool, reasons: list[str]
) -> tuple[str, str] | None:
    long_enough = 7 <= len(digits) <= 8
    for glued in _GLUED:
        if long_enough and word.endswith(glued) and word[-len(glued) - 1].islower():
            reasons.append("no_space_before_curie")
            return glued, glued
    if long_enough and _one_edit_from_envo(word.upper()):
        reasons.append("prefix_typo")
        return "ENVO", word
    if link == ":" and (square or (word.isupper() and long_enough)):
        if not long_enough:
            reasons.append("unknown_prefix")
        return word, word
    return None


def _is_link(prefix: str, word: str, link: str, digits: str) -> bool:
    """Whether the mark between a known prefix and a number makes an id of the two."""
    mark = link.strip()
    envo = prefix == "ENVO"
    if mark in (":", "_", "::", ":_", "_:"):
        if envo:
            return True
        if link != mark:
            return 7 <= len(digits) <= 8
        return word == prefix or len(digits) >= 4
    if mark and mark[0] in "[(":
        return envo and len(digits) >= 7
    if mark in _DASHES:
        return len(digits) >= (4 if envo else 6) and (envo or word == prefix)
    if mark:
        return envo and 7 <= len(digits) <= 8
    if envo:
        return len(digits) >= (7 if link else 5)
    return word == prefix and 7 <= len(digits) <= 8


def _one_edit_from_envo(word: str) -> bool:
    target = "ENVO"
    if word == target or not 3 <= len(word) <= 5:
        return False
    longer, shorter = (word, target) if len(word) >= len(target) else (target, word)
    if len(longer) > len(shorter):
        return any(longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer)))
    differing = [place for place in range(len(word)) if word[place] != target[place]]
    if len(differing) == 1:
        return True
    return (
        len(differing) == 2
        and word[differing[0]] == target[differing[1]]
        and word[differing[1]] == target[differing[0]]
    )


def _absorb_outer(text: str, first: int, floor: int, prefix: str, reasons: list[str]) -> int:
    """Take in a prefix before the prefix, as in ENVO:ENVO:… and ENVO:PO:…"""
    for _ in range(3):
        lowest = max(floor, first - _WINDOW)
        outer = _OUTER_PREFIX.search(text[lowest:first])
        if outer is None:
            break
        word = outer.group(1)
        named = _CANONICAL.get(word.lower())
        if named is None and word.lower() != "obo":
            break
        if text[lowest + outer.end() - 1] == "/":
            break
        reasons.append("doubled_prefix" if named in (prefix, None) else "wrong_prefix")
        first = lowest + outer.start()
    return first


def _absorb_iri(text: str, first: int, floor: int, reasons: list[str]) -> int:
    if first <= floor or text[first - 1] not in "/#=":
        return first
    start = first
    while start > floor and not _IRI_STOP.match(text[start - 1]):
        start -= 1
    begin = text.find("http", start, first)
    if begin < 0:
        # A host or the OBO folder without its scheme; any other slash separates two terms.
        lead = text[start:first]
        begin = start if "." in lead or lead.startswith("obo/") else -1
    if begin < 0:
        return first
    reasons.append("iri")
    return begin


def _enclose(
    text: str, first: int, end: int, floor: int, reasons: list[str]
) -> tuple[int, int, bool]:
    """Take in the brackets and quotes around an id, and name what is odd about them."""
    lowest = max(floor, first - 16)
    opening = _OPENING.search(text[lowest:first])
    left = lowest + opening.start() if opening else first
    before = text[left:first]
    closing = _CLOSING.match(text, end)
    right = closing.end() if closing else end
    after = text[end:right]
    opened = [character for character in before if character in "[({<"]
    closed = [character for character in after if character in "])}>"]
    if not opened and not closed:
        if "bracket_style" not in reasons:
            reasons.append("bracket_missing")
    elif len(opened) != len(closed) or any(
        open_ + close not in ("[]", "()", "{}", "<>")
        for open_, close in zip(reversed(opened), closed, strict=True)
    ):
        if "bracket_style" not in reasons:
            reasons.append("bracket_unbalanced")
    elif opened != ["["]:
        reasons.append("bracket_style")
    return left, right, "[" in opened


def _bare_number(
    text: str, start: int, end: int, digits: str, floor: int, reasons: list[str]
) -> FoundId | None:
    """Eight digits from zero on, without a prefix: an ENVO id that lost it."""
    if len(digits) != 8 or digits[0] != "0":
        return None
    if end < len(text) and (text[end].isalnum() or text[end] in "-/_."):
        followed_by_more = end + 1 < len(text) and text[end + 1].isalnum()
        if text[end].isalnum() or followed_by_more:
            return None
    if start > floor and (text[start - 1].isalnum() or text[start - 1] in "-/_."):
        return None
    reasons.append("prefix_missing")
    left, right, square = _enclose(text, start, end, floor, reasons)
    return FoundId(
        start=left,
        end=right,
        curie=f"ENVO:{digits}",
        raw_id=None,
        reasons=tuple(reasons),
        square=square or "(" in text[left:start],
        bare=True,
    )
