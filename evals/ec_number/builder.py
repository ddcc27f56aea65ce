"""Chooses the genes of the EC cases and what each prompt shows, the same every time."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from evals.ec_number.genes import Gene, load_genes
from evals.ec_number.names import is_plausible, masked_name, symbol_tells, tells

Shown = Literal["symbol", "masked", "leak", "context"]
CONTEXTS = Path(__file__).parent / "contexts.jsonl"
CLASS_QUOTAS = {"1": 40, "2": 48, "3": 48, "4": 24, "5": 18, "6": 18, "7": 4}
NAMED_QUOTA = 10
BIFUNCTIONAL_QUOTA = 24
NON_ENZYME_QUOTA = 2

# HGNC ids of genes whose partial number was checked by hand: the fields given are right, and the
# current nomenclature still has that sub-subclass for this reaction.
CHECKED_PARTIALS = frozenset(
    (
        *("1970", "16435", "8569", "15993", "2496", "1165", "15685", "29830", "24137", "8086"),
        *("29533", "25996", "30791", "25531", "17843", "32521", "1502", "15925", "24592", "18518"),
        *("5209", "23017", "25891", "5201", "26933", "15859", "736", "17768", "21497", "19977"),
        *("21197", "6308", "225", "12485", "16352", "219", "18156", "18466", "2260", "24678"),
        *("19975", "26222", "19139", "16445", "226", "25090", "53111", "12836", "26184", "30541"),
    )
)
PARTIAL_QUOTA = 30

# Families without a catalytic member, by approved name; the inhibitors name an enzyme.
NON_ENZYMES = {
    "keratin": r"keratin \d+",
    "collagen": r"collagen type [IVX]+ alpha \d+ chain",
    "claudin": r"claudin \d+",
    "odorant": r"olfactory receptor family \d+ subfamily \w+ member \d+",
    "junction": r"gap junction protein \w+ \d+",
    "chemokine": r"C-[XC]-?C? motif chemokine ligand \d+",
    "interleukin": r"interleukin \d+",
    "globin": r"hemoglobin subunit \w+(?: \d)?",
    "homeobox": r"homeobox [ABCD]\d+",
    "crystallin": r"crystallin (?:alpha|beta|gamma) \w+",
    "troponin": r"troponin [CIT]\d?.*",
    "taste": r"taste 2 receptor member \d+",
    "serpin": r"serpin family [AB] member \d+",
    "timp": r"TIMP metallopeptidase inhibitor \d",
    "cystatin": r"cystatin [A-Z]{1,2}\d?",
    "cdk-inhibitor": r"cyclin dependent kinase inhibitor \d[A-D]",
    "pka-inhibitor": r"cAMP-dependent protein kinase inhibitor \w+",
    "rnase-inhibitor": r"ribonuclease/angiogenin inhibitor \d",
}

_INHIBITOR = re.compile(r"inhibitor|serpin|cystatin")


class Item(NamedTuple):
    """A case to be: the gene, its category, what the prompt shows, and the text shown with it."""

    gene: Gene
    category: str
    shown: Shown
    text: str


def build_items() -> tuple[Item, ...]:
    """All cases of the project in order of category, what is shown, and the seeded order."""
    singles = choose_singles()
    groups = (
        *((f"class-{gene.codes[0][0]}", gene) for gene in singles),
        *(("bifunctional", gene) for gene in choose_bifunctional()),
        *(("partial", gene) for gene in choose_partial()),
        *(("non-enzyme", gene) for gene in choose_non_enzymes()),
    )
    items = [Item(gene, category, "symbol", "") for category, gene in groups]
    items += _named(groups, "masked", _masked)
    items += _named(groups, "leak", lambda gene: gene.name if tells(gene) else None)
    items += _with_context()
    return tuple(items)


def choose_singles() -> list[Gene]:
    """One gene a number, up to the quota of each class; class 7 takes all that it has."""
    fitting = [gene for gene in load_genes() if _is_single(gene)]
    chosen: list[Gene] = []
    seen: set[str] = set()
    counts: Counter[str] = Counter()
    for gene in fitting:
        code = gene.codes[0]
        if counts[code[0]] < CLASS_QUOTAS[code[0]] and code not in seen and is_plausible(gene):
            seen.add(code)
            counts[code[0]] += 1
            chosen.append(gene)
    rare = [gene for gene in fitting if gene.codes[0][0] == "7" and gene not in chosen]
    return chosen + rare[: CLASS_QUOTAS["7"] - counts["7"]]


def choose_bifunctional() -> list[Gene]:
    """Genes with valid full numbers of at least two sub-subclasses, one gene a set of numbers."""
    fitting = (
        gene
        for gene in load_genes()
        if not gene.is_partial
        and gene.is_valid
        and len({code.rpartition(".")[0] for code in gene.codes}) > 1
    )
    by_codes: dict[frozenset[str], Gene] = {}
    for gene in fitting:
        by_codes.setdefault(frozenset(gene.codes), gene)
    return list(by_codes.values())[:BIFUNCTIONAL_QUOTA]


def choose_partial() -> list[Gene]:
    """Genes whose only number lacks fields, among those checked by hand."""
    fitting = [
        gene
        for gene in load_genes()
        if gene.number in CHECKED_PARTIALS
        and len(gene.codes) == 1
        and gene.is_partial
        and gene.is_valid
    ]
    return fitting[:PARTIAL_QUOTA]


def choose_non_enzymes() -> list[Gene]:
    """Two genes, where there are two, of each family without a catalytic member."""
    families = {name: re.compile(pattern) for name, pattern in NON_ENZYMES.items()}
    any_family = re.compile("|".join(f"(?:{pattern})" for pattern in NON_ENZYMES.values()))
    counts: Counter[str] = Counter()
    chosen = []
    for gene in load_genes():
        if gene.codes or not any_family.fullmatch(gene.name):
            continue
        family = next(name for name, rule in families.items() if rule.fullmatch(gene.name))
        if counts[family] < NON_ENZYME_QUOTA:
            counts[family] += 1
            chosen.append(gene)
    return chosen


def _masked(gene: Gene) -> str | None:
    # The name of a keratin says that it is no enzyme; that of an inhibitor is a trap.
    return masked_name(gene) if gene.codes or _INHIBITOR.search(gene.name) else None


def _is_single(gene: Gene) -> bool:
    return len(gene.codes) == 1 and not gene.is_partial and gene.is_valid and not symbol_tells(gene)


def _named(
    groups: Iterable[tuple[str, Gene]], shown: Shown, name: Callable[[Gene], str | None]
) -> Iterator[Item]:
    counts: Counter[str] = Counter()
    for category, gene in groups:
        text = name(gene)
        if text is not None and counts[category] < NAMED_QUOTA:
            counts[category] += 1
            yield Item(gene, category, shown, text)


def _with_context() -> Iterator[Item]:
    genes = {gene.symbol: gene for gene in load_genes()}
    for context in read_contexts():
        gene = genes.get(context["symbol"])
        if gene is not None:
            yield Item(gene, category_of(gene.codes), "context", context["context"])


def read_contexts() -> Sequence[dict[str, str]]:
    """The authored contexts: symbol, ec as checked by the author, and what is known."""
    lines = CONTEXTS.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def category_of(codes: Sequence[str]) -> str:
    """class-1 to class-7 for one full number, else bifunctional, partial or non-enzyme."""
    if not codes:
        return "non-enzyme"
    if any("-" in code for code in codes):
        return "partial"
    return "bifunctional" if len(codes) > 1 else f"class-{codes[0][0]}"
