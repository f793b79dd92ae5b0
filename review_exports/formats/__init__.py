"""The known formats, in the order in which they are tried.

A format with a longer or rarer signature stands before those that its files would match too.
"""

from collections.abc import Set as AbstractSet

from review_exports.formats import (
    agencies,
    generic,
    google,
    own,
    review_sites,
    schema_org,
    scrapers,
    shops,
)
from review_exports.formats.base import Format

# Recognised by the folded names of their columns or members.
BY_SIGNATURE: tuple[Format, ...] = (
    own.OWN_TABLE,
    google.BUSINESS_PROFILE,  # Before Takeout, which lacks its `reviewId`.
    google.TAKEOUT,
    google.PLACES,
    google.GATHERED,
    google.GOSOM,
    google.PLAY_CONSOLE,
    scrapers.OUTSCRAPER,
    scrapers.APIFY,
    review_sites.APP_STORE,
    review_sites.TRUSTPILOT_PORTAL,
    review_sites.TRUSTPILOT_API,
    agencies.BIRDEYE,  # Before Yelp's table: it, too, has a reviewer, a date and a link.
    agencies.WP_REVIEW_SLIDER,  # Before Facebook, which calls the date the same.
    review_sites.YELP_FUSION,
    review_sites.YELP_TABLE,
    review_sites.FACEBOOK,
    review_sites.FEEFO,
    agencies.PODIUM,
    agencies.YEXT,
    agencies.PARTOO,
    review_sites.BOOKING,
    shops.REVIEWS_IO,
    shops.YOTPO,
    shops.JUDGE_ME,
    shops.LOOX,
)
# Recognised by the kind of file.
BY_CONTAINER: tuple[Format, ...] = (
    google.TAKEOUT_ZIP,
    schema_org.SCHEMA_ORG,
    generic.OBJECTS,
    generic.LINES,
    generic.TABLE,
)


def recognise(names: AbstractSet[str]) -> Format | None:
    """The first format with a signature that the names contain, and a date among them.

    Other tables have "Name" and "Star Rating" as well, or "Review ID".
    """
    for format_ in BY_SIGNATURE:
        if any(signature <= names for signature in format_.signatures) and not names.isdisjoint(
            format_.columns["date"]
        ):
            return format_
    return None
