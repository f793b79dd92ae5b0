"""Fixtures of the conformance suite, which no other process offers; `make mcp-conformance`."""

import pytest

from mcp_server.registry import registry
from mcp_server.stateless import METHODS
from tests.mcp_server.conformance import fixtures, run
from tests.processes import environment
from tests.processes import run as start


def load(state, **values):
    """The result of a process that loads the application with the fixtures."""
    command = f"import {run.APPLICATION.partition(':')[0]}"
    return start("-c", command, env=environment(state, SECRET_KEY="k" * 50, **values))


@pytest.mark.slow
@pytest.mark.parametrize(
    "values",
    [
        {"BASE_URL": "http://127.0.0.1:8000"},
        {"BASE_URL": "https://reviews.example", "DEBUG": "1"},
    ],
)
def test_an_installation_that_is_not_for_tests_does_not_start_with_the_fixtures(values, tmp_path):
    done = load(tmp_path, **values)

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "DJANGO_SETTINGS_MODULE is tests.mcp_server.conformance.settings, whose tools and prompts "
        "say nothing true; it starts with DEBUG=1 and an http BASE_URL alone. Set it to "
        "config.settings, or leave it out."
    )


@pytest.mark.slow
def test_a_test_installation_starts_with_them(tmp_path):
    assert load(tmp_path, BASE_URL="http://127.0.0.1:8000", DEBUG="1").returncode == 0


def test_without_them_none_is_offered():
    assert not {*registry.tools, *registry.prompts} & {*fixtures.TOOLS, *fixtures.PROMPTS}
    assert not set(registry.resources) & set(fixtures.RESOURCES)
    assert "logging/setLevel" not in METHODS
