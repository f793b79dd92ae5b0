"""The document `/insights.json`, its members for pages and tools, and the reviews behind them."""

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

TEXTS = frozenset({"faq", "summary", "pull_quote"})  # Members that are sentences.

_members: tuple[object, dict[str, Any]] = (None, {})  # Of the version that was parsed last.


def insights() -> dict[str, Any]:
    """`/insights.json` without `per_review`. Raises `DocumentUnavailable`."""
    return insights_and_bytes()[0]


def insights_in(language: str) -> dict[str, Any]:
    """The same with its texts in a language; in English where there are none in that."""
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
    """The same, and the document of which it is a part: both of one version."""
    global _members  # noqa: PLW0603  (replaced as a whole, so that a reader needs no lock)
    current = get_document(DOCUMENT.path)
    held, members = _members
    if held is not current:
        # Parsed, `per_review` would take more memory than everything else in the process.
        members = orjson.loads(without_evidence(current.identity))
        _members = (current, members)
    return members, current.identity


# --- The reviews behind a figure ------------------------------------------------------------------


# None of these can occur inside a JSON string, where every quotation mark follows a backslash.
_BEFORE = b',"per_review":{'
_BEHIND = b'},"faq":['
_ENTRY = b'":{"sentiment":{'  # Behind the id of a review.
_ID_LENGTH = 26
_BETWEEN = len(',"')  # An entry and the next id.


def without_evidence(document: bytes) -> bytes:
    """The document without `per_review`."""
    end = document.rindex(_BEHIND)
    return document[: document.index(_BEFORE)] + document[end + len("}") :]


def evidence(
    document: bytes, kind: str, subject: str, label: str = "", after: str = ""
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The reviews that speak of a subject, newest first: their ids and entries in `per_review`.

    `kind` is one of the lists in an entry (`aspects`, `technicians`, ...), `label` what the reviews
    say of an aspect, `after` the id of the review that they follow. Raises `LookupError` where that
    has no entry.

    The bytes are searched, and no more entries read than are taken: to parse those of 100,000
    reviews takes a second.
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
    """Bytes that an entry holds once if it mentions the subject."""
    wanted = re.escape(subject.encode())
    if kind == "aspects":
        return re.compile(b'{"id":"%b","label":"%b' % (wanted, re.escape(label.encode())))
    return re.compile(rb'"%b":\[(?:"[^"]*",)*"%b"' % (re.escape(kind.encode()), wanted))
