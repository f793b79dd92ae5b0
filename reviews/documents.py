"""Build the documents `/reviews.json` and `/reviews.csv`.

`/reviews.json` holds the business, its rating and every visible review; `/reviews.csv` holds the
reviews alone.
"""

import csv
import datetime as dt
import re
from collections.abc import Iterator
from functools import lru_cache, partial
from io import BytesIO, StringIO
from typing import Any

import orjson
from django.utils.translation import gettext_noop

from core.source_digest import source_digest
from publishing.registry import CSV, JSON, DocumentSpec, RevisionState, registry
from publishing.responses import CachedDocument
from publishing.selectors import get_document
from reviews.models import Business, Review, Revision, Service, ServiceArea
from reviews.selectors import AggregateRating, aggregate_rating, get_business, withheld

VERSION = 1
# Cannot occur inside a JSON string, where a backslash precedes every quotation mark.
REVIEWS = b',"reviews":['
HEADINGS = (
    *("id", "author", "author_avatar_url", "rating", "date", "text", "source", "source_url"),
    *("owner_reply", "owner_reply_date", "verified"),
    *("photos", "edited_by_business", "redacted_by_business"),
)
# Text that a spreadsheet program reads as a formula, and such a text that is already quoted.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def build(changed_at: dt.datetime) -> bytes:
    """Build `/reviews.json`; the same rows give the same bytes.

    Joining the stored fragments is ten times cheaper than serialising rows.
    """
    head = {
        "version": VERSION,
        "generated_at": changed_at,
        "business": published_business(get_business()),
        "aggregate_rating": published_rating(aggregate_rating()),
    }
    document = BytesIO()  # Grows in place: the document is as large as all reviews together.
    document.write(orjson.dumps(head, option=orjson.OPT_UTC_Z).removesuffix(b"}"))
    document.write(REVIEWS)
    separator = b""
    for fragment in _fragments():
        document.write(separator)
        document.write(fragment.encode())
        separator = b","
    document.write(b"]}")
    return document.getvalue()


def build_csv(changed_at: dt.datetime) -> bytes:
    """Build `/reviews.csv` (RFC 4180), which imports recognise; null is an empty cell."""
    table = StringIO()
    table.write("\ufeff")  # Excel and Google Sheets recognise UTF-8 by it.
    writer = csv.writer(table)
    writer.writerow(HEADINGS)
    writer.writerows(_cells(orjson.loads(fragment)) for fragment in _fragments())
    return table.getvalue().encode()


def _cells(review: dict[str, Any]) -> list[Any]:
    """Cells of a published review, quoted so that no spreadsheet program runs a formula."""
    reply = review["owner_reply"] or {}
    cells = {
        **review,
        "owner_reply": reply.get("text"),
        "owner_reply_date": reply.get("date"),
        "verified": "true" if review["verified"] else "false",
        "photos": " ".join(review.get("photos", ())),
        "edited_by_business": "true" if "edited_by_business" in review else "",
        "redacted_by_business": "true" if "redacted_by_business" in review else "",
    }
    return [
        f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
        for cell in map(cells.__getitem__, HEADINGS)
    ]


def _fragments() -> Iterator[str]:
    """Published JSON of the visible reviews, newest first."""
    fragments = Review.objects.visible().newest_first().values_list("fragment", flat=True)
    return fragments.iterator(chunk_size=5_000)


def published_business(business: Business | None) -> dict[str, Any]:
    """Published members of the business; all keys are present even if there is no business."""
    shown, hidden = business or Business(), withheld()
    # Sorted here because databases collate hyphens differently.
    services = sorted(Service.objects.values_list("slug", "label"))
    areas = sorted(ServiceArea.objects.values_list("slug", "name"))
    lines = ("street", "city", "region", "postal_code", "country")
    address = {name: getattr(shown, name) for name in lines}
    has_geo = shown.latitude is not None and shown.longitude is not None
    return {
        "id": shown.slug,
        "name": shown.name,
        "legal_name": shown.legal_name or None,
        "description": shown.description or None,
        "vertical": shown.vertical,
        "url": shown.url or None,
        "logo_url": shown.logo_url or None,
        "same_as": [profile for profile in shown.same_as if isinstance(profile, str)],
        "phone": shown.phone or None,
        "email": shown.email or None,
        "address": address if any(address.values()) else None,
        "geo": {"latitude": shown.latitude, "longitude": shown.longitude} if has_geo else None,
        "time_zone": shown.time_zone,
        "hours": [
            {key: str(opening.get(key, "")) for key in ("day", "opens", "closes")}
            for opening in shown.hours
            if isinstance(opening, dict)
        ],
        "services": [{"id": slug, "label": label} for slug, label in services],
        "service_areas": [{"id": slug, "name": name} for slug, name in areas],
        "license": shown.license or None,
        "attribution": shown.attribution or None,
        "withheld": {"total": hidden.total, "by_reason": hidden.by_reason},
    }


def published_rating(rating: AggregateRating) -> dict[str, Any]:
    return {
        "rating_value": rating.rating_value,
        "review_count": rating.review_count,
        "best_rating": 5,
        "worst_rating": 1,
        "distribution": {str(stars): count for stars, count in rating.distribution.items()},
    }


# --- The document ---------------------------------------------------------------------------------


def read_revision() -> RevisionState | None:
    """The last change of the reviews; None before the first."""
    return Revision.objects.state(Revision.REVIEWS)


DOCUMENT = registry.register(
    DocumentSpec(
        path="/reviews.json",
        media_type=JSON,
        build=build,
        revision=read_revision,
        name="reviews",
        title=gettext_noop("All reviews"),
        description=gettext_noop(
            "The business, its aggregate rating and every review, newest first."
        ),
        is_topic=True,
        fingerprint=partial(source_digest, "reviews"),
    )
)


registry.register(
    DocumentSpec(
        path="/reviews.csv",
        media_type=CSV,
        build=build_csv,
        revision=read_revision,
        name="reviews-csv",
        title=gettext_noop("All reviews as a table"),
        description=gettext_noop("One row for each review, for Excel, Google Sheets and pandas."),
        fingerprint=partial(source_digest, "reviews"),
    )
)


def dataset_summary() -> dict[str, Any]:
    """`/reviews.json` without its reviews. Raises `DocumentUnavailable`."""
    return _summary(get_document(DOCUMENT.path))


@lru_cache(maxsize=1)
def _summary(document: CachedDocument) -> dict[str, Any]:
    # Cut before parsing: the parsed reviews would take hundreds of megabytes.
    body = document.identity
    summary: dict[str, Any] = orjson.loads(body[: body.index(REVIEWS)] + b"}")
    return summary
