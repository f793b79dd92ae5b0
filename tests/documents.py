"""Replace registered documents in tests."""

from collections.abc import Iterator
from contextlib import contextmanager

from publishing.registry import DocumentSpec, registry


@contextmanager
def replace_document(spec: DocumentSpec) -> Iterator[None]:
    """Serve this document at its path instead of the registered one."""
    before = registry[spec.path]
    registry._specs[spec.path] = spec
    try:
        yield
    finally:
        registry._specs[spec.path] = before


def registered_paths() -> list[str]:
    return [spec.path for spec in registry]
