"""Change reviews, for commands and the administration.

Each function runs in one transaction and publishes its change once, after the commit.
"""

import hashlib
import logging
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from core.db.transactions import acquire_import_lock
from core.images import encode_png, safe_picture
from reviews import forgetting
from reviews.models import Business, DeletedReview, Logo, Review, Revision, lock_rows
from reviews.models.deletion import CHUNK, delete_all
from reviews.models.review import HELD, HiddenReason, hiding_fields, overwrite
from reviews.models.revision import without_revision
from reviews.published_json import EDITED, REDACTED, PublicForm, published_json
from reviews.redaction import is_redaction, tokens_of
from reviews.roster import load_roster, rematch, rematch_due
from reviews.signals import author_forgotten
from reviews.timestamps import change_instant
from reviews.ulids import new_ulid

logger = logging.getLogger(__name__)

LOGO_BYTES = 150_000
MAX_MATCHED_AT_ONCE = 2_000  # A worker matches more reviews.


# --- Single reviews -------------------------------------------------------------------------------


@transaction.atomic
def add_review(review: Review) -> Review:
    """Store a new review and return it. If it exists already, return the stored one unchanged."""
    acquire_import_lock()
    review.ulid = review.ulid or new_ulid()
    review.external_id = review.external_id or review.ulid
    same = Q(ulid=review.ulid) | Q(source=review.source, external_id=review.external_id)
    if (stored := Review.objects.filter(same).first()) is not None:
        return stored
    review.save()
    rematch([review], load_roster())
    return review


@transaction.atomic
def edit_review(review: Review, changes: Mapping[str, Any]) -> Review:
    """Store an administrator's edits, and return the stored review.

    Later imports keep the edited fields until an administrator releases them. Changes of the
    source's text or stars mark the review as edited and clear `verified`; words replaced by [...]
    mark it as redacted.
    """
    stored = Review.objects.select_for_update(no_key=True).get(pk=review.pk)
    edited = [name for name, value in changes.items() if getattr(stored, name) != value]
    if not edited:
        return stored
    _mark_alteration(stored, changes)
    if stored.alteration == EDITED:
        edited = [name for name in edited if name != "verified"]
    for name in edited:
        setattr(stored, name, changes[name])
    stored.edited_fields = sorted({*stored.edited_fields, *edited})
    stored.save()
    rematch([stored], load_roster())
    return stored


def _mark_alteration(stored: Review, changes: Mapping[str, Any]) -> None:
    text, rating = changes.get("text", stored.text), changes.get("rating", stored.rating)
    if not stored.is_from_source or (
        rating == stored.rating and tokens_of(text) == tokens_of(stored.text)
    ):
        return
    is_redacted = rating == stored.rating and is_redaction(stored.text, text)
    if is_redacted and stored.alteration != EDITED:
        stored.alteration = REDACTED
    elif not is_redacted:
        stored.source_rating = stored.customer_rating
        stored.alteration, stored.verified = EDITED, False


@transaction.atomic
def hide(
    reviews: QuerySet[Review],
    *,
    hidden: bool = True,
    reason: str | None = None,
    by: User | None = None,
) -> int:
    """Hide reviews from the public or show them again, and return how many changed.

    Later imports keep the decision, unless an import had held the review for release.
    """
    changing = reviews.filter(hidden=not hidden)
    held = Review.objects.filter(pk__in=list(changing.filter(HELD).values_list("pk", flat=True)))
    lock_rows(changing)
    if hidden and reason:
        # Reviews that are hidden already keep their time but take the new reason.
        other = reviews.filter(hidden=True).exclude(hidden_reason=reason)
        other.update(hidden_reason=reason, hidden_by=by)
    fields = hiding_fields(hidden=hidden, reason=reason or HiddenReason.OTHER, by=by)
    values = {"hidden": hidden, "updated_at": timezone.now(), **fields}
    changed = _change_edited_fields(changing, lambda names: sorted({*names, "hidden"}), values)
    _change_edited_fields(held, lambda names: [name for name in names if name != "hidden"])
    return changed


def _change_edited_fields(
    reviews: QuerySet[Review],
    change: Callable[[list[str]], list[str]],
    values: Mapping[str, Any] | None = None,
) -> int:
    """Change `edited_fields` and set other values; return how many reviews changed.

    Updates reviews with equal `edited_fields` by one statement: 100,000 single updates take
    minutes.
    """
    changed = 0
    for names in list(reviews.order_by().values_list("edited_fields", flat=True).distinct()):
        if values or change(names) != names:
            alike = reviews.filter(edited_fields=names)
            changed += alike.update(edited_fields=change(names), **(values or {}))
    return changed


def rows_of(reviews: QuerySet[Review]) -> dict[str, int]:
    """Count the rows that a deletion of reviews removes, by plural names."""
    rows = {"reviews": reviews.count()}
    for relation in Review._meta.related_objects:
        related = cast("type[Model]", relation.related_model)
        every: QuerySet[Model] = QuerySet(related)
        if count := every.filter(**{f"{relation.field.name}__in": reviews.values("pk")}).count():
            rows[str(related._meta.verbose_name_plural)] = count
    return rows


@transaction.atomic
def delete(reviews: QuerySet[Review], *, by: User | None = None) -> int:
    """Delete reviews with the rows that refer to them, and return their number.

    Later imports skip these reviews until an administrator allows them again.
    """
    lock_rows(reviews, for_deletion=True)
    ids = list(reviews.order_by("pk").values_list("pk", flat=True))
    if ids:
        delete_all(ids, kept_out=True, by=by)
        Revision.objects.raise_reviews()
    return len(ids)


def lift_deletions(deleted: QuerySet[DeletedReview]) -> int:
    """Allow imports to restore deleted reviews, and return how many were not allowed before.

    The rows remain, so that `changed_since` searches still list the ids.
    """
    return deleted.filter(kept_out=True).update(kept_out=False, merge_key="", content="")


@transaction.atomic
def forget_author(
    author: str,
    *,
    others: Collection[int] = (),
    delete_reviews: bool = False,
    by: User | None = None,
) -> int:
    """Anonymise or delete all reviews of an author, and return their number.

    `others` are keys of reviews by other people of the same name. Later imports anonymise the name
    everywhere if there are no `others`, else only in the anonymised reviews.
    """
    acquire_import_lock()
    names = [author, *forgetting.spellings(author)]
    reviews = forgetting.reviews_by(author).exclude(pk__in=others)
    lock_rows(reviews, for_deletion=delete_reviews)
    ids = list(reviews.order_by("pk").values_list("pk", flat=True))
    chosen = Review.objects.filter(pk__in=ids)
    if not others:
        forgetting.record_forgotten(author, reviews=len(ids), by=by)
    if delete_reviews:
        delete(chosen, by=by)
    else:
        forgetting.remove_author(chosen)
    forgetting.remove_traces(names)
    author_forgotten.send(Review, review_ids=ids, names=names)
    return len(ids)


@transaction.atomic
def release_edits(reviews: QuerySet[Review]) -> int:
    """Allow imports to overwrite edited fields, and return how many reviews changed.

    A review that an administrator hid keeps that mark, so that no import shows it.
    """
    lock_rows(reviews)
    freed = reviews.filter(hidden=False).exclude(edited_fields=[]).update(edited_fields=[])
    hidden = reviews.filter(hidden=True)
    return freed + _change_edited_fields(hidden, lambda names: [n for n in names if n == "hidden"])


@transaction.atomic
def publish_in_form(form: PublicForm) -> None:
    """Publish all reviews in this form."""
    acquire_import_lock()
    lock_rows(Review.objects.all())
    now = change_instant(timezone.now())
    last: int | None = 0
    while last is not None:
        chunk = list(without_revision(Review).filter(pk__gt=last).order_by("pk")[:CHUNK])
        changed = []
        for review in chunk:
            shown = published_json(review, form)
            if shown != review.fragment:
                review.fragment, review.modified_at = shown, now
                changed.append(review)
        overwrite(changed, ("fragment", "modified_at"))
        last = chunk[-1].pk if chunk else None
    Revision.objects.raise_reviews()


# --- The business ---------------------------------------------------------------------------------


def set_logo(business: Business, content: bytes) -> Logo:
    """Store an uploaded picture as the logo. Raises `UnusableImage`."""
    picture = safe_picture(content, within=Logo.SIDE)
    png = encode_png(picture)
    if len(png) > LOGO_BYTES:
        png = encode_png(picture.quantize(256))  # Most likely a photograph.
    values = {"png": png, "width": picture.width, "height": picture.height}
    values["digest"] = hashlib.sha256(png).hexdigest()[:32]
    return Logo.objects.update_or_create(business=business, defaults=values)[0]


def remove_logo(business: Business) -> None:
    Logo.objects.filter(business=business).delete()


def finish_first_steps() -> None:
    """Mark the setup as finished, so that the dashboard no longer lists its steps."""
    open_steps = Business.objects.filter(first_steps_done_at__isnull=True)
    open_steps.update(first_steps_done_at=timezone.now())


# --- Roster ---------------------------------------------------------------------------------------


@contextmanager
def roster_change() -> Iterator[None]:
    """Change the roster inside this context, and match the reviews at its end.

    If there are many reviews, the worker matches them.
    """
    with transaction.atomic():
        if are_few := Review.objects.count() <= MAX_MATCHED_AT_ONCE:
            lock_rows(Review.objects.all())
        yield
        if are_few:
            rematch_due()
