"""docs/cli.md is what the command line says of itself."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date(monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    written = runpy.run_path(str(ROOT / "docs" / "write_cli.py"))
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert page == written["page"](), "run python docs/write_cli.py"
    assert "### curieval score env-triad" in page
