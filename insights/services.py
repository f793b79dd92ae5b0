"""Store administrators' decisions, each in one transaction."""

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
    """The draft cannot be published; `faults` are sentences for its editor."""

    def __init__(self, found: Sequence[str]) -> None:
        super().__init__("\n".join(found))
        self.faults = list(found)


# --- The taxonomy ---------------------------------------------------------------------------------


@transaction.atomic
def save_draft(vertical: str, content: Mapping[str, Any], by: User | None) -> Taxonomy:
    """Save a draft, even one that cannot be published yet."""
    values = {"content": dict(content), "edited_at": timezone.now(), "edited_by": by}
    draft, _ = Taxonomy.objects.update_or_create(vertical=vertical, version=None, defaults=values)
    return draft


@transaction.atomic
def add_aspect(vertical: str, label: str, terms: Sequence[str], by: User | None) -> Taxonomy:
    """Add an aspect to the draft, which is created from the taxonomy in force if needed.

    Raises `TaxonomyRefused` if the label has no letter or digit, or an aspect has it already.
    """
    draft = taxonomy.draft(vertical)
    content = dict(draft.content if draft else taxonomy.published(vertical))
    slug = slugify(label).replace("-", "_")
    if not slug:
        raise TaxonomyRefused(["The label of an aspect needs a letter or digit."])
    existing = {name for each in content.get("aspects", ()) for name in (each["id"], each["label"])}
    if existing & {slug, label}:
        raise TaxonomyRefused([f"The draft has an aspect “{label}” already."])
    aspect = {"id": slug, "label": label, "terms": list(terms)}
    content["aspects"] = [*content.get("aspects", ()), aspect]
    return save_draft(vertical, content, by)


@transaction.atomic
def publish_draft(vertical: str, by: User | None) -> Taxonomy:
    """Publish the draft as the next version, after which all reviews are analysed again.

    Raises `TaxonomyRefused` if there is no draft or the draft is not a valid taxonomy.
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
    Taxonomy.objects.drafts().filter(vertical=vertical).delete()


# --- Corrections ----------------------------------------------------------------------------------


@transaction.atomic
def correct(review: Review, path: str, value: str, by: User | None) -> Override:
    """Correct a finding for the present text of a review, with `path` and `value` of `Override`.

    Raises `IntegrityError` for a value that does not fit the path.
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
    """Apply corrections by path, withdraw those with an empty value, and return the changes."""
    text_sha256 = digest_of(review.customer_text)
    existing = {
        override.path: (override.value, override.text_sha256)
        for override in Override.objects.filter(review=review)
    }
    changed = 0
    for path, value in corrections.items():
        if not value and path in existing:
            withdraw_correction(review, path)
            changed += 1
        elif value and existing.get(path) != (value, text_sha256):
            correct(review, path, value, by)
            changed += 1
    return changed


def withdraw_correction(review: Review, path: str) -> None:
    Override.objects.filter(review=review, path=path).delete()


# --- Texts ----------------------------------------------------------------------------------------


@transaction.atomic
def decide_text(kind: str, slug: str, by: User | None, **decision: Any) -> InsightText:
    """Edit, hide or pin a text; `decision` has the fields of `InsightText` to change."""
    values = {**decision, "edited_at": timezone.now(), "edited_by": by}
    text, _ = InsightText.objects.update_or_create(kind=kind, slug=slug, defaults=values)
    return text


def reset_text(kind: str, slug: str = "") -> None:
    """Delete the decision about a text, so that the automatic text is published."""
    InsightText.objects.filter(kind=kind, slug=slug).delete()


# --- Refreshing -----------------------------------------------------------------------------------


def refresh_few() -> bool:
    """Refresh without a worker if that is quick, and return whether everything is up to date."""
    if refresh.has_many_reviews():
        return not (is_match_due() or refresh.is_due())
    rematch_due()
    if is_match_due() or refresh.has_many_due():
        return False
    refresh.refresh()
    return True
