"""Feeds of `django.contrib.syndication` as topics, with stored versions."""

import datetime as dt
import hashlib
import re
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

from django.contrib.syndication.views import Feed
from django.core.handlers.wsgi import WSGIRequest
from django.db import transaction

from websub import clock
from websub.models import StoredContent

# The feed's own date, for which Django writes the current time if no item has a date.
_FEED_DATE = re.compile(rb"<(lastBuildDate|updated)>[^<]*</\1>")


class FeedTopic:
    """A feed at a URL. Further arguments are those of its URL pattern."""

    def __init__(self, feed: "Feed[Any, Any]", url: str, *args: Any, **kwargs: Any) -> None:
        self.url = url
        self._feed = feed
        self._arguments = args, kwargs

    @property
    def media_type(self) -> str:
        kind: Any = self._feed.feed_type
        return str(kind.content_type)

    def version(self) -> int:
        # The first subscription needs a stored version, since it gets only later changes.
        return self._column("version") or self.refresh()

    def changed_at(self) -> dt.datetime | None:
        at: dt.datetime | None = self._column("changed_at")
        return at

    def content(self) -> tuple[int, bytes]:
        stored = StoredContent.objects.get(url=self.url)
        return stored.version, bytes(stored.body)

    @transaction.atomic
    def refresh(self) -> int:
        """Render the feed and store a changed one; return the newest version."""
        StoredContent.objects.get_or_create(url=self.url)
        # Rendered under the lock, so that older content never replaces newer content.
        stored = StoredContent.objects.select_for_update().get(url=self.url)
        body = self._render()
        digest = hashlib.sha256(_FEED_DATE.sub(b"", body, count=1)).hexdigest()
        if digest != stored.digest:
            stored.version += 1
            stored.digest, stored.body, stored.changed_at = digest, body, clock.now()
            stored.save()
        return stored.version

    def _render(self) -> bytes:
        parts = urlsplit(self.url)
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": unquote_to_bytes(parts.path).decode("latin-1"),
            "QUERY_STRING": parts.query,
            "HTTP_HOST": parts.netloc,
            "SERVER_NAME": parts.hostname,
            "SERVER_PORT": str(parts.port or (443 if parts.scheme == "https" else 80)),
            "wsgi.url_scheme": parts.scheme,
            "wsgi.input": BytesIO(),
        }
        args, kwargs = self._arguments
        return self._feed(WSGIRequest(environ), *args, **kwargs).content

    def _column(self, name: str) -> Any:
        return StoredContent.objects.filter(url=self.url).values_list(name, flat=True).first()
