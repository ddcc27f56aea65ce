"""Questions whose answer a table holds, made the same every time, with seeded distractors."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from evals.protein_qa.resources import (
    ENZYMES,
    FAMILIES,
    GENES,
    Gene,
    gene_text,
    load_enzymes,
    load_families,
    load_genes,
    load_lists,
)

GENERATED_KINDS = ("accession", "renamed", "alias", "regulator", "outsider", "nomenclature")
A_KIND = 12
_SEED = "qa-v1"
_OTHERS = 3
# Families without a kinase, a phosphatase or a transcription factor, by approved name.
_NO_REGULATOR = re.compile(
    r"(?:keratin \d+|collagen type [IVX]+ alpha \d+ chain|claudin \d+|crystallin (?:alpha|beta) \w+"
    r"|olfactory receptor family \d+ subfamily \w+ member \d+|gap junction protein \w+ \d+"
    r"|C-[XC]-?C? motif chemokine ligand \d+|interleukin \d+|hemoglobin subunit \w+)"
)
# Hundreds of zinc finger genes of which nothing is known would crowd out all others.
_OBSCURE = re.compile(r"ZNF\d+[A-Z]?|ZSCAN\d+[A-Z]?|OR\d.*")
# No comma, bracket or conjunction: a name must stand in one clause of an answer.
_PLAIN_NAME = re.compile(r"(?!.*\b(?:and|or|but|which|while)\b)[A-Za-z][A-Za-z0-9 '-]{11,44}")

_PLAIN_ALIAS = re.compile(r"[A-Z0-9]{3,8}")

Row = dict[str, Any]
Thing = TypeVar("Thing")


@cache
def generated_rows() -> tuple[tuple[str, Row], ...]:
    """(where the fact stands, row of an item file) for twelve items of each generated kind."""
    makers: dict[str, Callable[[], Iterator[tuple[str, Row]]]] = {
        "accession": _accessions,
        "renamed": _renamed,
        "alias": _aliases,
        "regulator": _regulators,
        "outsider": _outsiders,
        "nomenclature": _nomenclature,
    }
    return tuple(item for kind in GENERATED_KINDS for item in islice(makers[kind](), A_KIND))


def _accessions() -> Iterator[tuple[str, Row]]:
    owned = " ".join(gene.listed[2] for gene in load_genes().values())
    for gene in _ranked(_known(), "accession"):
        accession = gene.accessions[0] if len(gene.accessions) == 1 else ""
        if not accession or owned.count(accession) > 1:
            continue
        others = [each.symbol for each in _beside(gene, accession)]
        yield (
            _place(gene),
            _choice(
                kind="accession",
                number=gene.number,
                asked=f"Which human gene encodes the protein {accession} of UniProt?",
                answer=gene.symbol,
                others=others,
                reference=f"{accession} is the protein of {gene.symbol}.",
            ),
        )


def _renamed() -> Iterator[tuple[str, Row]]:
    for gene in _ranked(_known(), "renamed"):
        former = gene.previous[0] if len(gene.previous) == 1 else ""
        if not former or former[:2] == gene.symbol[:2] or gene_text().count(former) > 1:
            continue
        yield (
            _place(gene),
            {
                "id": f"renamed-{gene.number}",
                "kind": "renamed",
                "question": f"{former} is a former symbol of a human gene. What is its approved "
                "symbol today? Answer with the symbol alone.",
                "reference": f"{former} is called {gene.symbol} today.",
                "rubric": [_names(gene.symbol)],
                "must_not": [],
                "answers": {"full": gene.symbol, "none": former},
                "why": f"HGNC lists {former} as the previous symbol of {gene.symbol} alone.",
            },
        )


def _aliases() -> Iterator[tuple[str, Row]]:
    genes = load_genes()
    former = ", ".join(gene.listed[1] for gene in genes.values()).upper().split(", ")
    counts = Counter(", ".join(gene.listed[0] for gene in genes.values()).upper().split(", "))
    shared = {alias for alias, n in counts.items() if n == 2 and _PLAIN_ALIAS.fullmatch(alias)}
    shared -= {*former, *genes}
    sharing: dict[str, list[Gene]] = {}
    for gene in genes.values():
        if gene.listed[0] and gene.is_clear:
            for alias in shared.intersection(gene.listed[0].upper().split(", ")):
                sharing.setdefault(alias, []).append(gene)
    pairs = {
        alias: owners
        for alias, owners in sharing.items()
        if len(owners) == 2 and owners[0].symbol[:3] != owners[1].symbol[:3]
    }
    for alias in _ranked(pairs, "alias"):
        first, second = pairs[alias]
        both = (first.symbol, second.symbol)
        if any(symbol[:2] == alias[:2] or alias in symbol for symbol in both):
            continue
        wrong = [each.symbol for gene in pairs[alias] for each in _beside(gene, alias)[:1]]
        if len({*both, *wrong}) < 2 + len(both):
            continue
        options = _ranked((*both, *wrong), alias)
        yield (
            _place(first),
            {
                "id": f"alias-{first.number}",
                "kind": "alias",
                "question": f"Two of these human genes have the alias {alias}: "
                f"{', '.join(options)}. Which two? Answer with their symbols alone.",
                "reference": f"{alias} is an alias of {first.symbol} and of {second.symbol}.",
                "rubric": [_names(symbol, weight=0.5) for symbol in both],
                "must_not": [_names(symbol) for symbol in wrong],
                "answers": {
                    "full": " and ".join(both),
                    "half": first.symbol,
                    "none": " and ".join(wrong),
                },
                "why": f"HGNC lists the alias {alias} for {' and '.join(both)} alone.",
            },
        )


def _regulators() -> Iterator[tuple[str, Row]]:
    genes, lists = load_genes(), load_lists()
    words = (*lists, "none of these")
    pools: dict[str, list[Gene]] = {
        word: [
            gene
            for gene in genes.values()
            if gene.symbol in symbols
            and _is_known(gene)
            and not any(gene.symbol in lists[other] for other in lists if other != word)
        ]
        for word, symbols in lists.items()
    }
    listed = frozenset().union(*lists.values())
    pools["none of these"] = [
        gene
        for gene in genes.values()
        if gene.is_clear and gene.symbol not in listed and _NO_REGULATOR.fullmatch(gene.name)
    ]
    # One of each in turn, so that no answer is more frequent than another.
    for four in zip(*(_ranked(pools[word], "regulator") for word in words), strict=False):
        for word, gene in zip(words, four, strict=True):
            row = _choice(
                kind="regulator",
                number=gene.number,
                asked=f"What does the human gene {gene.symbol} encode?",
                answer=word,
                others=[other for other in words if other != word],
                reference=f"{gene.symbol} encodes {_with_article(word)}.",
            )
            if word == "none of these":
                row["rubric"] = [_names(word, "none", "neither")]
            yield _place(gene), row


def _outsiders() -> Iterator[tuple[str, Row]]:
    families, genes = load_families(), load_genes()
    everyone = _ranked(_known(), "stranger")
    for family in _ranked(families, "outsider"):
        if not _OTHERS <= len(families[family]) <= 12:
            continue
        members = [genes[m] for m in families[family] if m in genes and genes[m].is_clear]
        if len(members) < _OTHERS:
            continue
        # Where all members begin alike, spelling would tell the outsider.
        shown = _ranked(members, family)[:_OTHERS]
        if len({gene.symbol[:3] for gene in shown}) < 2:
            continue
        stems = {symbol[:3] for symbol in families[family]}
        letters = {gene.symbol[0] for gene in shown}
        start = int(_rank(family, "stranger"), 16) % len(everyone)
        outsider = next(
            gene
            for gene in (*everyone[start:], *everyone[:start])
            if gene.symbol[:3] not in stems and gene.symbol[0] in letters
        )
        others = [gene.symbol for gene in shown]
        name = family.replace("_", " ")
        yield (
            f"{FAMILIES}: {family}",
            _choice(
                kind="outsider",
                number=outsider.number,
                asked=f"Which human gene is not a member of the FamPlex family {name}?",
                answer=outsider.symbol,
                others=others,
                reference=f"{outsider.symbol} is the odd one out: {outsider.symbol} is not a "
                f"member of {name}.",
            ),
        )


def _nomenclature() -> Iterator[tuple[str, Row]]:
    from scoring import ec_status

    names = {
        code: name
        for code, name in load_enzymes().items()
        if _PLAIN_NAME.fullmatch(name) and ec_status(code) == "valid"
    }
    beside: dict[str, list[str]] = {}
    for code in names:
        beside.setdefault(code.rsplit(".", 2)[0], []).append(code)
    for code in _ranked(names, "nomenclature"):
        options = [names[code]]
        for other in _ranked(beside[code.rsplit(".", 2)[0]], code):
            if len(options) > _OTHERS:
                break
            if not any(_overlap(names[other], each) for each in options):
                options.append(names[other])
        if len(options) > _OTHERS:
            yield (
                f"{ENZYMES}: {code}",
                _choice(
                    kind="nomenclature",
                    number=code,
                    asked=f"What is the accepted name of the enzyme with the EC number {code}?",
                    answer=names[code],
                    others=options[1 : _OTHERS + 1],
                    reference=f"EC {code} is {names[code]}.",
                ),
            )


def _choice(
    *, kind: str, number: str, asked: str, answer: str, others: Sequence[str], reference: str
) -> Row:
    options = ", ".join(_ranked((answer, *others), f"{kind}-{number}"))
    return {
        "id": f"{kind}-{number}",
        "kind": kind,
        "question": f"{asked} Answer with one of these and nothing else: {options}.",
        "reference": reference,
        "rubric": [_names(answer)],
        "must_not": [_names(other) for other in others],
        "answers": {"full": answer, "none": others[0]},
        "why": f"{reference} So says the table.",
    }


def _names(word: str, *synonyms: str, weight: float = 1.0) -> Row:
    return {"point": f"The answer is {word}.", "weight": weight, "terms": [[word, *synonyms]]}


def _is_known(gene: Gene) -> bool:
    return gene.is_clear and not _OBSCURE.fullmatch(gene.symbol)


@cache
def _known() -> tuple[Gene, ...]:
    """Genes that stand in a list or a family, so that there is something to know of them."""
    genes = load_genes()
    symbols = {s for each in (load_lists(), load_families()) for m in each.values() for s in m}
    return tuple(gene for s in symbols if (gene := genes.get(s)) and _is_known(gene))


def _beside(gene: Gene, salt: str) -> list[Gene]:
    """Distractors that begin like the gene and share no alias or accession with it."""
    own = {gene.symbol, *gene.aliases, *gene.accessions}
    alike = _ranked((each for each in _known() if each.symbol[0] == gene.symbol[0]), salt)
    strangers = (
        each for each in alike if own.isdisjoint({each.symbol, *each.aliases, *each.accessions})
    )
    return list(islice(strangers, _OTHERS))


def _ranked(things: Iterable[Thing], salt: str) -> list[Thing]:
    """Things in a seeded order that does not depend on what else there is."""
    return sorted(things, key=lambda thing: _rank(getattr(thing, "symbol", thing), salt))


def _rank(name: object, salt: str) -> str:
    return hashlib.sha256(f"{_SEED}:{salt}:{name}".encode()).hexdigest()


def _overlap(one: str, other: str) -> bool:
    first, second = one.casefold(), other.casefold()
    return first in second or second in first


def _with_article(word: str) -> str:
    return word if word.startswith("none") else f"a {word}"


def _place(gene: Gene) -> str:
    return f"{GENES}:{gene.line}"
