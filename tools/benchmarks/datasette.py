"""Search over HTTP beside datasette's full-text search on the same rows.

`python -m tools.benchmarks.datasette [--reviews N]` prints a table; goal: at least twice as many
searches per second. Needs wrk and datasette (`pip install datasette`). Hardly two searches of a
round are alike, so that neither side answers from memory.
"""

import argparse
import contextlib
import json
import sqlite3
import tempfile
from pathlib import Path
from urllib.request import urlopen

from tools.benchmarks.documents import demo_environment, granian
from tools.benchmarks.measuring import (
    Round,
    Server,
    alternate,
    duel,
    find,
    free_port,
    load,
    machine,
    require,
    serving,
)
from tools.benchmarks.search import WORDS

CONNECTIONS = 8
SECONDS = 4

# Words, days and sizes at random; each side gets the same text with its own names around it.
SCRIPT = """
local words = {%s}
math.randomseed(%d)
request = function()
  local day = string.format("202%%d-%%02d-%%02d",
    math.random(4, 6), math.random(1, 12), math.random(1, 28))
  local word = words[math.random(#words)]
  return wrk.format("GET", string.format("%s", word, day, math.random(11, 30)))
end
"""
OURS = "/api/reviews/search?query=%s&until=%s&limit=%s"
THEIRS = "/reviews/reviews.json?_search=%s&date__lte=%s&_sort_desc=date&_size=%s&_shape=objects"


def copy_for_datasette(state: Path, target: Path) -> None:
    """The same reviews as a plain table with a full-text index, as datasette likes them."""
    with contextlib.closing(sqlite3.connect(target)) as copy:
        copy.execute("ATTACH ? AS source", [str(state / "reviews.sqlite3")])
        copy.executescript(
            """
            CREATE TABLE reviews (id TEXT PRIMARY KEY, author TEXT, rating INT, date TEXT,
                                  text TEXT, source TEXT, source_url TEXT, reply_text TEXT,
                                  reply_date TEXT);
            INSERT INTO reviews SELECT ulid, author, rating, date, text, source, source_url,
                                       reply_text, reply_date
              FROM source.reviews_review WHERE NOT hidden;
            CREATE INDEX newest ON reviews (date DESC, id DESC);
            CREATE VIRTUAL TABLE reviews_fts USING fts5(text, content="reviews");
            INSERT INTO reviews_fts(reviews_fts) VALUES ('rebuild');
            """
        )
        copy.commit()


def measure(reviews: int) -> str:
    require("wrk", "taskset", "datasette")
    single = tuple(word for word in WORDS if " " not in word)
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        env = demo_environment(folder / "state", reviews)
        copy_for_datasette(folder / "state", folder / "reviews.db")
        port = free_port()
        ours = stack.enter_context(
            serving("search", granian("config.wsgi:application", port), port,
                    ready="/api/reviews/search?limit=1", env=env)
        )  # fmt: skip
        port = free_port()
        command = [str(find("datasette")), "serve", "-i", str(folder / "reviews.db")]
        command += ["-p", str(port)]
        theirs = stack.enter_context(serving("datasette", command, port, ready="/-/versions.json"))
        for server, path in ((ours, OURS), (theirs, THEIRS)):
            with urlopen(server.url(path % ("leak", "2026-10-01", 20))) as response:
                body = json.load(response)
            assert len(body.get("reviews") or body["rows"]) == 20, server.name
        rounds = iter(range(100))

        def run(server: Server, path: str) -> Round:
            script = folder / "search.lua"
            quoted = ", ".join(f'"{word}"' for word in single)
            script.write_text(SCRIPT % (quoted, next(rounds), path))
            return load(server, "/", {}, connections=CONNECTIONS, seconds=SECONDS,
                        script=script)  # fmt: skip

        results = alternate(
            {
                "/api/reviews/search on granian": lambda: run(ours, OURS),
                "datasette, full-text search": lambda: run(theirs, THEIRS),
            }
        )
    return duel(
        f"Searches by word and day in {reviews:,} reviews over HTTP, {CONNECTIONS} connections "
        f"(SQLite; {machine()})",
        "searches",
        results,
        goal=2,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=int, default=100_000)
    print(measure(parser.parse_args().reviews))
