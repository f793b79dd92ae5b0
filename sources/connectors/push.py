"""Take pushed reviews from Zapier, Make, n8n, IFTTT, webhooks and scripts."""

import json
from typing import Any
from urllib.parse import parse_qsl

from django.utils.translation import gettext_lazy as _

from core.http.request_body import BodyRefused
from review_exports.readers.json_items import items_of
from sources.client import JsonRefused, parse_json
from sources.connectors.protocol import Connector, Fetched, Push

MAX_FORM_FIELDS = 200
WORKBOOKS = frozenset({b"PK", b"\xd0\xcf"})  # The first bytes of workbooks and archives.
NOT_TAKEN = "Workbooks and archives are not taken here. Send JSON, JSON Lines, CSV or a form."


def _form_as_json(body: bytes) -> bytes:
    """Convert a form to one JSON object."""
    try:
        pairs = parse_qsl(
            body.decode(),
            keep_blank_values=True,
            max_num_fields=MAX_FORM_FIELDS,
            strict_parsing=True,
            errors="strict",
        )
    except ValueError:
        raise BodyRefused(
            422, "The form cannot be read: write it as name=value&name=value in UTF-8."
        ) from None
    return json.dumps(dict(pairs)).encode()


def _split_deletions(content: bytes) -> tuple[bytes, list[str]]:
    """Return the content without deletion events, and the ids of the deleted reviews.

    Trustpilot, Yext and Partoo send such events. The content is empty if nothing else is left.
    """
    try:
        document = parse_json(content)
    except JsonRefused:
        return content, []
    items = list(items_of(document))
    deleted_ids = [_review_id(item) for item in items if _is_deletion(item)]
    if not deleted_ids:
        return content, []
    others = [item for item in items if not _is_deletion(item)]
    return json.dumps(others).encode() if others else b"", deleted_ids


def _is_deletion(item: Any) -> bool:
    if not isinstance(item, dict) or not _review_id(item):
        return False
    meta = item.get("meta")
    event = item.get("eventName") or (meta.get("eventType") if isinstance(meta, dict) else None)
    return str(event or "").casefold().endswith("deleted") or bool(item.get("delete_date"))


def _review_id(item: dict[str, Any]) -> str:
    review = item.get("review")
    found = (review if isinstance(review, dict) else item).get("id")
    return str(found) if isinstance(found, str | int) else ""


def receive(push: Push) -> Fetched:
    """Return the body as a file, which is imported even if it is the same as last time.

    A form becomes one JSON object. The type follows from the content rather than from
    `Content-Type`.
    """
    content = push.raw_body if push.body is None else push.body
    start = content.lstrip()[:2]
    if start in WORKBOOKS:
        raise BodyRefused(415, NOT_TAKEN)
    if push.body is None:
        return Fetched(content, file_name="push", is_always_new=True)
    if not start:
        raise BodyRefused(422, "The body is empty. Send JSON, JSON Lines, CSV or a form.")
    declared = push.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_json = start[:1] in {b"{", b"["}
    if declared == "application/x-www-form-urlencoded" and not is_json:
        content, is_json = _form_as_json(content.strip()), True
    content, deleted_ids = _split_deletions(content)
    name = "push.json" if is_json else "push.csv"
    return Fetched(content, file_name=name, is_always_new=True, deleted_ids=deleted_ids)


CONNECTOR = Connector(
    name="push",
    label=_("Address to send reviews to"),
    terms=_("Send only reviews that you may publish."),
    help=_(
        "Zapier, Make, n8n, IFTTT, the webhooks of Judge.me, Yext, Partoo, Trustpilot and "
        "DataForSEO, or a script of your own post reviews to this source's address."
    ),
    receive=receive,
)
