"""Installations of many processes, each with its own database and broker."""

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
    """Two web servers, three workers, a scheduler, and subscribers over TLS."""

    installation: Installation
    sink: Sink
    edits: Iterator[int]

    def edit(self) -> int:
        """Add a review in a new process. Return the number in its text."""
        number = next(self.edits)
        self.installation.ask("add", number)
        return number

    def enrol(self, name: str, **kinds: int) -> list[Subscriber]:
        """Replace the subscribers by so many of each kind."""
        crowd = self.sink.make_subscribers(name, kinds)
        self.installation.ask("delete_subscriptions")
        self.installation.create_subscriptions(crowd)
        return crowd

    def urls(self, path: str) -> list[str]:
        """Return the URL of a document at each web server."""
        return [f"http://localhost:{port}{path}" for port in self.installation.ports]


@contextlib.contextmanager
def run_site(broker: str) -> Iterator[Site]:
    """Start a site on PostgreSQL. Skip with the name of a missing requirement."""
    folder = Path(tempfile.mkdtemp(prefix="reviews-scale-"))  # PostgreSQL's user must reach it.
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
