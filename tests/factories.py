"""Create valid rows for tests. Pass only the fields that a test is about."""

import datetime as dt
import itertools
from typing import Any

from reviews.models import Business, Mention, Review, Service, ServiceArea, Technician

_numbers = itertools.count(1)


def make_business(**fields: Any) -> Business:
    values = {
        "slug": "tern-hollow",
        "name": "Tern Hollow Home Services",
        "vertical": "home_services",
        "time_zone": "America/Los_Angeles",
    }
    return Business.objects.create(**(values | fields))


def make_complete_business(**fields: Any) -> Business:
    """Create a business with every fact that pages and documents show."""
    values = {
        "legal_name": "Tern Hollow LLC",
        "url": "https://tern.example/",
        "phone": "+1 555-0142",
        "email": "hello@tern.example",
        "street": "48 Old Ferry Road",
        "city": "Tern Hollow",
        "region": "CA",
        "postal_code": "90000",
        "country": "US",
        "latitude": 34.0,
        "longitude": -119.0,
        "hours": [{"day": "monday", "opens": "07:30", "closes": "18:00"}],
        "same_as": ["https://www.facebook.com/tern", "https://www.instagram.com/tern"],
        "review_links": ["https://g.page/r/tern/review"],
    }
    return make_business(**(values | fields))


def build_review(**fields: Any) -> Review:
    """Build an unsaved review."""
    number = next(_numbers)
    values = {
        "source": "google",
        "external_id": f"r-{number}",
        "author": "Dana R.",
        "rating": 5,
        "date": dt.date(2026, 3, 14),
        "text": "Quick and tidy work.",
    }
    if fields.get("reply_text"):
        values["reply_date"] = dt.date(2026, 3, 15)
    return Review(**(values | fields))


def make_review(*, technicians=(), services=(), areas=(), **fields: Any) -> Review:
    review = build_review(**fields)
    review.save()
    mentioned = [
        *((Mention.Kind.TECHNICIAN, slug) for slug in technicians),
        *((Mention.Kind.SERVICE, slug) for slug in services),
        *((Mention.Kind.AREA, slug) for slug in areas),
    ]
    Mention.objects.bulk_create(
        Mention(review=review, kind=kind, subject=slug) for kind, slug in mentioned
    )
    return review


def make_technician(name: str = "Maren Holt", **fields: Any) -> Technician:
    slug = name.lower().replace(" ", "-")
    return Technician.objects.create(**({"slug": slug, "name": name} | fields))


def make_service(label: str = "Leak detection", **fields: Any) -> Service:
    slug = label.lower().replace(" ", "-")
    return Service.objects.create(**({"slug": slug, "label": label} | fields))


def make_area(name: str = "North Quay", **fields: Any) -> ServiceArea:
    slug = name.lower().replace(" ", "-")
    return ServiceArea.objects.create(**({"slug": slug, "name": name} | fields))
