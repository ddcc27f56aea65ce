"""The EC cases: quotas, references that hold, prompts that do not give them away, baselines."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from curieval.models.types import CaseFileError
from evals import ec_number
from evals.ec_number.builder import CLASS_QUOTAS, build_items, read_contexts
from evals.ec_number.cases import WORDS, case_rows, load_cases
from evals.ec_number.genes import load_genes
from evals.ec_number.lexical import lexical_answer
from evals.ec_number.names import is_plausible, masked_name, tells
from evals.ec_number.prompt import EXAMPLES, build_request
from evals.ec_number.task import EC_NUMBER, is_unreadable, sample, score_answer, suspect
from scoring import hierarchical_micro_f1, parse_ec

CARD = Path(ec_number.__file__).parent / "README.md"
COUNTS = ("tp", "fp", "fn")
ENZYME_WORD = re.compile(r"\w(?:ases?|zymes?)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def cases():
    return load_cases()


@pytest.fixture(scope="module")
def genes():
    return {gene.symbol: gene for gene in load_genes()}


def by_shown(cases, shown):
    return [case for case in cases if case.slices["shown"] == shown]


def test_there_are_enough_cases_of_each_category(cases):
    symbols = Counter(case.slices["category"] for case in by_shown(cases, "symbol"))
    assert {f"class-{name}": n for name, n in CLASS_QUOTAS.items()}.items() <= symbols.items()
    assert symbols["bifunctional"] >= 20
    assert symbols["partial"] >= 20
    assert symbols["non-enzyme"] >= 30
    assert {case.slices["shown"] for case in cases} == {"symbol", "masked", "leak", "context"}


def test_the_data_card_counts_the_cases(cases):
    header, *rows = [
        [cell.strip(" `") for cell in line.strip("|").split("|")]
        for line in CARD.read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]
    counts = Counter((case.slices["shown"], case.slices["category"]) for case in cases)
    for shown, *cells in rows:
        word = shown.split("`")[0]
        for category, cell in zip(header[1:-1], cells[:-1], strict=True):
            assert counts[word, category] == int(cell), (word, category)
        assert int(cells[-1]) == len(by_shown(cases, word))
    assert f"{len(cases)} cases" in CARD.read_text(encoding="utf-8")


def test_ids_are_unique_short_and_of_known_words(cases):
    assert len({case.id for case in cases}) == len(cases)
    for case in cases:
        rest = case.id
        for word in WORDS:
            rest = rest.replace(word, "")
        assert re.fullmatch(r"[-0-9]+", rest), case.id
        assert case.id.startswith(f"{case.slices['category']}-{case.slices['shown']}-")


def test_no_word_of_the_ids_holds_another():
    assert not [(a, b) for a in WORDS for b in WORDS if a != b and a in b]


def test_every_reference_is_on_the_valid_list_and_is_what_hgnc_says(cases, genes):
    by_id = {gene.id: gene for gene in genes.values()}
    for case in cases:
        assert suspect(case) is None
        assert case.codes == by_id[case.origin.split(": ")[1]].codes


def test_a_dead_reference_is_suspect(cases, tmp_path):
    file = tmp_path / "own.jsonl"
    file.write_text('{"id": "a", "gene": "X", "ec": "3.6.3.14"}\n', encoding="utf-8")
    (case,) = load_cases(file)
    assert suspect(case) == "EC 3.6.3.14 is transferred"


@pytest.mark.parametrize("symbol", ["MAPK1", "PGD", "SIAH2", "HIF1AN", "MMP26"])
def test_numbers_that_a_curator_would_not_give_are_kept_out(symbol, genes, cases):
    # By UniProt: 2.7.11.24, 1.1.1.44, an E3 ligase (2.3.2.27), 1.14.11.30, no 3.4.24.1.
    assert not is_plausible(genes[symbol])
    assert symbol not in {case.label.split(" ")[0] for case in cases}


@pytest.mark.parametrize("symbol", ["LDHA", "CAT", "LYZ", "BCHE", "TPI1", "GAPDH", "EPHA3"])
def test_numbers_that_fit_are_let_in(symbol, genes):
    assert is_plausible(genes[symbol])


def test_authored_contexts_agree_with_hgnc_and_do_not_name_the_enzyme(genes):
    for context in read_contexts():
        expected = parse_ec(context["ec"]).codes
        assert set(genes[context["symbol"]].codes) == set(expected), context["symbol"]
        assert not ENZYME_WORD.search(context["context"])


def test_symbol_prompts_show_the_gene_alone_and_masked_ones_no_enzyme_word(cases):
    assert {len(case.shown) for case in by_shown(cases, "symbol")} == {1}
    for case in by_shown(cases, "masked"):
        assert not ENZYME_WORD.search(case.shown[1][1]), case.id


def test_leaks_tell_and_masks_do_not(genes, cases):
    for case in cases:
        gene = genes[case.label.split(" ")[0]]
        if case.slices["shown"] == "leak":
            assert tells(gene)
            assert case.shown[1][1] == gene.name
        if case.slices["shown"] == "masked":
            assert case.shown[1][1] == masked_name(gene)


def test_no_prompt_holds_an_ec_number_of_its_reference(cases):
    for case in cases:
        own = build_request(case).messages[-1].content
        assert not parse_ec(own).codes, case.id


def test_requests_share_all_but_the_last_message_and_examples_are_no_references(cases):
    first = build_request(cases[0])
    assert all(build_request(case).messages[:-1] == first.messages[:-1] for case in cases)
    numbers = {code for _, answer in EXAMPLES for code in parse_ec(answer).codes}
    assert numbers == {"4.2.1.20", "2.7.2.4", "1.1.1.3"}
    assert not numbers & {code for case in cases for code in case.codes}


def test_building_again_gives_the_same(cases):
    assert [item.gene.id for item in build_items()] == [
        case.origin.split(": ")[1] for case in cases
    ]
    assert sample(cases) == sample(list(reversed(cases)))[::-1]


def test_the_sample_holds_every_category_and_variant(cases):
    strata = Counter((c.slices["category"], c.slices["shown"]) for c in sample(cases))
    assert set(strata) == {(c.slices["category"], c.slices["shown"]) for c in cases}


def pooled(cases, answers):
    rows = [score_answer(case, parse_ec(text)) for case, text in zip(cases, answers, strict=True)]
    tp, fp, fn = (sum(row[name] for row in rows) for name in COUNTS)
    column = [row["abstention_accuracy"] for row in rows]
    abstentions = [value for value in column if value is not None]
    return 2 * tp / (2 * tp + fp + fn), sum(abstentions) / len(abstentions)


def level_counts(cases, text, level):
    rows = [score_answer(case, parse_ec(text)) for case in cases]
    return [sum(row[f"level_{level}_{name}"] for row in rows) for name in COUNTS]


def test_the_references_as_answers_reach_one(cases):
    answers = [build_request(case).hints.reference for case in cases]
    assert pooled(cases, answers) == (1.0, 1.0)


def test_abstaining_always_finds_nothing_and_abstains_rightly(cases):
    assert pooled(cases, ["none"] * len(cases)) == (0.0, 1.0)


def test_a_deeper_answer_under_a_partial_reference_is_not_wrong(cases):
    partial = next(case for case in cases if case.reference == "3.1.1.-")
    row = score_answer(partial, parse_ec("3.1.1.116"))
    assert [row[name] for name in COUNTS] == [3, 0, 0]


@pytest.mark.parametrize(
    ("text", "unreadable"),
    [("none", False), ("EC 1.1.1.1", False), ("a kinase", True), ("", True), ("8.1.1.1", True)],
)
def test_what_counts_as_unreadable(text, unreadable):
    assert is_unreadable(parse_ec(text)) == unreadable


def test_dead_numbers_in_an_answer_are_told(cases):
    row = score_answer(cases[0], parse_ec("3.6.3.14; 1.1.1.74"))
    assert row["dead_numbers"] == "1.1.1.74; 3.6.3.14"


def test_baselines_are_what_scoring_every_answer_gives(cases):
    some = cases[::9]
    found = EC_NUMBER.baselines([{"reference": case.reference} for case in some])
    best = {
        figure: (base.answer, value)
        for base in found
        if base.name == "best_constant"
        for figure, value in base.figures.items()
    }
    texts = {case.reference for case in some} | {"none"}
    for case in some:
        fields = [code.replace(".-", "").split(".") for code in case.codes]
        texts |= {".".join([*f[:n], *["-"] * (4 - n)]) for f in fields for n in range(1, 5)}
    scores = {text: pooled(some, [text] * len(some)) for text in texts}
    assert best["hierarchical_micro_f1"][1] == pytest.approx(max(f1 for f1, _ in scores.values()))
    assert scores[best["hierarchical_micro_f1"][0]][0] == pytest.approx(
        best["hierarchical_micro_f1"][1]
    )
    for level in (1, 2, 3, 4):
        counts = [level_counts(some, text, level) for text in texts]
        highest = max(2 * tp / (2 * tp + fp + fn) for tp, fp, fn in counts)
        assert best[f"level_{level}_f1"][1] == pytest.approx(highest)
    assert best["abstention_accuracy"] == ("none", 1.0)
    drawn = next(base for base in found if base.name == "random")
    pairs = [(one.codes, other.codes) for one in some for other in some]
    every = hierarchical_micro_f1(
        reference=[reference for reference, _ in pairs],
        prediction=[prediction for _, prediction in pairs],
        partial_reference="open",
    )
    assert drawn.figures["hierarchical_micro_f1"] == pytest.approx(every.f1)
    for level in (1, 2, 3, 4):
        assert drawn.figures[f"level_{level}_f1"] == pytest.approx(every.levels[level].f1)
    assert drawn.figures["mean_level_f1"] == pytest.approx(every.mean_level_f1)
    assert drawn.figures["exact_set"] == pytest.approx(every.exact_set_accuracy)
    assert drawn.figures["abstention_accuracy"] == pytest.approx(every.abstention_accuracy)


def test_baselines_of_no_records_and_of_non_enzymes_alone():
    assert EC_NUMBER.baselines([]) == ()
    found = EC_NUMBER.baselines([{"reference": "none"}])
    figures = {figure for base in found for figure in base.figures}
    assert figures == {"exact_set", "abstention_accuracy"}


def test_the_keyword_answer_finds_what_the_name_tells():
    assert lexical_answer([("Name", "ornithine decarboxylase 1")]) == "4.1.1.17"
    assert lexical_answer([("Gene", "XYZQ9 (human)")]) == "none"


def test_cases_written_as_rows_are_read_back(cases, tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in case_rows()), encoding="utf-8")
    again = load_cases(file)
    assert [case.id for case in again] == [case.id for case in cases]
    assert [case.codes for case in again] == [case.codes for case in cases]
    assert [case.shown for case in again] == [case.shown for case in cases]
    assert [case.slices["category"] for case in again] == [
        case.slices["category"] for case in cases
    ]


def test_a_users_table_is_read(tmp_path):
    file = tmp_path / "own.tsv"
    file.write_text(
        "id\tquestion\tsequence\tec\n"
        "p1\tWhich EC number?\tMKT\tEC 1.1.1.1; 2.7.1.1\n"
        "p2\tWhich EC number?\t\tnone\n"
        "p3\t\tMKV\t3.6\n",
        encoding="utf-8",
    )
    one, two, three = load_cases(file)
    assert one.codes == ("1.1.1.1", "2.7.1.1")
    assert one.shown == (("Question", "Which EC number?"), ("Sequence", "MKT"))
    assert (two.codes, two.reference, two.slices["category"]) == ((), "none", "non-enzyme")
    assert (three.codes, three.slices["category"]) == (("3.6.-.-",), "partial")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "a", "ec": "1.1.1.1"}, r"own.jsonl:1: .*nothing to show"),
        ({"id": "a", "gene": "X", "ec": "8.1.1.1"}, r"own.jsonl:1: field 'ec': '8.1.1.1' is no EC"),
        ({"id": "a", "gene": "X", "ec": "1.1.1.1; 9.1.1.1"}, "field 'ec'"),
        ({"id": "a", "gene": "X", "ec": "a kinase"}, r"is no EC number \(no_candidate\)"),
        ({"id": "a", "gene": "X"}, "field 'ec'"),
        ({"id": "a", "gene": "X", "ec": "1.1.1.1", "colour": "red"}, "field 'colour'"),
    ],
)
def test_a_malformed_row_is_named(row, message, tmp_path):
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(CaseFileError, match=message):
        load_cases(file)


def test_doubled_ids_are_named_with_both_places(tmp_path):
    file = tmp_path / "own.jsonl"
    line = json.dumps({"id": "a", "gene": "X", "ec": "1.1.1.1"}) + "\n"
    file.write_text(line * 2, encoding="utf-8")
    with pytest.raises(CaseFileError, match=r"own.jsonl:2: id 'a' stands already at own.jsonl:1"):
        load_cases(file)
