"""Changes of the reviews: each in one transaction, each told to the world once.

Entries (commands, admin) call these; what happens later is asked of a worker after the commit.
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
from reviews.models.deletion import PORTION, delete_all, record_deletion
from reviews.models.review import HELD, HiddenReason, overwrite, trace_of_hiding
from reviews.models.revision import without_revision
from reviews.published_json import EDITED, REDACTED, PublicForm, published_json
from reviews.redaction import is_redaction, tokens_of
from reviews.roster import load_roster, rematch, rematch_due
from reviews.signals import author_forgotten
from reviews.timestamps import change_instant
from reviews.ulids import new_ulid

logger = logging.getLogger(__name__)

LOGO_BYTES = 150_000
IN_REQUEST_ROWS = 2_000  # More reviews are matched by a worker.


# --- Single reviews -------------------------------------------------------------------------------


@transaction.atomic
def add_review(review: Review) -> Review:
    """Store a new review, and return it; one that is there already stays as it is."""
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
    """Store an administrator's edits of these fields, and return the review as it is stored.

    A later import keeps them until told otherwise. Other text or stars than the source gave clear
    `verified`, and the public is told; so it is of words that were replaced by [...] alone, which
    leave `verified` as it is.
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
    """Hide reviews from the world, or show them again; how many that changed.

    Imports may hide those again that an import held for release, as if it never had.
    """
    changing = reviews.filter(hidden=not hidden)
    held = Review.objects.filter(pk__in=list(changing.filter(HELD).values_list("pk", flat=True)))
    lock_rows(changing)
    if hidden and reason:
        # Those that are hidden already keep their time, and take the reason that a person gives.
        other = reviews.filter(hidden=True).exclude(hidden_reason=reason)
        other.update(hidden_reason=reason, hidden_by=by)
    trace = trace_of_hiding(hidden=hidden, reason=reason or HiddenReason.OTHER, by=by)
    values = {"hidden": hidden, "updated_at": timezone.now(), **trace}
    changed = _change_edited(changing, lambda names: sorted({*names, "hidden"}), values)
    _change_edited(held, lambda names: [name for name in names if name != "hidden"])
    return changed


def _change_edited(
    reviews: QuerySet[Review],
    change: Callable[[list[str]], list[str]],
    values: Mapping[str, Any] | None = None,
) -> int:
    """Change the names of edited fields, and set other values; how many reviews that changed.

    One statement for all that were edited alike: 100,000 rows one by one take minutes.
    """
    changed = 0
    for names in list(reviews.order_by().values_list("edited_fields", flat=True).distinct()):
        if values or change(names) != names:
            alike = reviews.filter(edited_fields=names)
            changed += alike.update(edited_fields=change(names), **(values or {}))
    return changed


def rows_of(reviews: QuerySet[Review]) -> dict[str, int]:
    """How many rows of each kind a deletion takes, by what people call them."""
    rows = {"reviews": reviews.count()}
    for relation in Review._meta.related_objects:
        related = cast("type[Model]", relation.related_model)
        kept: QuerySet[Model] = QuerySet(related)
        if count := kept.filter(**{f"{relation.field.name}__in": reviews.values("pk")}).count():
            rows[str(related._meta.verbose_name_plural)] = count
    return rows


@transaction.atomic
def delete(reviews: QuerySet[Review], *, by: User | None = None) -> int:
    """Delete reviews and all that is kept with them, in one revision; how many.

    Later imports leave them out, until that is lifted.
    """
    lock_rows(reviews, for_deletion=True)
    ids = list(reviews.order_by("pk").values_list("pk", flat=True))
    if ids:
        record_deletion(ids, kept_out=True, by=by)
        delete_all(ids)
        Revision.objects.raise_reviews()
    return len(ids)


def lift_deletions(deleted: QuerySet[DeletedReview]) -> int:
    """Let imports bring deleted reviews back; of how many that is news.

    The rows stay, since readers may still ask for what was removed.
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
    """Remove name, picture and links of all reviews of an author, or the reviews; how many.

    Later imports read the name as anonymous; but where some reviews with the name are of `others`
    (their keys), in these reviews alone.
    """
    acquire_import_lock()
    names = [author, *forgetting.spellings(author)]
    reviews = forgetting.reviews_by(author).exclude(pk__in=others)
    lock_rows(reviews, for_deletion=delete_reviews)
    ids = list(reviews.order_by("pk").values_list("pk", flat=True))
    chosen = Review.objects.filter(pk__in=ids)
    if not others:
        forgetting.note_forgotten(author, reviews=len(ids), by=by)
    if delete_reviews:
        delete(chosen, by=by)
    else:
        forgetting.remove_author(chosen)
    forgetting.remove_traces(names)
    author_forgotten.send(Review, review_ids=ids, names=names)
    return len(ids)


@transaction.atomic
def release_edits(reviews: QuerySet[Review]) -> int:
    """Let imports overwrite again what was edited by hand; how many reviews that freed.

    What was hidden by hand stays marked as that, lest an import shows it again.
    """
    lock_rows(reviews)
    freed = reviews.filter(hidden=False).exclude(edited_fields=[]).update(edited_fields=[])
    hidden = reviews.filter(hidden=True)
    return freed + _change_edited(hidden, lambda names: [n for n in names if n == "hidden"])


@transaction.atomic
def publish_in_form(form: PublicForm) -> None:
    """Publish every review in this form, all at once."""
    acquire_import_lock()
    lock_rows(Review.objects.all())
    now = change_instant(timezone.now())
    last: int | None = 0
    while last is not None:
        portion = list(without_revision(Review).filter(pk__gt=last).order_by("pk")[:PORTION])
        changed = []
        for review in portion:
            shown = published_json(review, form)
            if shown != review.fragment:
                review.fragment, review.modified_at = shown, now
                changed.append(review)
        overwrite(changed, ("fragment", "modified_at"))
        last = portion[-1].pk if portion else None
    Revision.objects.raise_reviews()


# --- The business ---------------------------------------------------------------------------------


def set_logo(business: Business, content: bytes) -> Logo:
    """Encode the logo from an uploaded picture. Raises `UnusableImage`."""
    picture = safe_picture(content, within=Logo.SIDE)
    png = encode_png(picture)
    if len(png) > LOGO_BYTES:
        png = encode_png(picture.quantize(256))  # A photograph: fewer colours do.
    values = {"png": png, "width": picture.width, "height": picture.height}
    values["digest"] = hashlib.sha256(png).hexdigest()[:32]
    return Logo.objects.update_or_create(business=business, defaults=values)[0]


def remove_logo(business: Business) -> None:
    Logo.objects.filter(business=business).delete()


def finish_first_steps() -> None:
    """Note that the first day's steps are done, so that the front page lists them no more."""
    open_steps = Business.objects.filter(first_steps_done_at__isnull=True)
    open_steps.update(first_steps_done_at=timezone.now())


# --- Roster ---------------------------------------------------------------------------------------


@contextmanager
def matched_again() -> Iterator[None]:
    """Match few reviews at once with the roster entry changed inside.

    Many are left to the worker, which the change itself has nudged.
    """
    with transaction.atomic():
        if are_few := Review.objects.count() <= IN_REQUEST_ROWS:
            lock_rows(Review.objects.all())
        yield
        if are_few:
            rematch_due()
