"""Installations of many processes, each with a database and a broker of its own."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tools.benchmarks.measuring import free_port
from tools.chaos.installation import Installation
from tools.chaos.processes import ProgramMissing, supervise
from tools.chaos.sink import Sink, Subscriber, listening

WORKERS = 3
SEARCHES_AN_HOUR = 30


class Site(NamedTuple):
    """Two web servers, three workers, a clock, and subscribers who listen over TLS."""

    installation: Installation
    sink: Sink
    edits: Iterator[int]

    def edit(self) -> int:
        """Add a review from a process of its own; the number that its text names."""
        number = next(self.edits)
        self.installation.ask("add", number)
        return number

    def enrol(self, name: str, **kinds: int) -> list[Subscriber]:
        """So many subscribers of each kind, instead of those that are there."""
        crowd = self.sink.make_subscribers(name, kinds)
        self.installation.ask("delete_subscriptions")
        self.installation.create_subscriptions(crowd)
        return crowd

    def urls(self, path: str) -> list[str]:
        """The same document at each web server."""
        return [f"http://localhost:{port}{path}" for port in self.installation.ports]


@contextlib.contextmanager
def standing(broker: str) -> Iterator[Site]:
    """A whole site on PostgreSQL; skips, and says what is missing, where it cannot be."""
    folder = Path(tempfile.mkdtemp(prefix="reviews-scale-"))  # PostgreSQL's user has to get there.
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        bundle = folder / "authority.pem"
        sink = stack.enter_context(listening(free_port(), bundle))
        supervisor = stack.enter_context(supervise(folder))
        limits = {"RATE_LIMIT_SEARCH": f"{SEARCHES_AN_HOUR}/h"}
        try:
            installation = Installation(
                supervisor, folder / "state", bundle, ("postgres", broker), webs=2, given=limits
            )
        except ProgramMissing as what:
            pytest.skip(str(what))
        installation.prepare()
        installation.run("-m", "tools.demo_reviews", "--reviews", "100")
        installation.manage("publish_documents")
        installation.start(workers=WORKERS)
        yield Site(installation, sink, iter(range(1, 1_000)))
        assert supervisor.exited() == []
