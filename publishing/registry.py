"""The registry of published documents: what is served, where, and how it is built."""

import datetime as dt
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.core.exceptions import ImproperlyConfigured

from publishing import conf

JSON = "application/json"
ATOM = "application/atom+xml"
CSV = "text/csv; charset=utf-8"


class RevisionState(NamedTuple):
    """The number of the last change of some data, and its time."""

    number: int
    changed_at: dt.datetime


Build = Callable[[dt.datetime], bytes]
ReadRevision = Callable[[], RevisionState | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSpec:
    """A document that is published at a path.

    `build` is a pure function of the rows and of the time that it is to name as the time of their
    last change: same rows and same time, same bytes. `revision` counts the changes of the rows: a
    name for `Revision.raise_`, or a callable that reads a counter of the app; None for a document
    that no row changes. `fingerprint` tells of anything else that shapes the bytes, as a hash of
    code does: where it differs from the stored one, the document is built again and compared.
    """

    path: str
    media_type: str
    build: Build
    revision: str | ReadRevision | None
    name: str  # A short identifier.
    title: str
    description: str = ""
    is_topic: bool = False  # Can be followed at a hub.
    is_bounded: bool = False  # Holds the newest entries alone, so that its size does not grow.
    fingerprint: Callable[[], str] = str

    @property
    def url(self) -> str:
        return f"{conf.get('BASE_URL')}{self.path}"

    def full_fingerprint(self) -> str:
        """A hash of everything beside the rows that shapes the bytes; the address is part of it."""
        shapes = f"{conf.get('BASE_URL')}\n{self.fingerprint()}"
        return hashlib.sha256(shapes.encode()).hexdigest()


class Registry:
    """The registered documents by their path."""

    def __init__(self) -> None:
        self._specs: dict[str, DocumentSpec] = {}

    def register(self, spec: DocumentSpec) -> DocumentSpec:
        """Publish this document from now on. Raises `ImproperlyConfigured` for a path in use."""
        if spec.path in self._specs:
            raise ImproperlyConfigured(f"Two documents are registered at {spec.path}.")
        self._specs[spec.path] = spec
        return spec

    def get(self, path: str) -> DocumentSpec | None:
        return self._specs.get(path)

    def __getitem__(self, path: str) -> DocumentSpec:
        return self._specs[path]

    def __contains__(self, path: object) -> bool:
        return path in self._specs

    def __iter__(self) -> Iterator[DocumentSpec]:
        """The documents in the order of their registration."""
        return iter(list(self._specs.values()))

    def small_first(self) -> list[DocumentSpec]:
        """The same with bounded documents first: they are published while the others are built."""
        return sorted(self, key=lambda spec: not spec.is_bounded)


registry = Registry()
