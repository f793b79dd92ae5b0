"""Serve documents of `publishing` as topics.

WEBSUB_TOPICS = "websub.documents.document_topics"
"""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.dispatch import receiver

import websub
from publishing.models import Document
from publishing.registry import DocumentSpec, registry
from publishing.signals import document_published
from websub.topics import topics


@dataclass(frozen=True, slots=True)
class DocumentTopic:
    """A published document as a topic."""

    spec: DocumentSpec

    @property
    def url(self) -> str:
        return self.spec.url

    @property
    def media_type(self) -> str:
        return self.spec.media_type

    def version(self) -> int:
        return self._column("version") or 0

    def changed_at(self) -> dt.datetime | None:
        at: dt.datetime | None = self._column("changed_at")
        return at

    def content(self) -> tuple[int, bytes]:
        document = Document.objects.only("version", "gzip").get(path=self.spec.path)
        return document.version, document.identity

    def _column(self, name: str) -> Any:
        documents = Document.objects.filter(path=self.spec.path)
        return documents.values_list(name, flat=True).first()


def document_topics() -> list[DocumentTopic]:
    """Return the topics of all documents with `is_topic`, the smallest first."""
    return [DocumentTopic(spec) for spec in registry.small_first() if spec.is_topic]


@receiver(document_published)
def notify_subscribers(*, path: str, **kwargs: Any) -> None:
    spec = registry.get(path)
    if spec and spec.url in topics():
        websub.notify(spec.url)
