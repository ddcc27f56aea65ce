"""What `scoring` offers by name, and that importing it costs nothing."""

import subprocess
import sys
from importlib import import_module

import pytest

import scoring

HEAVY = ("pandas", "numpy", "scipy", "oaklib", "indra", "gilda", "pyarrow", "pydantic", "pytest")


def test_every_name_is_defined_where_the_table_says():
    for name, home in scoring._HOMES.items():
        value = getattr(scoring, name)
        assert value is getattr(import_module(home), name)
        assert getattr(value, "__module__", home).startswith(home)


def test_the_table_is_sorted_and_whole():
    assert list(scoring._HOMES) == sorted(scoring._HOMES)
    assert dir(scoring) == scoring.__all__ == sorted(scoring._HOMES)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'scoring' has no attribute 'score'"):
        scoring.score  # noqa: B018


def test_import_and_a_score_load_nothing_heavy():
    script = (
        "import sys, scoring\n"
        "imported = {name for name in sys.modules if name.startswith('scoring.')}\n"
        "assert not imported, imported\n"
        "envo = scoring.load_ontology('envo')\n"
        "term = 'forest biome [ENVO:01000174]'\n"
        "assert scoring.score_term(prediction=term, reference=term, ontology=envo)\n"
        f"assert not set(sys.modules) & set({HEAVY!r})\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
