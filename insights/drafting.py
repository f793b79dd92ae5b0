"""Drafts of the published texts by an analyser that can write, as a language model can."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from insights import selectors
from insights.analysers import Rewording
from insights.drafts import automatic_text, unsupported_claims
from insights.models import Artifact, InsightText

Key = tuple[str, str]  # Kind and slug.
Source = InsightText.Source


def draft_texts() -> None:
    """Have summary and answers reworded where no draft fits any more.

    What an administrator has decided about is left alone. A draft that tells what its text does not
    tell waits for an administrator; see `insights.drafts.doubts`.
    """
    analyser = selectors.analyser()
    artifact = Artifact.objects.only("texts").first()
    if not isinstance(analyser, Rewording) or artifact is None:
        return
    texts = _automatic_texts(artifact.texts)
    rows = selectors.decisions()
    due = {_name(key): text for key, text in texts.items() if _is_due(rows.get(key), text)}
    drafts = analyser.reword(due) if due else {}
    _store({key: drafts[_name(key)] for key in texts if _name(key) in drafts})


def _automatic_texts(texts: Mapping[str, Any]) -> dict[Key, str]:
    """Summary and answers, by kind and slug."""
    written = {("faq", question["slug"]): question for question in texts.get("questions", ())}
    if texts.get("summary"):
        written["summary", ""] = texts["summary"]
    return {key: automatic_text(text) for key, text in written.items()}


def _name(key: Key) -> str:
    """Name of a text in the prompt."""
    return key[1] or key[0]


def _is_due(row: InsightText | None, text: str) -> bool:
    return row is None or (row.source == Source.LLM and bool(unsupported_claims(row.text, text)))


@transaction.atomic
def _store(drafts: Mapping[Key, str]) -> None:
    for (kind, slug), draft in drafts.items():
        row, is_new = InsightText.objects.select_for_update().get_or_create(
            kind=kind, slug=slug, defaults={"text": draft, "source": Source.LLM}
        )
        # An administrator may have decided while the model was asked.
        if not is_new and row.source == Source.LLM and row.text != draft:
            row.text, row.edited_at = draft, timezone.now()
            row.save()
