"""Serve `/insights.json`, its members for pages and tools, and the reviews behind a figure."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import orjson
from django.conf import settings
from django.utils.translation import gettext_noop

from core.source_digest import source_digest
from insights import dataset
from insights.models import Artifact
from publishing.registry import JSON, DocumentSpec, registry
from publishing.selectors import get_document
from reviews.models import Revision

DOCUMENT = registry.register(
    DocumentSpec(
        path="/insights.json",
        media_type=JSON,
        build=dataset.build,
        revision=partial(Revision.objects.state, Revision.INSIGHTS),
        name="insights",
        title=gettext_noop("Insights"),
        description=gettext_noop(
            "What the reviews say, in numbers, with the evidence for each of them."
        ),
        fingerprint=partial(source_digest, "insights/dataset.py"),
    )
)

TEXTS = frozenset({"faq", "summary", "pull_quote"})  # Translated members.

_members: tuple[object, dict[str, Any]] = (None, {})  # The document that was parsed last.


def insights() -> dict[str, Any]:
    """Return `/insights.json` without `per_review`. Raises `DocumentUnavailable`."""
    return insights_and_bytes()[0]


def insights_in(language: str) -> dict[str, Any]:
    """Return the same with texts in a language, or in the default language if there are none."""
    known = insights()
    if language == settings.LANGUAGE_CODE:
        return known
    artifact = Artifact.objects.only("texts").first()
    translated: dict[str, dict[str, Any]] = artifact.texts.get("translated", {}) if artifact else {}
    texts = translated.get(language)
    if not texts:
        return known
    return {key: each for key, each in known.items() if key not in TEXTS} | texts


def insights_and_bytes() -> tuple[dict[str, Any], bytes]:
    """Return the same with the bytes of the whole document, of one version."""
    global _members  # noqa: PLW0603  (Replaced as a whole, so readers need no lock.)
    current = get_document(DOCUMENT.path)
    held, members = _members
    if held is not current:
        # Parsed, `per_review` would take most of the process's memory.
        members = orjson.loads(without_evidence(current.identity))
        _members = (current, members)
    return members, current.identity


# --- The reviews behind a figure ------------------------------------------------------------------


# These cannot occur inside a JSON string, where a backslash precedes every quotation mark.
_BEFORE = b',"per_review":{'
_BEHIND = b'},"faq":['
_ENTRY = b'":{"sentiment":{'  # Follows the id of a review.
_ID_LENGTH = 26
_BETWEEN = len(',"')  # Between an entry and the next id.


def without_evidence(document: bytes) -> bytes:
    """Return the document without `per_review`."""
    end = document.rindex(_BEHIND)
    return document[: document.index(_BEFORE)] + document[end + len("}") :]


def evidence(
    document: bytes, kind: str, subject: str, label: str = "", after: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield ids and `per_review` entries of reviews that mention a subject, newest first.

    `kind` is a list in an entry (`aspects`, `technicians`, ...), `label` the opinion on an aspect,
    and `after` the id of the last review of the previous page. Raises `LookupError` if that review
    has no entry.

    The function searches the bytes and parses only the entries that the caller takes, because
    parsing 100,000 takes a second.
    """
    start, end = document.index(_BEFORE), document.rindex(_BEHIND)
    if after:
        found = document.find(b'"%b%b' % (after.encode(), _ENTRY), start, end)
        if found < 0:
            raise LookupError(after)
        following = document.find(_ENTRY, found + _ID_LENGTH + len(_ENTRY), end)
        start = following if following >= 0 else end
    for mention in _mentions(kind, subject, label).finditer(document, start, end):
        behind_id = document.rfind(_ENTRY, start, mention.start())
        behind_next = document.find(_ENTRY, mention.end(), end)
        entry_end = behind_next - _ID_LENGTH - _BETWEEN if behind_next >= 0 else end
        ulid = document[behind_id - _ID_LENGTH : behind_id].decode()
        yield ulid, orjson.loads(document[behind_id + len('":') : entry_end])


def _mentions(kind: str, subject: str, label: str) -> re.Pattern[bytes]:
    """Pattern that matches once in an entry that mentions the subject."""
    wanted = re.escape(subject.encode())
    if kind == "aspects":
        return re.compile(b'{"id":"%b","label":"%b' % (wanted, re.escape(label.encode())))
    return re.compile(rb'"%b":\[(?:"[^"]*",)*"%b"' % (re.escape(kind.encode()), wanted))
