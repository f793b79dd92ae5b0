"""Yelp: the table that agencies and scrapers hand out, and the Fusion API."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

from review_exports.formats.base import Fields, Format, columns, is_blank, signature
from review_exports.records import ReadWarning


def _adjust_table(fields: Fields) -> None:
    # Yelp's only id is the `hrid` of the link; a pair of "Updated review" rows shares it.
    if isinstance(link := fields["source_url"], str) and "hrid=" in link:
        try:
            ids = parse_qs(urlsplit(link).query, max_num_fields=50).get("hrid")
        except ValueError:
            return
        if ids:
            fields["review_id"] = ids[0]


def _adjust_fusion(fields: Fields) -> None:
    text = fields["text"]
    if not is_blank(text) and isinstance(text, str) and text.rstrip().endswith(("...", "…")):
        fields["_notes"] = ("text_is_excerpt",)


TABLE = Format(
    name="yelp",
    label="Yelp reviews, table",
    signatures=(signature("Reviewer", "Review Date", "Review URL"),),
    columns=columns(
        review_id="Review ID",
        author="Reviewer",
        rating="Rating",
        date="Review Date",
        title="Review Title,Title",
        text="Review",
        source="Source,Platform,Site,Directory,Network",
        source_url="Review URL",
        owner_reply="Business Response,Owner Response,Response,Reply",
        owner_reply_date="Business Response Date,Owner Response Date,Response Date,Reply Date",
        technician="Technician,Employee",
        _updated="Review Date",
    ),
    source="yelp",
    date_order="mdy",
    adjust=_adjust_table,
    newest_wins=True,
)


def _warn_of_terms(_document: Any) -> Iterator[ReadWarning]:
    yield ReadWarning(
        code="terms_forbid_storing",
        message="Yelp's terms do not allow what its API answers to be stored for more than a day; "
        "ask Yelp before you publish these reviews elsewhere.",
    )


FUSION = Format(
    name="yelp_fusion",
    label="Yelp Fusion API",
    signatures=(signature("time_created", "user.name"), signature("time_created", "user")),
    columns=columns(
        review_id="id",
        author="user.name",
        author_avatar_url="user.image_url",
        rating="rating",
        date="time_created",
        text="text",
        source_url="url",
    ),
    source="yelp",
    naive_zone="America/Los_Angeles",
    adjust=_adjust_fusion,
    warn=_warn_of_terms,
)
