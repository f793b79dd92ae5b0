"""Responses equal the recorded ones. `python -m tests.border` records a deliberate change."""

import pytest

from tests.border.__main__ import RECORDED
from tests.processes import environment, run

pytestmark = pytest.mark.slow

GROUPS = ("documents", "search", "mcp", "hub")


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Record the responses of the current code in files."""
    folder = tmp_path_factory.mktemp("border")
    env = environment(folder)
    env.pop("DATABASE_URL", None)  # The recorded responses do not depend on the database.
    done = run("-m", "tests.border", str(folder), env=env)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("group", GROUPS)
def test_responses_equal_recorded_ones(answers, group):
    recorded = (RECORDED / f"{group}.txt").read_text().split("\n\n")
    answered = (answers / f"{group}.txt").read_text().split("\n\n")
    assert len(answered) == len(recorded)
    for now, before in zip(answered, recorded, strict=True):
        assert now == before
