"""What stands around a number in a text: a label, a cue that it is none, words that exclude it."""

from __future__ import annotations

import re

_WINDOW = 100

_NAMES = (
    r"numbers?|nos?\.?|nrs?\.?|num\.?|codes?|(?:sub-?){0,2}class(?:es|ification)?|ids?"
    r"|identifiers?|entry|nummern?|号码|编号|番号"
)
_LABEL = re.compile(
    rf"""(?<![A-Za-z0-9])(?<![0-9]/)
    (?: eccode | ecs(?=[\s:]) | ec\.? | e\.\s?c\.? | кф | ес
      | enzyme[\s_-](?:commission|classification) (?:\s*\(\s*e\.?c\.?\s*\))? )
    \)?
    (?: [\s_-]*(?:{_NAMES})(?![A-Za-z]) | \(s\) | \s*\(\s*e\.?c\.?(?:\s+number)?\s*\) )*
    (?: [\s:]*(?:is|are|was|(?:would|should|could|may|might|must)\s+be|most\s+likely|likely
        |probably|possibly|therefore|thus|predicted|assigned)(?![A-Za-z]) )*
    [\s:=\#_|~/"'“”‘’(\[{{<>]* (?:-\s*)?""",
    re.I | re.X,
)
_LABEL_STARTS = ("enzyme", "ec", "e.", "кф", "ес")

_CUES = {
    word: reason
    for reason, words in {
        "version": "v ver version versions release releases build builds rev revision revisions "
        "update updates patch firmware blast blastp blastn blastx diamond hmmer interpro "
        "interproscan pfam prokka python java node linux kernel ubuntu windows macos samtools "
        "gatk ensembl uniprot",
        "ip_address": "ip ips ipv4 host hosts server servers ping pinged dns gateway subnet "
        "netmask nameserver resolver localhost address addresses proxy router",
        "section": "§ section sections sec secs chapter chapters ch chap fig figs figure figures "
        "table tables tab eq eqs equation equations appendix paragraph paragraphs para clause "
        "clauses article annex page pages pp step steps",
        "doi": "doi",
        "catalogue_number": "catalog catalogue cat sku lot cas",
        "other_scheme": "tc tcdb tcid cath scop scope g3dsa gene3d oid superfamily einecs elincs "
        "ec50 ic50 ld50",
    }.items()
    for word in words.split()
}
_NUMBERED = frozenset(
    (
        *("product", "part", "order", "item", "batch", "ref", "reference", "model", "serial"),
        *("article", "stock", "accession"),
    )
)
_NUMBER_WORDS = frozenset(
    ("number", "numbers", "no", "nos", "nr", "num", "code", "codes", "id", "#")
)
_FILLERS = _NUMBER_WORDS | {"address", "at", "is", "was", "are"}
_WORD = re.compile(r"""[a-z0-9]+|[^\sa-z0-9.:="'(\[-]""")
_DOI_BODY = re.compile(r"(?:10\.\d{4,}/|doi)\S*\Z", re.I)
_UNSTABLE = re.compile(r"-(?:alpha|beta|rc\d*|dev|snapshot|post\d*)\b", re.I)
_MASK = re.compile(r"/\d{1,2}(?![\d.])")
_FIRST_CJK = 0x2E80

_KNOWN_AS = (
    r"(?:[\s:(\[\"'-]*\b(?:known|classified|classed|listed|assigned|designated|numbered|called"
    r"|named|annotated|described|referred|given|entered|to|as|under|the|an?|in|was|were|had|been)"
    r"(?![A-Za-z]))*"
)
_CLAUSE_GOES_ON = (
    r"(?:[\s(]+(?!(?:only|just|merely|solely|sure|certain|clear|known|possible|but|whether"
    r"|confident|however|although|though|and|or|if|yet|find|found|provided?|given|so|that|this"
    r"|it|because|since|determined?|able|enough|fully|entirely|completely|specified|further"
    r"|beyond|more|deeper|below|past)\b)[A-Za-z][\w'’+/-]*){0,4}"
)
# Matched where one of the stems stands, since a search at each place would take most of the time.
_EXCLUDING_STEMS = (
    *("not", "formerly", "former", "previous", "unlike", "rather", "instead", "no ", "nor", "n't"),
    *("n’t", "neither", "never", "other than", "as opposed", "in contrast", "differ", "distinct"),
    *("except", "excluding", "original", "historical", "obsolete", "deprecated", "superseded"),
    *("outdated", "old", "replac", "supersed", "versus", "vs", "cannot", "transferred from"),
    *("(was", "(ex", "moved from", "reclassified from", "renumbered from", "changed from"),
)
_EXCLUDED_LEFT = re.compile(
    r"(?:\((?:was|ex)\b|(?<![A-Za-z])(?:(?:formerly|previously|originally|historically)\b,?"
    r"|former|previous|obsolete"
    r"|deprecated|superseded|outdated|old|replac(?:es|ing)|supersed(?:es|ing)"
    rf"|(?:transferred|moved|reclassified|renumbered|changed)\s+from){_KNOWN_AS}"
    r"|(?:(?<![A-Za-z])(?:(?<!or\s)not|cannot|neither|nor|never|rather\s+than|unlike|instead\s+of"
    r"|other\s+than|as\s+opposed\s+to|in\s+contrast\s+to|(?:differs?|different|distinct)\s+from"
    r"|except(?:\s+for)?|excluding|no\s+longer|versus|vs\.?)|(?<=[a-z])n['’]t)(?![A-Za-z])"
    rf"{_CLAUSE_GOES_ON}"
    r"|(?<![A-Za-z])no)"
    r"[\s:(\[\"'“‘-]*",
    re.I,
)
_EXCLUDED_RIGHT = re.compile(
    r"(?:\s*\([^()]{0,80}\))?[\s\"'”’)\],:(>→-]*"
    r"(?:(?:which|that|has|have|had|was|were|is|are|been|being|since|later|subsequently|then"
    r"|recently|officially|now|enzymes?|entry|number)\s+){0,6}"
    r"(?:(?:transferred|moved|reclassified|renumbered|reassigned|redesignated|changed|renamed"
    r"|replaced|superseded|merged|incorporated)\s+(?:to|into|as|by|in|with)\b"
    r"|transferred\s+entry|now\b(?=\s*[:(]?\s*(?:known\s+as|classified\s+as|listed\s+as|called)?"
    r"\s*[:(]?\s*(?:ec\b|\d)))"
    r"|\s*\((?:formerly|former|obsolete|deprecated|withdrawn|superseded|old)\)",
    re.I,
)


class Surroundings:
    """A text and the questions that reading a number asks about what stands around it."""

    __slots__ = ("_lower", "_stems", "text")

    def __init__(self, text: str) -> None:
        lower = text.lower()
        if len(lower) != len(text):
            lower = "".join(c if len(c.lower()) != 1 else c.lower() for c in text)
        self.text = text
        self._lower = lower
        self._stems = [stem for stem in _EXCLUDING_STEMS if stem in lower]

    def label_start(self, low: int, high: int) -> int:
        """Where the label starts (EC, EC No., ...) that ends where a number starts; -1 if none."""
        low = max(low, high - _WINDOW)
        for start in _LABEL_STARTS:
            place = self._lower.rfind(start, low, high)
            if place >= 0 and _LABEL.fullmatch(self.text, place, high):
                return place
        return -1

    def excluded_left(self, low: int, high: int) -> bool:
        """Whether words such as formerly, not, rather than, unlike lead up to a number."""
        for stem in self._stems:
            place = self._lower.rfind(stem, max(low, high - _WINDOW), high)
            while place >= 0:
                if _EXCLUDED_LEFT.fullmatch(self.text, place, high):
                    return True
                place = self._lower.rfind(stem, max(low, high - _WINDOW), place)
        return False

    def excluded_right(self, end: int) -> bool:
        """Whether the text goes on with "was transferred to" or the like."""
        return _EXCLUDED_RIGHT.match(self.text, end) is not None

    def refusal(self, start: int, end: int) -> str:
        """Why an unlabelled number in a sentence is something else; "" if nothing says so."""
        return self._refusal_left(start) or self._refusal_right(end)

    def _refusal_left(self, start: int) -> str:
        text = self.text
        if not start:
            return ""
        before = text[start - 1]
        if before == "." and text[max(0, start - 2) : start] != "..":
            return "malformed"
        if before == "@" or text.startswith("//", start - 2):
            return "ip_address"
        low = max(0, start - _WINDOW)
        if before != " " and _DOI_BODY.search(text, low, start):
            return "doi"
        # Scripts without blanks between words set numbers right after a character.
        if before == "_" or (before.isalpha() and ord(before) < _FIRST_CJK):
            alone = start < 2 or not text[start - 2].isalnum()
            return "version" if before in "vV" and alone else "product_code"
        if before == "-" and text[max(0, start - 2)].isalpha():
            return "product_code"
        return _cue(self._lower[low:start])

    def _refusal_right(self, end: int) -> str:
        after = self.text[end : end + 2]
        if after[:1] == "@" or (after[:1] == ":" and after[1:].isdigit()):
            return "ip_address"
        if after[:1] == "/" and _MASK.match(self.text, end):
            return "ip_address"
        return "version" if after[:1] == "-" and _UNSTABLE.match(self.text, end) else ""


def _cue(before: str) -> str:
    """The reason that the last words before a number give, past words such as `number` or `at`."""
    numbered = False
    for word in reversed(_WORD.findall(before)[-4:]):
        if word in _CUES:
            return _CUES[word]
        if numbered and word in _NUMBERED:
            return "catalogue_number"
        if word not in _FILLERS:
            return ""
        numbered = numbered or word in _NUMBER_WORDS
    return ""
