"""Official TypeScript clients, with and without sessions, against two web processes."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from mcp_server.registry import registry
from tests.mcp_server.calls import document, valid_calls

HERE = Path(__file__).parent / "typescript"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("node") is None or not (HERE / "node_modules").is_dir(),
        reason="needs Node.js, and `npm ci` in tests/mcp_server/typescript",
    ),
]


def read_everything(**what):
    done = subprocess.run(
        ["node", "client.js", json.dumps(what)],
        cwd=HERE,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("client", "mode", "revision", "after_end"),
    [
        ("2", "auto", "2026-07-28", None),
        ("2", "legacy", "2025-11-25", 404),
        ("1", "legacy", "2025-11-25", 404),
    ],
)
def test_official_client_reads_everything(ports, client, mode, revision, after_end):
    reviews = document(ports[0], "/reviews.json")
    calls = list(valid_calls(ports[0]).items())
    refused = ["search_reviews", {"limit": 1000}]

    seen = read_everything(client=client, mode=mode, ports=ports, calls=[*calls, refused])

    assert (seen["revision"], seen["server"]) == (revision, "reviews")
    assert seen["ports"] == sorted(ports)
    assert seen["tools"] == list(registry.tools)
    # The client validates each result against the tool's output schema.
    *answers, refusal = seen["calls"]
    assert [answer["name"] for answer in answers if not answer["isError"]] == [
        name for name, _ in calls
    ]
    assert refusal["isError"] is True
    assert refusal["content"][0]["text"] == "limit must be a whole number from 1 to 100."
    assert len(seen["read"]) == 7
    assert all(length > 100 for _, length in seen["read"])
    assert (seen["templates"], seen["prompts"]) == (1, ["summarize_reviews", "compare_periods"])
    assert "on or after 2026-01-01" in seen["prompt"]
    assert seen["completed"] == [entry["id"] for entry in reviews["business"]["services"]]
    assert seen["afterEnd"] == after_end
