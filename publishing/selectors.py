"""Read published documents, from this process's memory where a thread keeps that new."""

from collections.abc import Iterable

from publishing.cache import cache
from publishing.responses import CachedDocument

RETRY_AFTER_SECONDS = 5


class DocumentUnavailable(Exception):
    """The document is not published yet, or the database cannot be read."""


def get_document(path: str) -> CachedDocument:
    """The current version of a document. Raises `DocumentUnavailable`."""
    if cache.is_running:
        cache.wait(path)
    else:
        cache.refresh()
    document = cache.entries.get(path)
    if document is None:
        raise DocumentUnavailable(f"{path} is not published.")
    return document


def sizes(paths: Iterable[str]) -> dict[str, int]:
    """The length in bytes of each of the documents that is published."""
    if not cache.is_running:
        cache.refresh()
    entries = cache.entries
    return {path: len(entries[path].identity) for path in paths if path in entries}
