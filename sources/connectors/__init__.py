"""The kinds of sources. `protocol` says how a new one is written; it is then listed here."""

from collections.abc import Mapping

from sources.connectors import (
    apify,
    dataforseo,
    folder,
    google_business_profile,
    outscraper,
    push,
    reviews,
    serpapi,
    trustpilot,
    url,
)
from sources.connectors.protocol import Connector

CONNECTORS: Mapping[str, Connector] = {
    kind.name: kind
    for kind in (
        google_business_profile.CONNECTOR,
        trustpilot.CONNECTOR,
        url.CONNECTOR,
        push.CONNECTOR,
        folder.CONNECTOR,
        apify.CONNECTOR,
        outscraper.CONNECTOR,
        dataforseo.CONNECTOR,
        serpapi.CONNECTOR,
        reviews.CONNECTOR,
    )
}


def choices() -> list[tuple[str, str]]:
    """Names and labels of all kinds."""
    return [(kind.name, kind.label) for kind in CONNECTORS.values()]


# Sites without a kind, and the reason.
NOT_OFFERED: Mapping[str, str] = {
    "Google Places API": "It gives five reviews at most, and Google's terms do not allow to store "
    "them. Use Google Business Profile.",
    "Yelp": "Its API gives three excerpts, and limits how long they may be stored.",
    "Facebook": "Meta has ended access to recommendations.",
    "Apple": "Business Connect has no interface for ratings.",
}
