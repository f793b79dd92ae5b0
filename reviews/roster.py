"""Load the roster, and match its entries against stored reviews."""

import hashlib
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from core.celery import checkpoint
from core.db.transactions import is_import_running
from core.source_digest import source_digest
from review_analysis.name_matching import AreaEntry, PersonEntry, Roster, ServiceEntry
from reviews.models import Mention, Review, Revision, Service, ServiceArea, Technician, lock_rows

BATCH = 1_000
MATCHING_CODE = ("review_analysis/name_matching", "review_analysis/text.py", "reviews/roster.py")
# Name of the `Revision` whose number is the `digest` at the last match.
MENTIONS = "mentions"
NO_ROSTER = 0
_KINDS = {"person": "technician"}  # As mentions store them.


def load_roster() -> Roster:
    """Load all technicians, services and service areas, by three queries."""
    return Roster(
        people=[
            PersonEntry(
                slug=row.slug,
                name=row.name,
                aliases=_texts(row.aliases),
                active_from=row.active_from,
                active_to=row.active_to,
            )
            for row in Technician.objects.order_by("slug")
        ],
        services=[
            ServiceEntry(slug=row.slug, label=row.label, keywords=_texts(row.keywords))
            for row in Service.objects.order_by("slug")
        ],
        areas=[
            AreaEntry(slug=row.slug, name=row.name, aliases=_texts(row.aliases))
            for row in ServiceArea.objects.order_by("slug")
        ],
    )


def mentions_of(review: Review, roster: Roster) -> list[Mention]:
    """Unsaved mentions in the customer's text and in imported columns."""
    if review.is_rewritten:
        return []
    return [
        Mention(review=review, kind=_KINDS.get(kind, kind), subject=slug)
        for kind, slug in roster.match(
            review.text,
            date=review.date,
            people=_texts(review.named_technicians),
            services=_texts(review.named_services),
        )
    ]


def rematch_due() -> int:
    """Match all reviews again if `is_match_due`, and return how many mentions that changed.

    Concurrent calls repeat the work and store it once.
    """
    return rematch_all() if is_match_due() else 0


def is_match_due() -> bool:
    """Whether the roster or the code changed since the last match.

    Compares digests, so that it also notices bulk changes.
    """
    return Revision.objects.current(MENTIONS) != digest(load_roster())


def rematch_all() -> int:
    """Match all reviews against the roster, and return how many mentions that changed.

    Each batch has a transaction and writes only differences, so that a match without a difference
    keeps the revision. A running import matches by the roster that it began with, so that another
    match is due after it.
    """
    roster = load_roster()
    is_for_all = not is_import_running()
    changed = 0
    last: int | None = 0
    # If this process is killed halfway and the roster is changed back, a match must still be due.
    _store_matched(NO_ROSTER)
    while last is not None:
        checkpoint()
        with transaction.atomic():
            batch = _lock_batch(after=last)
            changed += rematch(batch, roster)
        last = batch[-1].pk if batch else None
    if is_for_all:
        record_matched(roster)
    return changed


def record_matched(roster: Roster) -> None:
    """Record that all stored mentions match this roster."""
    _store_matched(digest(roster))


def _store_matched(number: int) -> None:
    Revision.objects.update_or_create(name=MENTIONS, defaults={"number": number})


def digest(roster: Roster) -> int:
    """Hash the roster and the matching code to a number."""
    described = repr((source_digest(*MATCHING_CODE), roster.people, roster.services, roster.areas))
    code = hashlib.blake2b(described.encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(code) >> 1  # 63 bits, which fit into a signed column.


@transaction.atomic
def rematch(reviews: Sequence[Review], roster: Roster) -> int:
    """Match reviews against the roster, and return how many mentions that changed.

    The caller must have locked the reviews, so that no other transaction edits or deletes them.
    """
    stored = {
        (mention.review_id, mention.kind, mention.subject): mention.pk
        for mention in Mention.objects.filter(review__in=reviews)
    }
    wanted = {
        (mention.review_id, mention.kind, mention.subject): mention
        for review in reviews
        for mention in mentions_of(review, roster)
    }
    new = [mention for key, mention in wanted.items() if key not in stored]
    gone = [pk for key, pk in stored.items() if key not in wanted]
    if gone:
        Mention.objects.filter(pk__in=gone).delete()
    Mention.objects.bulk_create(new)
    if changed := {key[0] for key in wanted.keys() ^ stored.keys()}:
        # Insights of these reviews become due.
        Review.objects.filter(pk__in=changed).update(updated_at=timezone.now())
    return len(new) + len(gone)


def _lock_batch(*, after: int) -> list[Review]:
    ids = Review.objects.filter(pk__gt=after).order_by("pk").values_list("pk", flat=True)[:BATCH]
    rows = Review.objects.filter(pk__in=list(ids))
    lock_rows(rows)
    fields = ("text", "date", "alteration", "named_technicians", "named_services")
    return list(rows.order_by("pk").only(*fields))


def _texts(values: object) -> tuple[str, ...]:
    """Texts of a JSON value, which need not be a list of texts."""
    return tuple(v for v in values if isinstance(v, str)) if isinstance(values, list) else ()
