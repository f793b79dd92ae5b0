"""Adjustments of values for single formats, by their names in `formats.toml`.

Each function changes the values of one review in place, or raises `RowSkipped`.
"""

import re
from collections.abc import Callable, Mapping
from urllib.parse import parse_qs, unquote, urlsplit

from review_exports.formats.base import (
    COMMENTS,
    Fields,
    RowSkipped,
    is_blank,
    use_comment_as_reply,
)
from review_exports.values.web_addresses import URL_MAX

# --- Google ---------------------------------------------------------------------------------------

_RESOURCE = re.compile(r"(?:accounts/[^/]+/)?(locations/[^/]+/reviews/[^/]+)")
_REVIEW_IN_LINK = re.compile(r"[?&#:]reviewid=([^&#\s]+)", re.IGNORECASE)


def _business_profile(fields: Fields) -> None:
    # The account part of the resource name differs between the owners of one location.
    name = fields["_resource"]
    if isinstance(name, str) and (found := _RESOURCE.fullmatch(name.strip())):
        fields["review_id"] = found[1]


def _places(fields: Fields) -> None:
    name = fields["_resource"]
    if isinstance(name, str) and "/reviews/" in name:
        fields["review_id"] = name.rpartition("/")[2]


def _play_console(fields: Fields) -> None:
    # The only id that an edited review keeps; stars without words have no link.
    link = fields["source_url"]
    if isinstance(link, str) and (found := _REVIEW_IN_LINK.search(link)):
        fields["review_id"] = unquote(found[1])
    fields["source_url"] = None  # A page that only the developer can open.


# --- Services that gather reviews -----------------------------------------------------------------


def _apify(fields: Fields) -> None:
    # Runs also write items about errors and places without a review.
    if all(is_blank(fields[name]) for name in ("date", "_stars", "_other_rating")):
        raise RowSkipped("not_a_review")
    # Reviews from other sites on Google have a rating on their own scale and no stars.
    fields["rating"] = fields["_other_rating"] if is_blank(fields["_stars"]) else fields["_stars"]


# A link of Google Maps has the id in its data part; the id is the last part of other links.
_MAPS_ID = re.compile(r"!1s(C[A-Za-z0-9_-]{8,}(?:%3D|=)*)")
_PAGE_NAME = re.compile(r"[A-Za-z0-9_-]{6,200}")
# Other sites whose reviews Outscraper exports in the same shape.
_OTHER_SITES = re.compile(
    r"https?://(?:[a-z0-9-]+\.)*(airbnb|booking|capterra|facebook|g2|glassdoor|tripadvisor|trustpilot"
    r"|yelp)\.",
    re.IGNORECASE,
)


def _outscraper(fields: Fields) -> None:
    link = fields["source_url"]
    if isinstance(link, str) and (site := _OTHER_SITES.match(link[:URL_MAX])):
        fields["source"] = site[1].lower()
    if is_blank(fields["review_id"]) and isinstance(link, str):
        fields["review_id"] = _id_in(link[:URL_MAX])


def _id_in(link: str) -> str | None:
    if found := _MAPS_ID.search(link):
        return found[1]
    path = re.split(r"[?#]", link.partition("://")[2], maxsplit=1)[0]
    _, slash, last = path.rstrip("/").rpartition("/")
    # A word without a digit is the name of a page rather than an id.
    is_id = slash and _PAGE_NAME.fullmatch(last) and any(character.isdigit() for character in last)
    return last if is_id else None


# --- Review sites ---------------------------------------------------------------------------------


def _facebook(fields: Fields) -> None:
    # Anyone may comment; the page's own comment is the reply. Ids of stories start with the page's.
    page = str(fields["review_id"] or "").partition("_")[0]
    for number in COMMENTS:
        if page and str(fields[f"_comment_{number}_by"]) == page:
            use_comment_as_reply(fields, number)
            return


def _yelp_table(fields: Fields) -> None:
    # Yelp's only id is the `hrid` of the link; a pair of "Updated review" rows shares it.
    if isinstance(link := fields["source_url"], str) and "hrid=" in link:
        try:
            ids = parse_qs(urlsplit(link).query, max_num_fields=50).get("hrid")
        except ValueError:
            return
        if ids:
            fields["review_id"] = ids[0]


def _yelp_fusion(fields: Fields) -> None:
    text = fields["text"]
    if not is_blank(text) and isinstance(text, str) and text.rstrip().endswith(("...", "…")):
        fields["_notes"] = ("text_is_excerpt",)


# --- Tools for reviews of several sites -----------------------------------------------------------


def _birdeye(fields: Fields) -> None:
    fields["author"] = fields["author"] or fields["_nickname"]


def _podium(fields: Fields) -> None:
    # The API names the technicians in a list; a spreadsheet has one cell for them.
    if is_blank(fields["technician"]):
        fields["technician"] = ";".join(
            name
            for name in (fields["_first_attribution"], fields["_second_attribution"])
            if isinstance(name, str)
        )


def _yext(fields: Fields) -> None:
    for number in COMMENTS:
        role, visibility = (fields[f"_comment_{number}_{one}"] for one in ("role", "visibility"))
        # A comment that only the business and Yext see is not a reply.
        if (role, visibility) == ("BUSINESS_OWNER", "PUBLIC"):
            use_comment_as_reply(fields, number)
            return


def _partoo(fields: Fields) -> None:
    # On Google only the owner may comment; on other sites anyone may.
    if str(fields["source"]).casefold().startswith("google"):
        use_comment_as_reply(fields, 0)
    elif fields["_comments"]:
        fields["owner_reply"] = fields["_comments"]  # The list is counted as a dropped reply.


ADJUSTMENTS: Mapping[str, Callable[[Fields], None]] = {
    "apify": _apify,
    "birdeye": _birdeye,
    "business_profile": _business_profile,
    "facebook": _facebook,
    "outscraper": _outscraper,
    "partoo": _partoo,
    "places": _places,
    "play_console": _play_console,
    "podium": _podium,
    "yelp_fusion": _yelp_fusion,
    "yelp_table": _yelp_table,
    "yext": _yext,
}
