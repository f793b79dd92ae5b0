"""The content of a widget in words: what the document holds, chosen and put into a language.

The same members are shown by the script, in frames, in fragments and on badges.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings

from embed.languages import Language, language
from embed.options import HIGHEST, LOWEST, OLDEST, Options
from reviews.fragments import ALTERATIONS, EDITED, REDACTED, source_label

Document = Mapping[str, Any]

# Five stars side by side, each in a square of 20 units.
STARS = (
    "M10 1.4L12.3 7.4L18.7 7.8L13.7 11.8L15.4 18L10 14.5L4.6 18L6.3 11.8L1.3 7.8L7.7 7.4zM30 "
    "1.4L32.3 7.4L38.7 7.8L33.7 11.8L35.4 18L30 14.5L24.6 18L26.3 11.8L21.3 7.8L27.7 7.4zM50 "
    "1.4L52.3 7.4L58.7 7.8L53.7 11.8L55.4 18L50 14.5L44.6 18L46.3 11.8L41.3 7.8L47.7 7.4zM70 "
    "1.4L72.3 7.4L78.7 7.8L73.7 11.8L75.4 18L70 14.5L64.6 18L66.3 11.8L61.3 7.8L67.7 7.4zM90 "
    "1.4L92.3 7.4L98.7 7.8L93.7 11.8L95.4 18L90 14.5L84.6 18L86.3 11.8L81.3 7.8L87.7 7.4z"
)


def widget(document: Document, options: Options) -> dict[str, Any]:
    """The members of a widget; rating and count are those of all reviews, whatever it lists."""
    spoken = language(options.lang, document["business"]["language"])
    business = document["business"]["name"]
    rating = document["aggregate_rating"]
    count = rating["review_count"]
    reviews = choose(document["reviews"], options)
    value = rating["rating_value"]
    return {
        "lang": spoken.tag,
        "title": _named(spoken, "title", "title_of", business),
        "rating": value,
        "rating_text": spoken.rating(value) if count else "-",
        "rating_label": spoken.phrase("rating", rating=spoken.rating(value)) if count else "",
        "count": count,
        "count_text": spoken.counted("count", count),
        "note": _note(spoken, options, len(reviews), count),
        "publisher": _named(spoken, "published", "published_by", business),
        "all": {"text": spoken.phrase("all"), "url": f"{settings.BASE_URL}/reviews"},
        "previous": spoken.phrase("previous"),
        "next": spoken.phrase("next"),
        "reviews": [_card(spoken, review) for review in reviews],
    }


def choose(reviews: Sequence[Mapping[str, Any]], options: Options) -> list[Mapping[str, Any]]:
    """The reviews that the options ask for; `reviews` are newest first."""
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
    return found[: options.max]


def _named(spoken: Language, without: str, with_name: str, business: str) -> str:
    return spoken.phrase(with_name, business=business) if business else spoken.phrase(without)


def _note(spoken: Language, options: Options, shown: int, count: int) -> str:
    """How many of all reviews are listed, and which; says so when there are none."""
    if not count:
        return spoken.phrase("none")
    which = []
    if options.min_rating == 5:
        which.append(spoken.phrase("five"))
    elif options.min_rating > 1:
        which.append(spoken.phrase("min_rating", stars=str(options.min_rating)))
    if options.source:
        which.append(spoken.phrase("source", source=source_label(options.source)))
    which.append(spoken.phrase(options.sort))
    listed = spoken.counted("shown", count, shown=str(shown), which=", ".join(which))
    return listed if shown else f"{listed}. {spoken.phrase('no_match')}"


def _card(spoken: Language, review: Mapping[str, Any]) -> dict[str, Any]:
    marks = [
        spoken.phrase(name) for name in (EDITED, REDACTED) if review.get(ALTERATIONS[name]) is True
    ]
    facts = [source_label(review["source"])]
    if review["verified"]:
        facts.append(spoken.phrase("verified"))
    return {
        "id": review["id"],
        "author": review["author"],
        "rating": review["rating"],
        "rating_label": spoken.phrase("rating", rating=str(review["rating"])),
        "mark": marks[0] if marks else None,
        "date": review["date"],
        "date_text": spoken.date(review["date"]),
        "facts": " · ".join(fact for fact in facts if fact),
        "text": review["text"] or spoken.phrase("no_text"),
        "text_lang": review["language"] if review["text"] else spoken.tag,
        "url": f"{settings.BASE_URL}/reviews/{review['id']}",
        "read": spoken.phrase("read", author=review["author"]),
    }
