"""Every requirement of the protocol has existing tests.

The sentences in requirements.txt come from the published revisions 2024-11-05 to 2026-07-28. MUST
and SHOULD are the protocol's words; "ours" goes beyond the protocol.
"""

import importlib
from pathlib import Path

import pytest

PARAGRAPHS = Path(__file__).with_name("requirements.txt").read_text("utf-8").strip().split("\n\n")


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda each: each.split(" ")[0])
def test_requirement_has_existing_tests(paragraph):
    head, *tests = paragraph.splitlines()
    _, level, sentence = head.split(" ", 2)
    assert level in {"MUST", "SHOULD", "ours"}
    assert sentence.endswith(".")
    assert tests
    for name in tests:
        module, function = name.strip().split(".")
        found = importlib.import_module(f"tests.mcp_server.test_{module}")
        assert callable(getattr(found, f"test_{function}", None)), name
