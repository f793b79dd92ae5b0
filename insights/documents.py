"""The document `/insights.json`, and its members for pages and tools."""

from functools import partial
from typing import Any

import orjson

from core.source_digest import source_digest
from insights import dataset
from insights.evidence import without_evidence
from publishing.registry import JSON, DocumentSpec, RevisionState, registry
from publishing.selectors import get_document
from reviews.models import Revision


def read_revision() -> RevisionState | None:
    """The last change of the dataset; None before the first."""
    return Revision.objects.state(Revision.INSIGHTS)


DOCUMENT = registry.register(
    DocumentSpec(
        path="/insights.json",
        media_type=JSON,
        build=dataset.build,
        revision=read_revision,
        name="insights",
        title="Insights",
        description="What the reviews say, in numbers, with the evidence for each of them.",
        fingerprint=partial(source_digest, "insights/dataset.py"),
    )
)

_members: tuple[object, dict[str, Any]] = (None, {})  # Of the version that was parsed last.


def insights() -> dict[str, Any]:
    """`/insights.json` without `per_review`. Raises `DocumentUnavailable`."""
    return insights_and_bytes()[0]


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
