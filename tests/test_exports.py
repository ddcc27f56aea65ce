"""What `curieval` offers by name, and that importing it costs nothing."""

import subprocess
import sys
from importlib import import_module

import pytest

import curieval

HEAVY = ("pandas", "numpy", "oaklib", "indra", "gilda", "pyarrow", "pydantic", "llm", "typer")


def test_the_names_are_these():
    assert curieval.__all__ == [
        "Client",
        "ClientSettings",
        "EvidenceScore",
        "Message",
        "Reply",
        "Request",
        "TermGrounder",
        "open_grounder",
        "open_ontology",
        "score_evidence",
        "score_statement",
    ]
    assert dir(curieval) == curieval.__all__


def test_every_name_is_defined_where_the_table_says():
    for name, home in curieval._HOMES.items():
        value = getattr(curieval, name)
        assert value is getattr(import_module(home), name)
        assert value.__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'curieval' has no attribute 'client'"):
        curieval.client  # noqa: B018


def test_the_import_loads_nothing_heavy():
    script = f"import sys, curieval\nassert not set(sys.modules) & set({HEAVY!r})\n"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
