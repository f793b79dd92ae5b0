"""Build `/embed.json`, the data of all widgets, and their script `/embed.js`."""

import datetime as dt
import json
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import Coalesce, RowNumber

from core.images import DARK, FIVE_STARS, ICONS, LIGHT
from core.source_digest import source_digest
from embed.options import ALIASES, CHOICES, MAX_RADIUS, MAX_REVIEWS, Options
from publishing.registry import JSON, DocumentSpec, registry
from reviews.documents import published_rating, read_revision
from reviews.models import CUSTOMER_RATING, CUSTOMER_TEXT, Business, Photos, Review
from reviews.published_json import ALTERATIONS
from reviews.selectors import aggregate_rating, get_business, source_names
from reviews.sites import source_label

ASSETS = Path(__file__).parent / "assets"
JAVASCRIPT = "text/javascript; charset=utf-8"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
VERSION = 1
MAX_TEXT = 2000  # Characters of a text or reply; cards link to the full review.
MAX_PHOTOS = 4

# Members copied from a published review.
MEMBERS = (*("id", "author", "rating", "date", "text", "source", "verified"), *ALTERATIONS.values())


def build(changed_at: dt.datetime) -> bytes:
    """Build the rating and the reviews that widgets can show, newest first.

    These are the newest and the oldest `MAX_REVIEWS` of each source and rating, which suffices for
    every filter and order of a widget.
    """
    business = get_business() or Business()
    names = source_names()
    sources = Review.objects.visible().order_by("source").values("source")
    # Images at other sites expose visitors to these sites, so the business decides.
    has_pictures = business.photos == Photos.IMAGES
    document = {
        "version": VERSION,
        "business": {"name": business.name, "language": business.language},
        "aggregate_rating": published_rating(aggregate_rating()),
        "sources": [
            {
                "id": row["source"],
                "name": source_label(row["source"], names),
                "review_count": row["reviews"],
            }
            for row in sources.annotate(reviews=Count("pk"))
        ],
        "has_pictures": has_pictures,
        "reviews": [_entry(row, has_pictures=has_pictures) for row in _candidates().iterator()],
    }
    return orjson.dumps(document)


def _candidates() -> QuerySet[Review, tuple[Any, ...]]:
    """Select fragment, customer's rating and text, and languages of reviews to show."""
    alike: list[F | Coalesce] = [F("source"), CUSTOMER_RATING]
    newest = Window(RowNumber(), alike, [F("date").desc(), F("ulid").desc()])
    oldest = Window(RowNumber(), alike, [F("date").asc(), F("ulid").asc()])
    placed = (
        Review.objects.visible()
        .annotate(newest=newest, oldest=oldest)
        .filter(Q(newest__lte=MAX_REVIEWS) | Q(oldest__lte=MAX_REVIEWS))
    )
    chosen = Review.objects.filter(pk__in=list(placed.order_by().values_list("pk", flat=True)))
    return chosen.newest_first().values_list(
        "fragment", CUSTOMER_RATING, CUSTOMER_TEXT, "language", "text_language"
    )


def _entry(row: tuple[Any, ...], *, has_pictures: bool) -> dict[str, Any]:
    fragment, rating, text, language, text_language = row
    published = orjson.loads(fragment) | {"rating": rating, "text": _cut(text) or None}
    review: dict[str, Any] = {name: published[name] for name in MEMBERS if name in published}
    if reply := published["owner_reply"]:
        review["reply"] = _cut(reply["text"])
    if has_pictures:
        review["avatar"] = published["author_avatar_url"]
        review["photos"] = published.get("photos", [])[:MAX_PHOTOS]
    spoken = (text_language or language or "") if text else ""
    review["language"] = None if spoken in {"", "und"} else spoken
    return review


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[:MAX_TEXT].rstrip()}…"


CODE = partial(source_digest, "core/images.py", "core/images.toml", "embed", "reviews")

DOCUMENT = registry.register(
    DocumentSpec(
        path="/embed.json",
        media_type=JSON,
        build=build,
        revision=read_revision,
        name="embed",
        title="Reviews for widgets",
        description="The rating of all reviews; the newest and oldest of each source and rating.",
        is_bounded=True,
        fingerprint=CODE,
    )
)


# --- The script -----------------------------------------------------------------------------------


def build_script(changed_at: dt.datetime) -> bytes:
    """Build the script of the custom element, with its styles and URLs."""
    default = Options()
    choices = {
        "names": CHOICES,
        "aliases": ALIASES,
        "usual": {name: getattr(default, name) for name in CHOICES},
        "max": MAX_REVIEWS,
        "count": default.max,
        "radius": MAX_RADIUS,
    }
    script = (ASSETS / "embed.js").read_text()
    values = {
        "ORIGIN": settings.BASE_URL,
        "STYLES": styles(),
        "CHOICES": choices,
        "STARS": FIVE_STARS,
        "ICONS": ICONS,
    }
    for name, value in values.items():
        script = script.replace(f'"__{name}__"', json.dumps(value, separators=(",", ":")))
    return script.encode()


def styles() -> str:
    """Build the minified style sheet of a widget, with colours of both themes."""
    light, dark = _colours("light", LIGHT), _colours("dark", DARK)
    themes = (
        f".cr {{ {light} }}\n.cr.cr-dark {{ {dark} }}\n"
        f"@media (prefers-color-scheme: dark) {{ .cr.cr-auto {{ {dark} }} }}\n"
    )
    sheet = themes + COMMENT.sub("", (ASSETS / "embed.css").read_text())
    return "\n".join(line.strip() for line in sheet.splitlines() if line.strip())


def own_styles(options: Options) -> str:
    """Return the CSS rule for colours and radius other than the defaults."""
    if not options.look:
        return ""
    colours = {"--cr-accent": options.accent, "--cr-star": options.star_color}
    values = [f"{name}: #{value};" for name, value in colours.items() if value]
    return f"\n.cr.cr-look-{options.look} {{ {' '.join(values)} --cr-radius: {options.radius}px; }}"


def _colours(scheme: str, colours: Mapping[str, str]) -> str:
    properties = [f"--{name.replace('_', '-')}: {value};" for name, value in colours.items()]
    return " ".join([f"color-scheme: {scheme};", *properties])


SCRIPT = registry.register(
    DocumentSpec(
        path="/embed.js",
        media_type=JAVASCRIPT,
        build=build_script,
        revision=None,
        name="embed-script",
        title="Script of widgets",
        description="Defines the element <customer-reviews> for pages of other sites.",
        is_bounded=True,
        fingerprint=CODE,
    )
)
