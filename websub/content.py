"""What subscribers get: the version that each topic has by now, and its bytes."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from publishing.models import Document
from websub import conf
from websub.protocol import link_header


@dataclass(frozen=True, slots=True)
class TopicContent:
    """The newest bytes of a topic as they are sent."""

    topic: str
    version: int
    body: bytes
    headers: Mapping[str, str]
    read_at: float  # On the monotonic clock.
    smaller_topic: str = ""  # A bounded feed, where this topic grows with every review.


def published_versions() -> dict[str, int]:
    """The current version of each topic that has one."""
    paths = {resource.path: topic for topic, resource in conf.topics().items()}
    documents = Document.objects.published().filter(path__in=paths)
    return {paths[path]: version for path, version in documents.values_list("path", "version")}


def load_content(topic: str) -> TopicContent:
    """The topic's newest version with its bytes, read together."""
    resource = conf.topics()[topic]
    read_at = time.monotonic()
    document = Document.objects.only("version", "gzip").get(path=resource.path)
    headers = {"Content-Type": resource.media_type, "Link": link_header(conf.hub_url(), topic)}
    smaller = next((url for url, other in conf.topics().items() if other.is_bounded), "")
    return TopicContent(
        topic,
        document.version,
        document.identity,
        headers,
        read_at,
        smaller_topic="" if resource.is_bounded else smaller,
    )
