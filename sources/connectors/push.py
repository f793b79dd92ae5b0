"""Reviews that are posted to an address of ours: by Zapier, Make, n8n, IFTTT, webhooks, scripts."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar
from urllib.parse import parse_qsl

from review_exports.readers.json_items import items_of
from sources.client import JsonRefused, parse_json
from sources.connectors.protocol import Connector, ConnectorForm, Fetched, Push
from sources.failures import PushRefused

MAX_FORM_FIELDS = 200
WORKBOOKS = frozenset({b"PK", b"\xd0\xcf"})  # The first bytes of these, and of archives.
NOT_TAKEN = "Workbooks and archives are not taken here. Send JSON, JSON Lines, CSV or a form."


class PushForm(ConnectorForm):
    """No settings: the address is all that the sender needs."""

    secret_fields: ClassVar[tuple[str, ...]] = ()


def as_file(push: Push, given: bytes) -> tuple[bytes, str]:
    """The body as a file that the importer reads, and its name; raises `PushRefused`.

    A form becomes one JSON object. The content says what it is, whatever its declared type.
    """
    body = given.strip()
    if not body:
        raise PushRefused(422, "The body is empty. Send JSON, JSON Lines, CSV or a form.")
    declared = push.headers.get("content-type", "").partition(";")[0].strip().lower()
    if declared == "application/x-www-form-urlencoded" and body[:1] not in {b"{", b"["}:
        return json.dumps(_form(body)).encode(), "push.json"
    return given, "push.json" if body[:1] in {b"{", b"["} else "push.csv"


def _form(body: bytes) -> Mapping[str, str]:
    try:
        pairs = parse_qsl(
            body.decode(),
            keep_blank_values=True,
            max_num_fields=MAX_FORM_FIELDS,
            strict_parsing=True,
            errors="strict",
        )
    except (UnicodeDecodeError, ValueError):
        raise PushRefused(
            422, "The form cannot be read: write it as name=value&name=value in UTF-8."
        ) from None
    return dict(pairs)


def without_deletions(content: bytes) -> tuple[bytes, list[str]]:
    """Content without its events of deletion, and the ids that these name.

    Trustpilot, Yext and Partoo send such events. The content is empty where nothing else is left.
    """
    try:
        document = parse_json(content)
    except JsonRefused:
        return content, []
    items = list(items_of(document))
    deletions = list(filter(_is_deletion, items))
    if not deletions:
        return content, []
    others = [item for item in items if not _is_deletion(item)]
    return json.dumps(others).encode() if others else b"", [_review_id(one) for one in deletions]


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
    """The body as it came; it is imported even when it came before."""
    if (push.body or push.raw_body).lstrip()[:2] in WORKBOOKS:
        raise PushRefused(415, NOT_TAKEN)
    if push.body is None:
        return Fetched(push.raw_body, file_name="push", is_always_new=True)
    content, name = as_file(push, push.body)
    content, deleted_ids = without_deletions(content)
    return Fetched(content, file_name=name, is_always_new=True, deleted_ids=deleted_ids)


CONNECTOR = Connector(
    name="push",
    label="Address to send reviews to",
    form=PushForm,
    terms="Send only reviews that you may publish.",
    help="Zapier, Make, n8n, IFTTT, the webhooks of Judge.me, Yext, Partoo, Trustpilot and "
    "DataForSEO, or a script of your own post reviews to this source's address.",
    receive=receive,
)
