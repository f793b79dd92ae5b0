"""Every requirement of the protocol has tests, and they exist."""

import importlib
import re

import pytest

from tests.mcp_server.requirements import MUST, OURS, REQUIREMENTS, SHOULD, TITLES
from tests.processes import ROOT


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=lambda each: each.id)
def test_a_requirement_has_tests_that_exist(requirement):
    assert requirement.level in {MUST, SHOULD, OURS}
    assert requirement.sentence.endswith(".")
    assert requirement.tests
    for name in requirement.tests:
        module, function = name.split(".")
        found = importlib.import_module(f"tests.mcp_server.test_{module}")
        assert callable(getattr(found, f"test_{function}", None)), name


def test_requirements_are_numbered_without_gaps():
    for letter in TITLES:
        numbers = [int(each.id[1:]) for each in REQUIREMENTS if each.id[0] == letter]
        assert numbers == list(range(1, len(numbers) + 1)), letter


def test_whatever_a_test_names_is_a_requirement():
    known = {each.id for each in REQUIREMENTS}
    for file in (ROOT / "tests" / "mcp_server").glob("test_*.py"):
        for comment in re.findall(r"#(.*)", file.read_text()):
            assert set(re.findall(r"\b[A-N][0-9]{1,2}\b", comment)) <= known, (file.name, comment)
