"""Store administrators' decisions in one transaction each, and have a worker follow them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify

from insights import refresh, taxonomy
from insights.models import InsightText, Override, Taxonomy
from insights.store_findings import digest_of
from review_analysis.taxonomies import faults
from reviews.models import Review
from reviews.roster import is_match_due, rematch_due


class TaxonomyRefused(Exception):
    """A draft that cannot be published; `faults` are sentences that name the fields."""

    def __init__(self, found: Sequence[str]) -> None:
        super().__init__("\n".join(found))
        self.faults = list(found)


# --- The taxonomy ---------------------------------------------------------------------------------


@transaction.atomic
def save_draft(vertical: str, content: Mapping[str, Any], by: User | None) -> Taxonomy:
    """Keep a draft, also one that could not be published yet; the reviews are read as before."""
    values = {"content": dict(content), "edited_at": timezone.now(), "edited_by": by}
    draft, _ = Taxonomy.objects.update_or_create(vertical=vertical, version=None, defaults=values)
    return draft


@transaction.atomic
def add_aspect(vertical: str, label: str, terms: Sequence[str], by: User | None) -> Taxonomy:
    """Add an aspect to the draft, which begins as the words in force if there is none.

    Raises `TaxonomyRefused` for a label without letters or digits, and for one that an aspect has.
    """
    held = taxonomy.draft(vertical)
    content = dict(held.content if held else taxonomy.published(vertical))
    slug = slugify(label).replace("-", "_")
    if not slug:
        raise TaxonomyRefused(["The label of an aspect needs a letter or digit."])
    held_as = {name for each in content.get("aspects", ()) for name in (each["id"], each["label"])}
    if held_as & {slug, label}:
        raise TaxonomyRefused([f"The draft has an aspect “{label}” already."])
    aspect = {"id": slug, "label": label, "terms": list(terms)}
    content["aspects"] = [*content.get("aspects", ()), aspect]
    return save_draft(vertical, content, by)


@transaction.atomic
def publish_draft(vertical: str, by: User | None) -> Taxonomy:
    """Put the draft in force with the next version; all reviews are read again.

    Raises `TaxonomyRefused` when it breaks the shape of a taxonomy, or when there is none.
    """
    draft = Taxonomy.objects.drafts().select_for_update().filter(vertical=vertical).first()
    if draft is None:
        raise TaxonomyRefused(["There is no draft to publish."])
    version = taxonomy.version(vertical) + 1
    content = {**draft.content, "id": vertical, "version": version}
    if found := faults(content):
        raise TaxonomyRefused(found)
    draft.content, draft.version, draft.edited_by = content, version, by
    draft.published_at = timezone.now()
    draft.save()
    return draft


def discard_draft(vertical: str) -> None:
    """Give the draft up."""
    Taxonomy.objects.drafts().filter(vertical=vertical).delete()


# --- Corrections ----------------------------------------------------------------------------------


@transaction.atomic
def correct(review: Review, path: str, value: str, by: User | None) -> Override:
    """Say what a review means; it holds for the review's present text, whatever analyses it.

    `path` and `value` are those of `Override`. The database refuses a pair that makes no sense.
    """
    values = {
        "value": value,
        "text_sha256": digest_of(review.customer_text),
        "user": by,
        "made_at": timezone.now(),
    }
    override, _ = Override.objects.update_or_create(review=review, path=path, defaults=values)
    return override


@transaction.atomic
def correct_all(review: Review, corrections: Mapping[str, str], by: User | None) -> int:
    """Make these, path -> value, and withdraw those without a value; how many that changed."""
    text_sha256 = digest_of(review.customer_text)
    kept = {
        override.path: (override.value, override.text_sha256)
        for override in Override.objects.filter(review=review)
    }
    changed = 0
    for path, value in corrections.items():
        if not value and path in kept:
            withdraw_correction(review, path)
            changed += 1
        elif value and kept.get(path) != (value, text_sha256):
            correct(review, path, value, by)
            changed += 1
    return changed


def withdraw_correction(review: Review, path: str) -> None:
    """Believe the analyser again."""
    Override.objects.filter(review=review, path=path).delete()


# --- Texts ----------------------------------------------------------------------------------------


@transaction.atomic
def decide_text(kind: str, slug: str, by: User | None, **decision: Any) -> InsightText:
    """Publish other words, hide a text or pin a question: the fields of `InsightText` to change."""
    values = {**decision, "edited_at": timezone.now(), "edited_by": by}
    text, _ = InsightText.objects.update_or_create(kind=kind, slug=slug, defaults=values)
    return text


def leave_text_to_numbers(kind: str, slug: str = "") -> None:
    """Forget every decision about a text, so that it is written from the numbers again."""
    InsightText.objects.filter(kind=kind, slug=slug).delete()


# --- Refreshing -----------------------------------------------------------------------------------


def refresh_few() -> bool:
    """Refresh at once when few reviews are due, without waiting for a worker.

    Many are left to the worker, which the change has woken; then it is False. So is
    whatever is due among very many.
    """
    if refresh.is_long_to_count():
        return not (is_match_due() or refresh.is_due())
    rematch_due()
    if is_match_due() or refresh.is_long():
        return False
    refresh.refresh()
    return True
