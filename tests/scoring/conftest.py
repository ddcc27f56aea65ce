"""The shipped ontologies, read once."""

import pytest

from scoring import load_ontology


@pytest.fixture(scope="session")
def envo():
    return load_ontology("envo")


@pytest.fixture(scope="session")
def po():
    return load_ontology("po")
