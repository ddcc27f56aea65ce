"""What the tests of the pytest side share: a world of their own and a server that misbehaves."""

from __future__ import annotations

import pytest

from tests.plugin.running import World
from tests.servers.misbehaving import serving


@pytest.fixture(scope="session")
def bytecode(tmp_path_factory):
    return tmp_path_factory.mktemp("bytecode")


@pytest.fixture
def world(tmp_path, bytecode):
    return World(tmp_path, bytecode)


@pytest.fixture(scope="session")
def server():
    with serving() as served:
        yield served
