"""report.html as text: well formed, inert, small, and complete without a script."""

from __future__ import annotations

import json
import re

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs import flat_baselines, item, record, reply, write_leg

from curieval.report import build_report, compare_reports, read_run
from curieval.report import html as page
from curieval.report.markup import escape, script_json

HOSTILE = [
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "<!--<script>",
    "\"><svg onload=document.title='owned'>",
    "javascript:document.title='owned'",
    "\x00\x0b\x1b[31m\x7f\x85\u2028\u2029\ufdd0\uffff\U0001fffe",
    "]]>&amp;&lt;",
    "{{constructor.constructor('document.title=1')()}}",
]


def page_of(folder, **more):
    run = read_run(folder)
    report = build_report(run, baselines=flat_baselines())
    return "".join(page.page_parts(report, run, **more))


def parsed(text):
    """The document, or the first thing in it that the HTML standard calls an error."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def data_of(document):
    (element,) = [each for each in document.iter("script") if each.get("id") == "data"]
    return json.loads(element.text)


@pytest.fixture
def hostile(tmp_path):
    items = [
        {**item(n, slot=text, model=HOSTILE[-n % 3]), "id": f"{n}{text}", "case": f"{n}{text}"}
        for n, text in enumerate(HOSTILE)
    ]
    lines = [
        record(each, 0.5, reference=text, label=text, origin=text, answer=reply(text=text),
               flags=[text], prompt={"prefix": text, "user": text})
        | {"scores": {"hierarchical_f1": 0.5, "truth_label": text, "pred_label": text, text: text}}
        for each, text in zip(items, HOSTILE, strict=True)
    ]  # fmt: skip
    write_leg(tmp_path, items, lines, models=tuple(HOSTILE[:3]), notes=HOSTILE)
    with (tmp_path / "records.jsonl").open("a") as file:
        for text in HOSTILE:
            file.write(json.dumps({"kind": "prefix", "sha256": text, "text": text}) + "\n")
    return tmp_path


def test_a_hostile_run_makes_a_valid_page_with_its_texts_intact(hostile):
    document = parsed(page_of(hostile, explain={"env_triad": lambda r: {"text": r["reference"]}}))
    assert [each.get("type") for each in document.iter("script")] == ["application/json", None]
    assert not list(document.iter("img"))
    data = data_of(document)
    assert {case["reply"] for case in data["cases"]} == set(HOSTILE)
    assert {case["why"]["text"] for case in data["cases"]} == set(HOSTILE)
    assert data["prefixes"].keys() == set(HOSTILE)
    names = {name for each in document.iter() for name in each.attrib}
    assert not [name for name in names if name.startswith("on") or name in ("style", "src", "href")]


def test_nothing_is_fetched(hostile):
    text = page_of(hostile)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src &#x27;none&#x27;")
    assert "unsafe" not in policy
    style = parsed(text).find(".//style").text
    assert not re.search(r"url\(|@import", style)


@settings(max_examples=50)
@given(st.text(st.characters(codec=None)))
def test_any_text_is_inert(text):
    body = f"<!DOCTYPE html><title>t</title><p title='{escape(text)}'>{escape(text)}</p>"
    shown = f"{body}<script type='application/json'>{script_json([text])}</script>"
    document = parsed(shown.encode().decode())
    assert len(list(document.iter())) == 6
    (element,) = document.iter("script")
    assert json.loads(element.text) == [text]


def test_the_static_part_tells_the_figures(tmp_path):
    items = [item(n, slot=slot, model=model) for n, slot in enumerate("abcabc")
             for model in ("one", "two")]  # fmt: skip
    lines = [record(each, 1.0 if each["model"] == "one" else 0.25) for each in items]
    write_leg(tmp_path, items, lines, models=("one", "two"))
    document = parsed(page_of(tmp_path))
    text = " ".join("".join(document.itertext()).split())
    assert "Models compared case by case" in text
    assert "env_triad: two against one" in text
    assert "-75.0 pp" in text
    assert "env_triad by slice" in text
    labels = [each.get("aria-label") for each in document.iter() if each.get("role") == "img"]
    assert any(label.startswith("0.250, from ") for label in labels)


def test_right_cases_come_without_their_prompt(tmp_path):
    items = [item(n) for n in range(1_000)]
    answer = reply(text="a long answer " * 40)
    lines = [record(each, 1.0, answer=answer, prompt={"prefix": None, "user": "line " * 300})
             for each in items]  # fmt: skip
    write_leg(tmp_path, items, lines)
    text = page_of(tmp_path)
    assert len(text.encode()) < 5_000_000
    assert "prompt" not in data_of(parsed(text))["cases"][0]
    whole = page_of(tmp_path, whole=True)
    assert data_of(parsed(whole))["cases"][0]["prompt"] == "line " * 300


def test_every_item_has_its_place(tmp_path):
    items = [item(n) for n in range(3)]
    write_leg(tmp_path, items, [record(items[0], 0.0),
                                record(items[1], state="unscored", reason="timeout")])  # fmt: skip
    cases = {case["id"]: case for case in data_of(parsed(page_of(tmp_path)))["cases"]}
    assert [case["state"] for case in cases.values()] == ["scored", "unscored", "not_run"]
    assert cases["soil-00-embedded"]["prompt"] == "What is it?"
    assert cases["soil-01-embedded"]["reason"] == "timeout"


def test_too_much_is_left_out_and_said(tmp_path, monkeypatch):
    items = [item(n) for n in range(20)]
    write_leg(tmp_path, items, [record(each, n / 20) for n, each in enumerate(items)])
    monkeypatch.setattr(page, "MOST_CASES", 5)
    monkeypatch.setattr(page, "LONGEST_TEXT", 10)
    document = parsed(page_of(tmp_path))
    cases = data_of(document)["cases"]
    assert [case["id"] for case in cases] == [f"soil-{n:02}-embedded" for n in range(5)]
    assert cases[0]["prompt"] == "What is it\n… cut here: 11 characters in all"
    text = "".join(document.itertext())
    assert "15 cases with the best scores are left out" in text
    assert "10 texts are cut at 10 characters" in text


def test_a_failing_explanation_costs_no_page(tmp_path):
    write_leg(tmp_path, [item(1)], [record(item(1), 0.5)])

    def explain(record):
        raise KeyError("term")

    (case,) = data_of(parsed(page_of(tmp_path, explain={"env_triad": explain})))["cases"]
    assert case["why"] == {"text": "no explanation: KeyError: 'term'"}


def test_a_baseline_gets_a_section(tmp_path):
    for name, score in (("before", 1.0), ("after", 0.0)):
        items = [item(n) for n in range(12)]
        write_leg(tmp_path / name, items, [record(each, score) for each in items])
    runs = [read_run(tmp_path / name) for name in ("before", "after")]
    reports = [build_report(run, baselines={}) for run in runs]
    comparisons = compare_reports(*reports)
    text = "".join(page.page_parts(reports[1], runs[1], comparisons=comparisons))
    document = parsed(text)
    shown = " ".join("".join(document.itertext()).split())
    assert "Against the baseline" in shown
    assert "-100.0 pp" in shown
    assert "12 cases fell in hierarchical_f1" in shown


def test_answers_stand_against_references(tmp_path):
    items = [item(n) for n in range(6)]
    lines = [
        record(each, 0.0) | {"scores": {"truth_label": "abab"[n % 4], "pred_label": "aabb"[n % 4]}}
        for n, each in enumerate(items)
    ]
    write_leg(tmp_path, items, lines)
    document = parsed(page_of(tmp_path))
    (heat,) = [each for each in document.iter("table") if each.get("class") == "heat"]
    rows = [[cell.text or "" for cell in row] for row in heat.iter("tr")]
    # Pairs a-a, b-a, a-b, b-b, a-a, b-a.
    assert rows[1:] == [["a", "2", "1"], ["b", "2", "1"]]


def test_branches_stand_against_branches_and_unread_answers_apart(tmp_path):
    items = [item(n) for n in range(4)]
    columns = [("<b>", "<b>"), ("<b>", None), ("c", "<b>"), ("c", "c")]
    lines = [
        record(each, 0.0) | {"scores": {"truth_branch": truth, "pred_branch": answer,
                                        "truth_label": truth + "!", "pred_label": answer}}
        for each, (truth, answer) in zip(items, columns, strict=True)
    ]  # fmt: skip
    write_leg(tmp_path, items, lines)
    document = parsed(page_of(tmp_path))
    branches, labels = [e for e in document.iter("table") if e.get("class") == "heat"]
    rows = [[cell.text or "" for cell in row] for row in branches.iter("tr")]
    assert rows == [
        ["reference ↓ answer →", "<b>", "c", "unread"],
        ["<b>", "1", "", "1"],
        ["c", "1", "1", ""],
    ]
    assert "<b>!" in [cell.text for cell in labels.iter("th")]


def test_the_page_names_the_ontologies_with_release_and_hash(tmp_path):
    items = [item(0)]
    entries = [{"name": "<i>", "release": "2025-10-20", "sha256": "0123456789abcdef"}]
    write_leg(tmp_path, items, [record(items[0], 1.0)], ontologies=entries)
    shown = "".join(parsed(page_of(tmp_path)).itertext())
    assert "scored in <i> 2025-10-20 (sha256 0123456789ab)" in shown


def test_probabilities_get_a_reliability_diagram(tmp_path):
    items = [item(n) for n in range(20)]
    lines = [
        record(each, 1.0) | {"scores": {"hierarchical_f1": 1.0, "probability": n / 20,
                                        "outcome": n > 9}}
        for n, each in enumerate(items)
    ]  # fmt: skip
    write_leg(tmp_path, items, lines)
    document = parsed(page_of(tmp_path))
    titles = [each.text for each in document.iter("{http://www.w3.org/2000/svg}title")]
    assert "2 cases: stated 0.03, true 0.00" in titles
    assert "2 cases: stated 0.93, true 1.00" in titles
