"""report.html in a real Chromium: nothing runs, keys and filters work, 10,000 cases are usable."""

from __future__ import annotations

import json
import random
import shutil

import pytest
from runs import flat_baselines, item, record, reply, write_leg
from test_report_html import HOSTILE

from curieval.report import build_report, read_run, write_report

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser, tmp_path):
    """The page of a run, and what went wrong in it: errors, dialogs, requests."""

    def open_page(items, lines, *, width=1280, prefixes=(), explain=None, **about):
        write_leg(tmp_path, items, lines, **about)
        with (tmp_path / "records.jsonl").open("a") as file:
            for text in prefixes:
                file.write(json.dumps({"kind": "prefix", "sha256": text, "text": text}) + "\n")
        run = read_run(tmp_path)
        report = build_report(run, baselines=flat_baselines())
        write_report(report, tmp_path, run=run, explain=explain)
        page = browser.new_page(viewport={"width": width, "height": 900})
        wrong = []
        page.on("pageerror", lambda error: wrong.append(f"error {error}"))
        page.on("dialog", lambda dialog: (wrong.append("dialog"), dialog.dismiss()))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith("file://") else wrong.append(request.url)
            ),
        )
        page.goto((tmp_path / "report.html").as_uri())
        page.wait_for_selector("#browser:not([hidden])")
        return page, wrong

    return open_page


def rows(page):
    return page.locator("tr.row").count()


def test_nothing_that_a_model_writes_runs(opened):
    items = [
        {**item(n, slot=text, model=HOSTILE[-n % 3]), "id": f"{n}{text}", "case": f"{n}{text}"}
        for n, text in enumerate(HOSTILE)
    ]
    lines = [
        record(each, 0.5, reference=text, label=text, origin=text, answer=reply(text=text),
               flags=[text], prompt={"prefix": text, "user": text})
        for each, text in zip(items, HOSTILE, strict=True)
    ]  # fmt: skip
    page, wrong = opened(
        items, lines, models=tuple(HOSTILE[:3]), notes=HOSTILE, prefixes=HOSTILE,
        explain={"env_triad": lambda r: {"up": [r["reference"]], "shared": r["reference"],
                                         "down": [r["reference"]], "text": r["reference"]}},
    )  # fmt: skip
    for place in range(len(HOSTILE)):
        page.locator("tr.row").nth(place).click()
        page.locator("td.open").wait_for()
        for details in page.locator("td.open details").all():
            details.locator("summary").click()
        shown = page.locator("td.open pre").all_text_contents()
        assert len(shown) == 4
        assert len(set(shown)) == 1
        assert shown[0] in HOSTILE
        page.keyboard.press("Escape")
    page.wait_for_timeout(200)
    assert page.title() == "Evaluation of env_triad"
    assert page.locator("script").count() == 2
    assert page.locator("img, iframe, [onload], [onerror]").count() == 0
    assert wrong == []


def test_a_wrong_case_shows_prompt_reply_reference_score_and_why(opened):
    planned = item(1)
    page, wrong = opened(
        [planned],
        [record(planned, 0.25, answer=reply(text="tundra biome"), reference="forest biome")],
        explain={"env_triad": lambda r: {"up": ["tundra biome"], "shared": "biome",
                                         "down": ["forest biome"], "text": "one step apart"}},
    )  # fmt: skip
    page.locator("tr.row").click()
    shown = page.locator("td.open").inner_text()
    for part in ("What is it?", "tundra biome", "forest biome", "0.2500", "one step apart"):
        assert part in shown
    drawing = page.locator("td.open svg")
    assert drawing.locator("rect").count() == 3
    assert drawing.locator("text", has_text="reference").count() == 1
    assert page.url.endswith("#case=soil-01-embedded")
    assert wrong == []


def test_keyboard_alone_is_enough(opened):
    items = [item(n) for n in range(120)]
    page, wrong = opened(items, [record(each, n / 120) for n, each in enumerate(items)])
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    opened_row = page.locator("tr.row[aria-expanded=true]")
    assert opened_row.locator("td.id").inner_text() == "soil-01-embedded"
    page.keyboard.press("Escape")
    assert opened_row.count() == 0
    page.keyboard.press("n")
    assert page.locator("#count").inner_text() == "51–100 of 120"
    page.keyboard.press("n")
    assert rows(page) == 20
    page.keyboard.press("p")
    assert page.locator("#count").inner_text() == "51–100 of 120"
    page.keyboard.press("/")
    page.keyboard.type("soil-119")
    sync_api.expect(page.locator("tr.row")).to_have_count(1)
    assert wrong == []


def test_filters_and_order(opened):
    items = [item(n, slot="ab"[n % 2]) for n in range(20)]
    lines = [
        record(each, [1.0, 0.5, 0.0][n % 3], answer=reply(seconds=float(n)))
        if n
        else record(each, state="unscored", reason="timeout")
        for n, each in enumerate(items)
    ]
    page, wrong = opened(items, lines)
    page.get_by_label("slot").select_option(label="a (10)")
    assert rows(page) == 10
    page.get_by_label("answer").first.select_option(label="unscored (1)")
    assert page.locator("tr.row td.id").all_inner_texts() == ["soil-00-embedded"]
    page.locator("#clear").click()
    assert rows(page) == 20
    assert page.locator("tr.row td.state").first.inner_text() == "wrong"
    assert page.locator("tr.row td.state").last.inner_text() == "unscored"
    page.get_by_label("order").select_option("slowest first")
    assert page.locator("tr.row td.id").first.inner_text() == "soil-19-embedded"
    assert wrong == []


@pytest.mark.parametrize("width", [400, 1280])
def test_no_window_scrolls_sideways(opened, width):
    items = [item(n, slot=f"env_{n % 3}") for n in range(60)]
    page, _ = opened(items, [record(each, 0.5) for each in items], width=width)
    page.locator("tr.row").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_dark_mode_is_readable(opened):
    page, _ = opened([item(1)], [record(item(1), 0.5)])
    page.emulate_media(color_scheme="dark")
    colours = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colours)
    page.locator("#theme").click()
    assert page.evaluate(colours) == "rgb(255, 255, 255)"
    page.locator("#theme").click()
    assert page.evaluate(colours) == dark != "rgb(255, 255, 255)"


def test_print_leaves_the_controls_out(opened):
    page, _ = opened([item(1)], [record(item(1), 0.5)])
    page.emulate_media(media="print")
    assert not page.locator("#filters").is_visible()
    assert page.locator("h2", has_text="Figures").is_visible()


def test_ten_thousand_cases_are_usable(opened):
    draw = random.Random(1)
    items = [item(n, slot=f"slot {n % 5}") for n in range(10_000)]
    lines = [
        record(each, draw.choice([0, 0.5, 1]), prompt={"prefix": None, "user": "line " * 80})
        for each in items
    ]
    page, wrong = opened(items, lines)
    assert rows(page) == 50
    page.locator("#search").fill("soil-9876")
    sync_api.expect(page.locator("tr.row")).to_have_count(1)
    page.locator("tr.row").click()
    assert "soil-9876" in page.url
    assert wrong == []


def test_scores_up_to_100_are_sorted_and_named_as_such(opened):
    items = [item(n, task="protein_qa") for n in range(3)]
    lines = [
        {**record(each, 0.0), "scores": {"llm_score": score}}
        for each, score in zip(items, (100.0, 52.5, 0.0), strict=True)
    ]
    figures = [{"name": "llm_score", "primary": True, "scale": 100.0}]
    page, wrong = opened(items, lines, task="protein_qa", figures=figures)
    cells = [page.locator("tr.row").nth(n).locator("td").all_text_contents()[:2] for n in range(3)]
    assert cells == [["wrong", "0.0"], ["partly right", "52.5"], ["right", "100.0"]]
    assert wrong == []
