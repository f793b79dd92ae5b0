"""Cache of the published documents in a process, and the thread that refreshes it."""

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

MIN_POLL_SECONDS = 0.01
STARTUP_SECONDS = 10  # How long the first requests of a process may wait for a document.


class DocumentCache:
    """Cache of documents. `entries` is replaced as a whole, so that readers need no lock."""

    def __init__(self) -> None:
        self.entries: Mapping[str, CachedDocument] = {}
        self._refreshing = threading.Lock()
        self._starting = threading.Lock()
        self._polled = threading.Condition()
        self._has_polled = False
        self._started_at = 0.0
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._is_failing = False

    def refresh(self, *paths: str) -> None:
        """Publish outdated documents of these or all paths, and load the newest versions.

        Raises database errors, and keeps the entries then.
        """
        with self._refreshing:
            states = publisher.states(*paths)
            # First load stored versions: building takes a while, and may fail with a full disk.
            self._load(states)
            for state in states:
                if not state.is_outdated():
                    continue
                if publisher.publish(state.spec) is not Outcome.SKIPPED:
                    # Load each document as soon as it is built: the next one may take longer.
                    self._load(publisher.states(*paths))

    def _load(self, states: list[State]) -> None:
        checked = {state.spec.path: state.document for state in states}
        stored = {
            path: _identity(document)
            for path, document in checked.items()
            if document is not None and document.version
        }
        cached = {path: _identity(entry) for path, entry in self.entries.items() if path in checked}
        if stored == cached:
            return
        changed = [path for path in stored if stored[path] != cached.get(path)]
        newer = Document.objects.published().filter(path__in=changed)
        gone = checked.keys() - stored.keys()
        kept = {path: entry for path, entry in self.entries.items() if path not in gone}
        self.entries = kept | {document.path: cached_document(document) for document in newer}

    # --- The thread -------------------------------------------------------------------------------

    @property
    def is_running(self) -> bool:
        """Whether a thread of this process refreshes the documents."""
        return self._thread is not None

    def start(self, prepare_thread: Callable[[], object] | None = None) -> None:
        """Start the thread if it does not run; call this after any fork.

        The thread calls `prepare_thread` before it reads the database.
        """
        with self._starting:
            if self._thread is None:
                self._started_at = time.monotonic()
                thread = threading.Thread(
                    target=self._poll, args=(prepare_thread,), name="documents", daemon=True
                )
                thread.start()
                self._thread = thread  # Only after `start`, which may raise.

    def wait(self, path: str) -> None:
        """Wait until the thread has loaded the document, which another process may be building.

        Return without the document if the database cannot be read, or `STARTUP_SECONDS` after the
        start.
        """
        left = self._started_at + STARTUP_SECONDS - time.monotonic()
        with self._polled:
            self._polled.wait_for(
                lambda: self._has_polled and (path in self.entries or self._is_failing),
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
        interval = max(conf.get("VERSION_POLL_MS") / 1000, MIN_POLL_SECONDS)
        try:
            while not self._stopped.is_set():
                self._poll_once()
                with self._polled:
                    self._has_polled = True
                    self._polled.notify_all()
                self._stopped.wait(interval)
        finally:
            connections.close_all()

    def _poll_once(self) -> None:
        try:
            self.refresh()
        except Exception as error:
            # The thread must survive any error, to notice when the error is gone.
            connections.close_all()
            if not self._is_failing:
                advice = conf.call("PUBLISHING_ERROR_HINT", error)
                logger.error(
                    "The documents cannot be refreshed; those at hand are served. %s (%r)",
                    advice or "The trace follows.",
                    error,
                    exc_info=not advice,
                )
            self._is_failing = True
        else:
            if self._is_failing:
                logger.info("The documents are refreshed again")
            self._is_failing = False


def _identity(document: Document | CachedDocument) -> tuple[int, str, dt.datetime | None]:
    return document.version, document.digest, document.changed_at


cache = DocumentCache()
