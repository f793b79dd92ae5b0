"""Registry of the published documents."""

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
    """Number and time of the last change of some data."""

    number: int
    changed_at: dt.datetime


Build = Callable[[dt.datetime], bytes]
ReadRevision = Callable[[], RevisionState | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSpec:
    """A document that is published at a path.

    `build` takes the time of the last change, and depends on nothing but the rows and this time.
    `revision` counts the changes of the rows: a name for `Revision.raise_`, or a function that
    reads a counter of the app; None if no row changes the document. `fingerprint` identifies
    everything else that affects the bytes, such as code: if it changes, the document is built
    again.
    """

    path: str
    media_type: str
    build: Build
    revision: str | ReadRevision | None
    name: str  # A short identifier.
    title: str
    description: str = ""
    is_topic: bool = False  # Whether it is a WebSub topic.
    is_bounded: bool = False  # Whether it holds only the newest entries.
    fingerprint: Callable[[], str] = str

    @property
    def url(self) -> str:
        return f"{conf.get('BASE_URL')}{self.path}"

    def full_fingerprint(self) -> str:
        """Hash of the fingerprint and the public address."""
        described = f"{conf.get('BASE_URL')}\n{self.fingerprint()}"
        return hashlib.sha256(described.encode()).hexdigest()


class Registry:
    """Registered documents by path, in the order of their registration."""

    def __init__(self) -> None:
        self._specs: dict[str, DocumentSpec] = {}

    def register(self, spec: DocumentSpec) -> DocumentSpec:
        """Register a document. Raises `ImproperlyConfigured` for a path in use."""
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
        return iter(list(self._specs.values()))

    def small_first(self) -> list[DocumentSpec]:
        """Documents with bounded ones first, since they are built fast."""
        return sorted(self, key=lambda spec: not spec.is_bounded)


registry = Registry()
