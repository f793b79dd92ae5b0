"""The published documents in this process's memory, and the thread that keeps them new."""

import datetime as dt
import logging
import threading
import time
from collections.abc import Callable, Mapping

from django.db import connections

from publishing import conf, publisher
from publishing.models import Document
from publishing.publisher import Outcome, State
from publishing.responses import CachedDocument, cached_document

logger = logging.getLogger(__name__)

SHORTEST_POLL_SECONDS = 0.01
STARTING_SECONDS = 10  # As long may a process that has just started let readers wait.


class DocumentCache:
    """Holds the documents. `entries` is replaced as a whole, so that a reader needs no lock."""

    def __init__(self) -> None:
        self.entries: Mapping[str, CachedDocument] = {}
        self._refreshing = threading.Lock()
        self._starting = threading.Lock()
        self._news = threading.Condition()
        self._has_looked = False
        self._started_at = 0.0
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_in_trouble = False

    def refresh(self, *paths: str) -> None:
        """Hold the newest version of these or of all documents; publish first what is outdated.

        When the database cannot be read this raises, and holds what it held.
        """
        with self._refreshing:
            states = publisher.states(*paths)
            # First what others have stored: to build takes a while, and may fail with a full disk.
            self._take(states)
            for state in states:
                if not state.is_outdated():
                    continue
                if publisher.publish(state.spec) is not Outcome.SKIPPED:
                    # Each as soon as it is built: the next may take longer.
                    self._take(publisher.states(*paths))

    def _take(self, states: list[State]) -> None:
        looked_at = {state.spec.path: state.document for state in states}
        stored = {
            path: _identity(document)
            for path, document in looked_at.items()
            if document is not None and document.version
        }
        held = {path: _identity(entry) for path, entry in self.entries.items() if path in looked_at}
        if stored == held:
            return
        changed = [path for path in stored if stored[path] != held.get(path)]
        newer = Document.objects.published().filter(path__in=changed)
        gone = looked_at.keys() - stored.keys()
        kept = {path: entry for path, entry in self.entries.items() if path not in gone}
        self.entries = kept | {document.path: cached_document(document) for document in newer}

    # --- The thread -------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """True when a thread of this process keeps the documents new."""
        return self._thread is not None

    def start(self, prepare_thread: Callable[[], object] | None = None) -> None:
        """Start the thread, unless it runs; at the first request, so after any fork.

        `prepare_thread` is called in the thread before it reads the database.
        """
        with self._starting:
            if self._thread is None:
                self._started_at = time.monotonic()
                thread = threading.Thread(
                    target=self._poll, args=(prepare_thread,), name="documents", daemon=True
                )
                thread.start()
                self._thread = thread  # Not before: one that could not be started keeps nothing.

    def wait(self, path: str) -> None:
        """Return when the thread has looked and the document is there: others may be building it.

        Without it where the database cannot be read, or `STARTING_SECONDS` after the start.
        """
        left = self._started_at + STARTING_SECONDS - time.monotonic()
        with self._news:
            self._news.wait_for(
                lambda: self._has_looked and (path in self.entries or self._is_in_trouble),
                max(left, 0),
            )

    def stop(self) -> None:
        """End the thread and its database connection."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _poll(self, prepare_thread: Callable[[], object] | None) -> None:
        if prepare_thread:
            prepare_thread()
        interval = max(conf.get("VERSION_POLL_MS") / 1000, SHORTEST_POLL_SECONDS)
        try:
            while not self._stopped.is_set():
                self._look()
                with self._news:
                    self._has_looked = True
                    self._news.notify_all()
                self._stopped.wait(interval)
        finally:
            connections.close_all()

    def _look(self) -> None:
        try:
            self.refresh()
        except Exception as error:
            # Whatever it is, the thread must live: it is the only one that sees the end of it.
            connections.close_all()
            if not self._is_in_trouble:
                advice = conf.call("PUBLISHING_ERROR_HINT", error)
                logger.error(
                    "The documents cannot be refreshed; those at hand are served. %s (%r)",
                    advice or "The trace follows.",
                    error,
                    exc_info=not advice,
                )
            self._is_in_trouble = True
        else:
            if self._is_in_trouble:
                logger.info("The documents are refreshed again")
            self._is_in_trouble = False


def _identity(document: Document | CachedDocument) -> tuple[int, str, dt.datetime | None]:
    return document.version, document.digest, document.changed_at


cache = DocumentCache()
