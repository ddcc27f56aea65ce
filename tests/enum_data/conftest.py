"""Where the shipped data lie."""

from pathlib import Path

import pytest

import enum_data as package


@pytest.fixture
def enum_data():
    return Path(package.__file__).parent
