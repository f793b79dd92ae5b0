"""Reviews that are posted to an address of ours: by Zapier, Make, n8n, IFTTT, webhooks, scripts."""

from collections.abc import Mapping
from typing import ClassVar
from urllib.parse import parse_qsl

import orjson

from sources.failures import PushRefused
from sources.kinds.protocol import Fetched, Kind, KindForm, Push

MAX_FORM_FIELDS = 200


class PushForm(KindForm):
    """No settings: the address is all that the sender needs."""

    secret_fields: ClassVar[tuple[str, ...]] = ()


def as_file(push: Push) -> tuple[bytes, str]:
    """The body as a file that the importer reads, and its name; raises `PushRefused`.

    A form becomes one JSON object. The content says what it is, whatever its declared type.
    """
    body = push.body.strip()
    if not body:
        raise PushRefused(422, "The body is empty. Send JSON, JSON Lines, CSV or a form.")
    if body[:2] in {b"PK", b"\xd0\xcf"}:
        raise PushRefused(
            415, "Workbooks and archives are not taken here. Send JSON, JSON Lines, CSV or a form."
        )
    declared = push.headers.get("content-type", "").partition(";")[0].strip().lower()
    if declared == "application/x-www-form-urlencoded" and body[:1] not in {b"{", b"["}:
        return orjson.dumps(_form(body)), "push.json"
    return push.body, "push.json" if body[:1] in {b"{", b"["} else "push.csv"


def _form(body: bytes) -> Mapping[str, str]:
    try:
        pairs = parse_qsl(
            body.decode(),
            keep_blank_values=True,
            max_num_fields=MAX_FORM_FIELDS,
            strict_parsing=True,
        )
    except (UnicodeDecodeError, ValueError):
        raise PushRefused(
            422, "The form cannot be read: write it as name=value&name=value in UTF-8."
        ) from None
    return dict(pairs)


def receive(push: Push) -> Fetched:
    """The body as it came; it is imported even when it came before."""
    content, name = as_file(push)
    return Fetched(content, file_name=name, is_always_new=True)


KIND = Kind(
    name="push",
    label="Address to send reviews to",
    form=PushForm,
    terms="Send only reviews that you may publish.",
    help="Zapier, Make, n8n, IFTTT, the webhooks of Judge.me, Yext, Partoo, Trustpilot and "
    "DataForSEO, or a script of your own post reviews to this source's address.",
    receive=receive,
)
