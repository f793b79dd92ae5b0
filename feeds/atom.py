"""The newest reviews as an Atom feed (RFC 4287)."""

import datetime as dt
import re
import xml.etree.ElementTree as ET

from django.conf import settings

from core.http.headers import HUB_PATH
from feeds.items import Item, newest_feed
from reviews.published_json import ALTERATIONS

ATOM = "http://www.w3.org/2005/Atom"

# XML 1.0, section 2.2, forbids these characters even if they are escaped.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def build(changed_at: dt.datetime) -> bytes:
    """Build `/feed.xml`, which is well-formed for any content of reviews."""
    feed = newest_feed()
    topic = f"{settings.BASE_URL}/feed.xml"
    root = ET.Element("feed", {"xmlns": ATOM, "xml:lang": feed.language})
    _text(root, "id", topic)
    _text(root, "title", feed.title)
    _text(root, "subtitle", feed.description)
    # Simultaneous changes get distinct times, up to a minute later.
    updated = max([changed_at, *(item.modified_at for item in feed.items)])
    _text(root, "updated", _instant(updated))
    _text(ET.SubElement(root, "author"), "name", feed.author)
    _link(root, "self", topic, "application/atom+xml")
    _link(root, "hub", f"{settings.BASE_URL}{HUB_PATH}")
    _link(root, "alternate", feed.home_page_url, "text/html")
    if feed.icon:
        _text(root, "logo", feed.icon)
    for item in feed.items:
        _entry(root, item)
    document: bytes = ET.tostring(root, "utf-8", xml_declaration=True)
    return document


def _entry(root: ET.Element, item: Item) -> None:
    review = item.review
    entry = ET.SubElement(root, "entry")
    _text(entry, "id", item.url)
    _text(entry, "title", item.title)
    _text(entry, "updated", _instant(item.modified_at))
    _text(entry, "published", item.published_at.isoformat())
    _text(ET.SubElement(entry, "author"), "name", review.public_author)
    _text(entry, "content", item.content, {"type": "text"})
    _link(entry, "alternate", item.url, "text/html")
    if review.source_url:
        _link(entry, "via", review.source_url)
    stars = {"term": str(review.rating), "scheme": f"{settings.BASE_URL}/developers#rating"}
    ET.SubElement(entry, "category", stars)
    if review.alteration:
        mark = {"term": ALTERATIONS[review.alteration], "scheme": f"{settings.BASE_URL}/developers"}
        ET.SubElement(entry, "category", mark)
    for service in item.services:
        ET.SubElement(
            entry,
            "category",
            {
                "term": service.slug,
                "scheme": f"{settings.BASE_URL}/developers#service",
                "label": _xml(service.label),
            },
        )


def _text(
    parent: ET.Element, tag: str, text: str, attributes: dict[str, str] | None = None
) -> None:
    ET.SubElement(parent, tag, attributes or {}).text = _xml(text)


def _link(parent: ET.Element, relation: str, href: str, media_type: str = "") -> None:
    link = {"rel": relation, "href": _xml(href)}
    ET.SubElement(parent, "link", link | ({"type": media_type} if media_type else {}))


def _xml(text: str) -> str:
    return NOT_XML.sub("", text)


def _instant(at: dt.datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")
