"""The business on other sites: its profiles, and where customers write a review, by name."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from review_exports.values.web_addresses import is_web_address
from reviews.models import Business

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
SITES: Mapping[str, str] = _TABLES["sites"]
REVIEW_SITES: Mapping[str, str] = _TABLES["review_sites"]


@dataclass(frozen=True, slots=True)
class Profile:
    """An address at another site."""

    site: str  # The site's name, or its host name where it is not known.
    url: str


def site_name(url: str) -> str:
    """The name by which people know the site of an address."""
    host = _host(url)
    return _known(host, SITES) or _known(host, REVIEW_SITES) or host.removeprefix("www.")


def profiles(business: Business) -> list[Profile]:
    """The profiles elsewhere, in the administrator's order."""
    return _profiles(business.same_as)


def review_links(business: Business) -> list[Profile]:
    """Where customers write a review: the addresses given, then profiles at review sites."""
    given = _profiles(business.review_links)
    named = {link.site for link in given}
    others = [
        profile
        for profile in profiles(business)
        if _known(_host(profile.url), REVIEW_SITES) and profile.site not in named
    ]
    return given + others


def _profiles(addresses: object) -> list[Profile]:
    if not isinstance(addresses, list):
        return []
    usable = [url for url in addresses if isinstance(url, str) and is_web_address(url)]
    return [Profile(site_name(url), url) for url in dict.fromkeys(usable)]


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def _known(host: str, names: Mapping[str, str]) -> str:
    """The name of the site with this host; sites of one country end like google.co.uk."""
    labels = host.split(".")
    for start in range(len(labels)):
        if name := names.get(".".join(labels[start:])):
            return name
    registered = next((label for label in reversed(labels[:-1]) if len(label) > 3), "")
    return names.get(f"{registered}.com", "")
