"""The roster as the database holds it, and the mentions of stored reviews kept in step with it."""

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
# The code that finds mentions in a text.
MATCHER = ("review_analysis/name_matching", "review_analysis/text.py", "reviews/roster.py")
# The revision row whose number is the digest of the roster that all mentions were matched by.
MATCHED = "mentions"
NO_ROSTER = 0
_KINDS = {"person": "technician"}  # As mentions store them.


def load_roster() -> Roster:
    """All technicians, services and service areas, compiled; three queries."""
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
    """Mentions in the customer's text and in columns of a file, not yet stored."""
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
    """`rematch_all` if the roster, or the way it is matched, is not what mentions were matched by.

    Sees every change of the roster, also one made in bulk; when there is none it costs the reading
    of the roster. Two at once do the same work twice, and store it once.
    """
    return rematch_all() if is_match_due() else 0


def is_match_due() -> bool:
    """Whether mentions were matched by another roster, or in another way."""
    return Revision.objects.current(MATCHED) != digest(load_roster())


def rematch_all() -> int:
    """Bring every review's mentions in step with the roster; how many mentions that changed.

    Works in batches, each in a transaction of its own, and writes the differences alone: when
    nothing differs, nothing is written and the revision stays. During an import all are due again
    afterwards, since it matches by the roster as it was when it began.
    """
    roster = load_roster()
    is_for_all = not is_import_running()
    changed = 0
    last: int | None = 0
    # A process that is killed leaves some matched by this roster, which may be taken back.
    _store_matched(NO_ROSTER)
    while last is not None:
        checkpoint()
        with transaction.atomic():
            batch = _held_after(last)
            changed += rematch(batch, roster)
        last = batch[-1].pk if batch else None
    if is_for_all:
        record_matched(roster)
    return changed


def record_matched(roster: Roster) -> None:
    """All mentions are those that this roster gives."""
    _store_matched(digest(roster))


def _store_matched(number: int) -> None:
    Revision.objects.update_or_create(name=MATCHED, defaults={"number": number})


def digest(roster: Roster) -> int:
    """A number that stands for all that decides what a text mentions."""
    described = repr((source_digest(*MATCHER), roster.people, roster.services, roster.areas))
    code = hashlib.blake2b(described.encode(errors="replace"), digest_size=8).digest()
    return int.from_bytes(code) >> 1  # As large as a signed column holds.


@transaction.atomic
def rematch(reviews: Sequence[Review], roster: Roster) -> int:
    """Store the mentions of these reviews as the roster gives them; how many that changed.

    The caller has locked the reviews, so that none is edited or deleted in the meantime.
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
        # What was computed from the review and its mentions is computed again.
        Review.objects.filter(pk__in=changed).update(updated_at=timezone.now())
    return len(new) + len(gone)


def _held_after(pk: int) -> list[Review]:
    ids = Review.objects.filter(pk__gt=pk).order_by("pk").values_list("pk", flat=True)[:BATCH]
    rows = Review.objects.filter(pk__in=list(ids))
    lock_rows(rows)
    fields = ("text", "date", "alteration", "named_technicians", "named_services")
    return list(rows.order_by("pk").only(*fields))


def _texts(values: object) -> tuple[str, ...]:
    """The texts of a JSON list; an administrator's list may hold anything."""
    return tuple(v for v in values if isinstance(v, str)) if isinstance(values, list) else ()
