"""Topics of the project, with their versions and content."""

import datetime as dt
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from django.db import DatabaseError

from websub import conf
from websub.protocol import link_header

logger = logging.getLogger(__name__)


class Topic(Protocol):
    """A URL whose content subscribers follow; README.md explains the contract."""

    @property
    def url(self) -> str: ...
    @property
    def media_type(self) -> str: ...
    def version(self) -> int: ...
    def content(self) -> tuple[int, bytes]: ...


@dataclass(frozen=True, slots=True)
class TopicContent:
    """Newest content of a topic, with the headers of its deliveries."""

    topic: str
    version: int
    body: bytes
    headers: Mapping[str, str]
    read_at: float  # On the monotonic clock.


def topics() -> dict[str, Topic]:
    """Return the project's topics by URL."""
    if not conf.get("WEBSUB_TOPICS"):
        return {}
    return {topic.url: topic for topic in conf.imported("WEBSUB_TOPICS")()}


def refresh(url: str = "") -> None:
    """Call `refresh()` of one topic or of all, if they have that method."""
    found = topics()
    for topic in [found[url]] if url else found.values():
        try:
            getattr(topic, "refresh", bool)()
        except DatabaseError:
            raise
        except Exception:
            logger.exception("%s cannot be rendered, and stays as it was", topic.url)


def versions() -> dict[str, int]:
    """Return the current version of each topic that has content."""
    found = {url: current_version(topic) for url, topic in topics().items()}
    return {url: version for url, version in found.items() if version}


def current_version(topic: Topic) -> int:
    """Return the topic's version; log an error and return 0 if reading it fails."""
    try:
        return topic.version()
    except DatabaseError:
        raise
    except Exception:
        logger.exception("The version of %s cannot be read", topic.url)
        return 0


def changed_at(topic: Topic) -> dt.datetime | None:
    """Return the time of the topic's newest version, if the topic provides it."""
    read = getattr(topic, "changed_at", None)
    at: dt.datetime | None = read() if read else None
    return at


def load_content(url: str) -> TopicContent:
    """Load the topic's newest version and its bytes, read together."""
    topic = topics()[url]
    read_at = time.monotonic()
    version, body = topic.content()
    headers = {"Content-Type": topic.media_type, "Link": link_header(conf.hub_url(), url)}
    return TopicContent(url, version, body, headers, read_at)
