"""Build the content of a widget from the document and options."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings

from embed.languages import Language, language
from embed.options import HIGHEST, LOWEST, OLDEST, QUOTE, Options
from reviews.avatars import initials, tint
from reviews.published_json import ALTERATIONS, EDITED, REDACTED
from reviews.sites import source_label

Document = Mapping[str, Any]

EXCERPT = 220  # Characters of a text that a closed card shows.
WORDS = (
    *("previous", "next", "pause", "play", "close", "more", "less", "further"),
    *("reply", "verified"),
)
MIN_REST = 60  # A shorter rest is shown at once.


def widget(document: Document, options: Options) -> dict[str, Any]:
    """Return the members of a widget; rating and count are those of all reviews."""
    spoken = language(options.lang, document["business"]["language"])
    business = document["business"]["name"]
    rating = document["aggregate_rating"]
    count = rating["review_count"]
    reviews = choose(document["reviews"], options)
    value = rating["rating_value"]
    sources = {each["id"]: each["name"] for each in document["sources"]}
    return {
        "lang": spoken.tag,
        "title": _named(spoken, "title", "title_of", business),
        "rating": value,
        "rating_text": spoken.rating(value) if count else "-",
        "rating_label": spoken.phrase("rating", rating=spoken.rating(value)) if count else "",
        "count": count,
        "count_text": spoken.counted("count", count),
        "note": _note(spoken, options, sources, len(reviews), count),
        "publisher": _named(spoken, "published", "published_by", business),
        "all": {"text": spoken.phrase("all"), "url": f"{settings.BASE_URL}/reviews"},
        "words": {name: spoken.phrase(name) for name in WORDS},
        "reviews": [_card(spoken, review, sources) for review in reviews],
    }


def choose(reviews: Sequence[Mapping[str, Any]], options: Options) -> list[Mapping[str, Any]]:
    """Filter and order reviews, given newest first, by the options."""
    found = [
        review
        for review in reviews
        if review["rating"] >= options.min_rating
        and (not options.source or review["source"] == options.source)
    ]
    if options.sort == OLDEST:
        found.reverse()
    elif options.sort in {HIGHEST, LOWEST}:
        found.sort(key=lambda review: review["rating"], reverse=options.sort == HIGHEST)
    if options.layout == QUOTE:
        # Prefer a review with a text.
        return [next((each for each in found if each["text"]), *found[:1])] if found else []
    return found[: options.max]


def excerpt(text: str) -> tuple[str, str]:
    """Split a text after the last word that fits; return both parts."""
    if len(text) <= EXCERPT + MIN_REST:
        return text, ""
    beginning = text[:EXCERPT].rpartition(" ")[0] or text[:EXCERPT]
    return beginning.rstrip(), text[len(beginning) :]


def _named(spoken: Language, without: str, with_name: str, business: str) -> str:
    return spoken.phrase(with_name, business=business) if business else spoken.phrase(without)


def _note(
    spoken: Language, options: Options, sources: Mapping[str, str], shown: int, count: int
) -> str:
    """Describe the listed reviews: their number, filters and order."""
    if not count:
        return spoken.phrase("none")
    which = []
    if options.min_rating == 5:
        which.append(spoken.phrase("five"))
    elif options.min_rating > 1:
        which.append(spoken.phrase("min_rating", stars=str(options.min_rating)))
    if options.source:
        named = sources.get(options.source) or source_label(options.source, sources)
        which.append(spoken.phrase("source", source=named))
    which.append(spoken.phrase(options.sort))
    listed = spoken.counted("shown", count, shown=str(shown), which=", ".join(which))
    return listed if shown else f"{listed}. {spoken.phrase('no_match')}"


def _card(
    spoken: Language, review: Mapping[str, Any], sources: Mapping[str, str]
) -> dict[str, Any]:
    marks = [name for name in (EDITED, REDACTED) if review.get(ALTERATIONS[name]) is True]
    beginning, rest = excerpt(review["text"] or "")
    return {
        "id": review["id"],
        "author": review["author"],
        "initials": initials(review["author"]),
        "tint": tint(review["author"]),
        "avatar": review.get("avatar"),
        "is_verified": review["verified"],
        "rating": review["rating"],
        "rating_label": spoken.phrase("rating", rating=str(review["rating"])),
        "mark": spoken.phrase(marks[0]) if marks else None,
        "date": review["date"],
        "date_text": spoken.date(review["date"]),
        "source": sources[review["source"]],
        "text": beginning,
        "rest": rest,
        "text_lang": review["language"],
        "reply": review.get("reply"),
        "photos": review.get("photos", []),
        "url": f"{settings.BASE_URL}/reviews/{review['id']}",
        "read": spoken.phrase("read", author=review["author"]),
    }
