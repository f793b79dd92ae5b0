"""Load the demo into the database through the importer."""

import datetime as dt
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from core.db.transactions import acquire_import_lock
from demo.business import AREAS, BUSINESS, SERVICES, technicians
from demo.showcase import DEMO_IDS, LOGO, REVIEW_LINKS, span
from imports.importer import CHUNK, Importer
from imports.merge import Rules
from imports.models import ConfirmedShape
from imports.records import Record
from imports.report import Report
from imports.writer import Writer
from review_exports import Confirmation
from review_exports.rows import shape_key
from reviews.models import Business, Review, Revision, Service, ServiceArea, Technician
from reviews.roster import load_roster, record_matched, rematch_all
from reviews.selectors import logo_of
from reviews.services import set_logo
from sources.connectors import folder
from sources.models import SourceConnection

NEW_REVIEWS = Path(__file__).with_name("new_reviews.csv")
NEW_REVIEWS_COLUMNS = {
    "Review ID": "review_id",
    "Author": "author",
    "Rating": "rating",
    "Date": "date",
    "Review": "text",
    "Source": "source",
}
DATES = ("active_from", "active_to")


class NotDemoData(Exception):
    """The database contains other data than the demo."""


@transaction.atomic
def load(reviews: Iterable[Record], end: dt.date) -> int:
    """Store the reviews of the demo, remove other ones, and return the number of changes.

    The load is one transaction and at most one revision. Raises `NotDemoData` before it writes
    anything.
    """
    _refuse_beside_own_data()
    acquire_import_lock()
    had_reviews = Review.objects.exists()
    roster_changed = _store_business(end)

    roster = load_roster()
    report = Report()
    writer = Writer(roster, batch=None, now=timezone.now(), is_demo=True)
    importer = Importer(rules=Rules(), writer=writer, report=report)
    wanted: set[str] = set()
    remaining = iter(reviews)
    while records := list(islice(remaining, CHUNK)):
        wanted.update(record.ulid for record in records)
        importer.merge(records)
    removed = _remove_others(wanted)

    if not had_reviews:
        record_matched(roster)
    elif roster_changed:
        rematch_all()
    if report.writes or removed:
        writer.finish()
        Revision.objects.raise_reviews()
    return report.writes + removed


def add_logo() -> None:
    """Add the logo and review links of the business, if missing."""
    business = Business.objects.get()
    if logo_of(business) is None:
        set_logo(business, LOGO.read_bytes())
    if not business.review_links:
        business.review_links = REVIEW_LINKS
        business.save()


def add_inbox() -> None:
    """Add a watched folder, and confirm the columns of `new_reviews.csv`."""
    if not SourceConnection.objects.filter(kind=folder.CONNECTOR.name).exists():
        SourceConnection.objects.create(
            name="Inbox",
            kind=folder.CONNECTOR.name,
            interval_seconds=folder.CONNECTOR.interval_seconds,
            import_options={"source": "google"},
        )
        confirmation = Confirmation(columns=NEW_REVIEWS_COLUMNS, worst_rating=1, best_rating=5)
        ConfirmedShape.objects.get_or_create(
            key=shape_key(NEW_REVIEWS_COLUMNS),
            defaults={"confirmation": confirmation.as_json(), "file_name": NEW_REVIEWS.name},
        )


def _refuse_beside_own_data() -> None:
    remedy = (
        "Nothing was changed. The demo goes into a database of its own: set STATE_DIR or "
        "DATABASE_URL to a new one."
    )
    own = Review.objects.exclude(external_id__startswith=DEMO_IDS).count()
    if own:
        one_or_more = "1 review that is" if own == 1 else f"{own} reviews that are"
        raise NotDemoData(f"This database holds {one_or_more} not the demo's. {remedy}")
    business = Business.objects.exclude(slug=BUSINESS["slug"]).first()
    if business:
        raise NotDemoData(f"This database belongs to {business.name}. {remedy}")


def _store_business(end: dt.date) -> bool:
    """Create missing rows, and return whether the roster changed; edited rows are kept."""
    if not Business.objects.exists():
        Business.objects.create(**BUSINESS)
    changed = False
    for person in technicians(*span(end)):
        dates = person.active_from, person.active_to
        values: dict[str, Any] = {"name": person.name, "aliases": list(person.aliases)}
        row, is_new = Technician.objects.get_or_create(
            slug=person.slug, defaults=values | dict(zip(DATES, dates, strict=True))
        )
        if (row.active_from, row.active_to) != dates:  # Loaded with another end.
            row.active_from, row.active_to = dates
            row.save()
            is_new = True
        changed |= is_new
    for service in SERVICES:
        values = {"label": service.label, "keywords": list(service.keywords)}
        changed |= Service.objects.get_or_create(slug=service.slug, defaults=values)[1]
    for area in AREAS:
        values = {"name": area.name, "aliases": list(area.aliases)}
        changed |= ServiceArea.objects.get_or_create(slug=area.slug, defaults=values)[1]
    return changed


def _remove_others(wanted: set[str]) -> int:
    """Remove the reviews of a demo that was loaded with other arguments."""
    rows = Review.objects.values_list("pk", "ulid").iterator(CHUNK)
    others = [pk for pk, ulid in rows if ulid not in wanted]
    for start in range(0, len(others), CHUNK):
        Review.objects.filter(pk__in=others[start : start + CHUNK]).delete()
    return len(others)
