"""Names and addresses of review sites and of the business's profiles."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from review_exports.formats.base import NO_SOURCE
from review_exports.values.identifiers import source_slug
from review_exports.values.web_addresses import is_web_address
from reviews.current import current_source_names
from reviews.models import Business, Review, SourceName

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
NAMES: Mapping[str, str] = {source: name for source, (name, *_) in _TABLE["reviews"].items()}
_REVIEW_HOSTS = {host: name for name, *hosts in _TABLE["reviews"].values() for host in hosts}
_REPLY_PAGES: Mapping[str, str] = _TABLE["reply_pages"]
_HOSTS = {host: name for name, hosts in _TABLE["profiles"].items() for host in hosts}


# --- Sources --------------------------------------------------------------------------------------


def source_label(source: str, typed: Mapping[str, str]) -> str:
    """Name of a source: the site's own, or as a person `typed` it; empty if not stated."""
    if source == NO_SOURCE:
        return ""
    return NAMES.get(source) or typed.get(source) or source.replace("-", " ").title()


def source_name(source: str) -> str:
    """Name of a source on pages."""
    return source_label(source, current_source_names()) or "Source not stated"


def typed_source(name: str) -> str:
    """Return the source of a typed name, and store the spelling if the table of sites lacks it.

    Return an empty text for a name without a letter or digit.
    """
    source = source_slug(name)
    spelling = " ".join("".join(filter(str.isprintable, name)).split())[: SourceName.MAX]
    if source and source not in {*NAMES, NO_SOURCE, spelling}:
        row = SourceName.objects.filter(source=source).first() or SourceName(source=source)
        if row.name != spelling:
            row.name = spelling
            row.save()
    return source


def review_page(review: Review) -> str:
    """Address of a review at its site; empty if unknown."""
    return review.source_url if is_web_address(review.source_url) else ""


def reply_page(review: Review) -> str:
    """Address at which the owner answers a review; empty if unknown."""
    return _REPLY_PAGES.get(review.source) or review_page(review)


# --- Other sites of the business ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Profile:
    """The business's page at another site."""

    site: str  # The site's name, or its host name if unknown.
    url: str


def site_name(url: str) -> str:
    """Name of the site at an address."""
    host = _host(url)
    return _find_site(host, _HOSTS) or _find_site(host, _REVIEW_HOSTS) or host.removeprefix("www.")


def profiles(business: Business) -> list[Profile]:
    """Profiles at other sites, in the administrator's order."""
    return _profiles(business.same_as)


def review_links(business: Business) -> list[Profile]:
    """Links for writing a review: the administrator's, then profiles at review sites."""
    given = _profiles(business.review_links)
    named = {link.site for link in given}
    others = [
        profile
        for profile in profiles(business)
        if _find_site(_host(profile.url), _REVIEW_HOSTS) and profile.site not in named
    ]
    return given + others


def _profiles(addresses: object) -> list[Profile]:
    if not isinstance(addresses, list):
        return []
    usable = [url for url in addresses if isinstance(url, str) and is_web_address(url)]
    return [Profile(site_name(url), url) for url in dict.fromkeys(usable)]


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").lower()


def _find_site(host: str, names: Mapping[str, str]) -> str:
    """Name of the site with this host; national hosts like google.co.uk count as google.com."""
    labels = host.split(".")
    for start in range(len(labels)):
        if name := names.get(".".join(labels[start:])):
            return name
    registered = next((label for label in reversed(labels[:-1]) if len(label) > 3), "")
    return names.get(f"{registered}.com", "")
