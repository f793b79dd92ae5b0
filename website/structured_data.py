"""Structured data of the pages as JSON-LD: the business, its rating and reviews.

Types and properties are those of schema.org that search engines require. A business without an
address is an `Organization`.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from reviews.models import Business, Review
from reviews.selectors import AggregateRating

JsonObject = dict[str, Any]

# Subtypes of LocalBusiness, by vertical; some verticals have no subtype.
TYPES = {
    "attraction": "AmusementPark",
    "auto_repair": "AutoRepair",
    "clinic": "MedicalClinic",
    "fitness": "ExerciseGym",
    "hair_beauty": "HealthAndBeautyBusiness",
    "home_services": "HomeAndConstructionBusiness",
    "hotel": "Hotel",
    "law_firm": "LegalService",
    "restaurant": "Restaurant",
    "retail": "Store",
}

# Characters that could end the <script> element or begin a comment in it.
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def script_text(data: JsonObject) -> str:
    """Encode JSON so that it is safe inside a <script> element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)


def schema_type(business: Business | None) -> str:
    if business is None or not has_address(business):
        return "Organization"
    return TYPES.get(business.vertical, "LocalBusiness")


def has_address(business: Business) -> bool:
    return bool(business.street or business.city)


def page_data(
    context: Mapping[str, Any], reviews: Iterable[Review], rating: AggregateRating | None = None
) -> JsonObject:
    """Describe the business with the rating and reviews that a page shows."""
    data = _business(context)
    if rating is not None and rating.review_count:
        data["aggregateRating"] = {
            "@type": "AggregateRating",
            "ratingValue": rating.rating_value,
            "reviewCount": rating.review_count,
            "bestRating": 5,
            "worstRating": 1,
        }
    if shown := [_review(review, context["base_url"]) for review in reviews]:
        data["review"] = shown
    return {"@context": "https://schema.org", **data}


def review_data(context: Mapping[str, Any], review: Review) -> JsonObject:
    """Describe one review and its business."""
    data = _review(review, context["base_url"])
    return {"@context": "https://schema.org", **data, "itemReviewed": _business(context)}


def _business(context: Mapping[str, Any]) -> JsonObject:
    business: Business = context["business"]
    base_url: str = context["base_url"]
    address = {
        "streetAddress": business.street,
        "addressLocality": business.city,
        "addressRegion": business.region,
        "postalCode": business.postal_code,
        "addressCountry": business.country,
    }
    data: JsonObject = {
        "@type": schema_type(business),
        "@id": f"{base_url}/#business",
        "name": business.name,
        "legalName": business.legal_name,
        "description": business.description,
        "url": business.url or f"{base_url}/",
        "logo": f"{base_url}/logo.png" if context["logo"] else business.logo_url,
        "image": f"{base_url}/share.png",
        "telephone": business.phone,
        "email": business.email,
        "sameAs": [profile for profile in business.same_as if isinstance(profile, str)],
    }
    if has_address(business):
        given = {name: value for name, value in address.items() if value}
        data["address"] = {"@type": "PostalAddress", **given}
        data["openingHoursSpecification"] = [
            {
                "@type": "OpeningHoursSpecification",
                "dayOfWeek": f"https://schema.org/{str(opening.get('day', '')).capitalize()}",
                "opens": opening.get("opens"),
                "closes": opening.get("closes"),
            }
            for opening in business.hours
            if isinstance(opening, dict)
        ]
        if business.latitude is not None and business.longitude is not None:
            data["geo"] = {
                "@type": "GeoCoordinates",
                "latitude": business.latitude,
                "longitude": business.longitude,
            }
    return {name: value for name, value in data.items() if value}


def _review(review: Review, base_url: str) -> JsonObject:
    data: JsonObject = {
        "@type": "Review",
        "@id": f"{base_url}/reviews/{review.ulid}",
        "url": f"{base_url}/reviews/{review.ulid}",
        "author": {"@type": "Person", "name": review.public_author},
        "datePublished": review.date.isoformat(),
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": review.customer_rating,
            "bestRating": 5,
            "worstRating": 1,
        },
    }
    if review.customer_text:
        data["reviewBody"] = review.customer_text
        if review.language and review.language != "und":
            data["inLanguage"] = review.language
    return data
