"""MCP tool calls, compared with the same tool on the official Python SDK.

`python -m tools.benchmarks.tool_calls` prints a table. Goal: at least twice as many calls per
second at 1 and at 16 connections. Both servers answer `search_reviews` with the same bytes from a
database, on granian. Arguments repeat only after a long time, so that no cache answers.
"""

import contextlib
import itertools
import json
import sqlite3
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

from tools.benchmarks.documents import demo_environment, granian
from tools.benchmarks.measuring import (
    Round,
    Server,
    alternate,
    compare,
    free_port,
    load,
    machine,
    require,
    serving,
)

REVIEWS = 1000
CONNECTIONS = (1, 16)
SECONDS = 3
REVISION = "2026-07-28"
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": REVISION,
    "Mcp-Method": "tools/call",
    "Mcp-Name": "search_reviews",
}
ASGI = {"wsgi": "asgi", "4": "1"}  # One thread runs the loop.
# All days and limits, shuffled: responses of nearly equal size, and no repetition before its cache
# entry has expired. Rounds begin at different calls.
SCRIPT = """
local call, calls = %d, 3 * 12 * 28 * 11
wrk.method = "POST"
request = function()
  call = (call + 4099) %% calls
  local days, limit = math.floor(call / 11), 10 + call %% 11
  local until_day = string.format("202%%d-%%02d-%%02d",
    4 + days %% 3, 1 + math.floor(days / 3) %% 12, 1 + math.floor(days / 36))
  return wrk.format(nil, nil, nil, string.format([[%s]], until_day, limit))
end
"""


def body_of(method: str, **params: object) -> str:
    meta = {
        "io.modelcontextprotocol/protocolVersion": REVISION,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
    }
    params = {**params, "_meta": meta}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})


def call(until: str, limit: object) -> str:
    return body_of("tools/call", name="search_reviews", arguments={"until": until, "limit": limit})


def ask(server: Server, body: str, **headers: str) -> dict:
    request = Request(server.url("/mcp"), body.encode(), {**HEADERS, **headers})
    with urlopen(request) as response:
        return json.load(response)["result"]


def copy_for_the_sdk(state: Path, folder: Path, ours: Server) -> None:
    """Copy the published fragments into a plain table, and the tool's description."""
    from base64 import urlsafe_b64encode

    source = sqlite3.connect(f"file:{state / 'reviews.sqlite3'}?mode=ro", uri=True)
    copy = sqlite3.connect(folder / "reviews.db")
    with contextlib.closing(source), contextlib.closing(copy):
        rows = source.execute(
            "SELECT date, ulid, fragment FROM reviews_review WHERE NOT hidden"
        ).fetchall()
        cursors = [urlsafe_b64encode(f"{date}{ulid}".encode()).decode() for date, ulid, _ in rows]
        copy.execute("CREATE TABLE reviews (date, ulid, fragment, cursor)")
        copy.executemany(
            "INSERT INTO reviews VALUES (?, ?, ?, ?)",
            [(*row, cursor) for row, cursor in zip(rows, cursors, strict=True)],
        )
        copy.execute("CREATE INDEX newest ON reviews (date DESC, ulid DESC)")
        copy.commit()
    listed = ask(ours, body_of("tools/list"), **{"Mcp-Method": "tools/list"})["tools"]
    tool = next(each for each in listed if each["name"] == "search_reviews")
    (folder / "tool.json").write_text(json.dumps(tool))


def measure() -> str:
    require("wrk", "taskset")
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        env = demo_environment(folder / "state", REVIEWS) | {"RATE_LIMIT_MCP": ""}
        port = free_port()
        ours = stack.enter_context(
            serving("ours", granian("config.wsgi:application", port), port,
                    ready="/healthz", env=env)
        )  # fmt: skip
        copy_for_the_sdk(folder / "state", folder, ours)
        port = free_port()
        command = granian("tools.benchmarks.official_server:application", port)
        theirs = stack.enter_context(
            serving("sdk", [ASGI.get(word, word) for word in command], port,
                    ready="/ready", env={"OFFICIAL_FOLDER": str(folder)})
        )  # fmt: skip
        for day, limit in (("2026-06-30", 20), ("2025-03-14", 7), ("2020-01-01", 20)):
            content = [ask(server, call(day, limit))["content"] for server in (ours, theirs)]
            assert content[0] == content[1], (day, limit)
        firsts = itertools.count(0, 1_000)
        script = folder / "calls.lua"
        template = call("%s", "%d").replace('"%d"', "%d")

        def run(server: Server, connections: int) -> Round:
            script.write_text(SCRIPT % (next(firsts), template))
            return load(server, "/mcp", HEADERS, connections=connections, seconds=SECONDS,
                        script=script)  # fmt: skip

        return "\n".join(
            compare(
                f"search_reviews in {REVIEWS:,} reviews, one process each on granian, "
                f"connections: {connections} (SQLite; {machine()})",
                "calls",
                alternate(
                    {
                        "this server": lambda n=connections: run(ours, n),
                        "official Python SDK, no sessions, JSON answers": (
                            lambda n=connections: run(theirs, n)
                        ),
                    }
                ),
                goal=2,
            )
            for connections in CONNECTIONS
        )


if __name__ == "__main__":
    print(measure())
