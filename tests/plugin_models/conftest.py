"""Gives each test a server of its own, so that its calls can be counted, and a folder to run in."""

from __future__ import annotations

import pytest

from tests.plugin_models.trial import Trial
from tests.servers.misbehaving import serving


@pytest.fixture
def server():
    with serving() as served:
        yield served


@pytest.fixture
def trial(tmp_path, server):
    return Trial(tmp_path, server)


@pytest.fixture
def short_trial(tmp_path, server):
    return Trial(tmp_path, server, cases=12)
