"""Read published documents from this process's cache."""

from publishing.cache import cache
from publishing.registry import registry
from publishing.responses import CachedDocument

RETRY_AFTER_SECONDS = 5


class DocumentUnavailable(Exception):
    """Raised if a document is not published yet, or the database cannot be read."""


def get_document(path: str) -> CachedDocument:
    """Return the current version of a document. Raises `DocumentUnavailable`."""
    if cache.is_running:
        cache.wait(path)
    elif path in registry:
        cache.refresh(path)
    document = cache.entries.get(path)
    if document is None:
        raise DocumentUnavailable(f"{path} is not published.")
    return document


def sizes(*paths: str) -> dict[str, int]:
    """Lengths in bytes of the published ones of these documents."""
    if not cache.is_running:
        cache.refresh(*paths)
    entries = cache.entries
    return {path: len(entries[path].identity) for path in paths if path in entries}
