"""The documents `/api/feed.json` and `/feed.xml`."""

from functools import partial

from django.utils.translation import gettext_noop

from core.source_digest import source_digest
from feeds import atom, json_feed
from publishing.registry import ATOM, JSON, DocumentSpec, registry
from reviews.documents import read_revision

FEED_CODE = partial(source_digest, "feeds", "reviews")

JSON_FEED = registry.register(
    DocumentSpec(
        path="/api/feed.json",
        media_type=JSON,
        build=json_feed.build,
        revision=read_revision,
        name="json-feed",
        title=gettext_noop("JSON Feed"),
        description=gettext_noop("The 50 newest reviews as JSON Feed 1.1."),
        is_topic=True,
        is_bounded=True,
        fingerprint=FEED_CODE,
    )
)
ATOM_FEED = registry.register(
    DocumentSpec(
        path="/feed.xml",
        media_type=ATOM,
        build=atom.build,
        revision=read_revision,
        name="atom-feed",
        title=gettext_noop("Atom feed"),
        description=gettext_noop("The 50 newest reviews as Atom."),
        is_topic=True,
        is_bounded=True,
        fingerprint=FEED_CODE,
    )
)
