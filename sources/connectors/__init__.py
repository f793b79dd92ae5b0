"""Registry of connectors by kind of source. `protocol` describes how to write one."""

from collections.abc import Mapping
from functools import partial

from sources.connectors import (
    folder,
    google_business_profile,
    push,
    recipe_form,
    reviews,
    url,
)
from sources.connectors.protocol import Connector, refuse
from sources.models import SourceConnection

CONNECTORS: Mapping[str, Connector] = {
    each.name: each
    for each in (
        google_business_profile.CONNECTOR,
        url.CONNECTOR,
        push.CONNECTOR,
        folder.CONNECTOR,
        reviews.CONNECTOR,
        recipe_form.connector({}),
    )
}
NO_KIND = "This version does not know the kind “{}”. Upgrade, or delete the source."
RECIPES = ("trustpilot", "apify", "outscraper", "dataforseo", "serpapi")


def connector_of(connection: SourceConnection) -> Connector:
    """Return the connector of a source. Polls of an unknown kind fail."""
    kind = connection.kind
    if kind == recipe_form.NAME:
        return recipe_form.connector(connection.settings)
    unknown = Connector(name=kind, label=kind, fetch=partial(refuse, NO_KIND.format(kind)))
    return CONNECTORS.get(kind, unknown)


def offered() -> list[Connector]:
    """Return the connectors on offer, with one for each shipped recipe."""
    *others, api = CONNECTORS.values()
    return [*others, *(recipe_form.connector({"recipe": name}) for name in RECIPES), api]


# Sites without a connector, and the reason.
NOT_OFFERED: Mapping[str, str] = {
    "Google Places API": "It gives five reviews at most, and Google's terms do not allow storing "
    "them. Use Google Business Profile.",
    "Yelp": "Its API gives three excerpts, and limits how long they may be stored.",
    "Facebook": "Meta has ended access to recommendations.",
    "Apple": "Business Connect has no interface for ratings.",
}
