"""An invented review with the labels of its text."""

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any, TextIO

from demo.business import BUSINESS
from imports.records import Record

STARS, PLAIN, FOREIGN = "stars", "plain", "foreign"


@dataclass(frozen=True, slots=True)
class AspectLabel:
    """A clause of a text, with its aspect and polarity."""

    aspect: str
    polarity: str
    phrase: str


@dataclass(frozen=True, slots=True)
class DemoReview:
    ulid: str
    source: str
    external_id: str
    author: str
    author_avatar_url: str
    rating: int
    date: dt.date
    text: str
    source_url: str
    reply_text: str
    reply_date: dt.date | None
    verified: bool
    kind: str
    language: str
    sentiment: str
    aspects: tuple[AspectLabel, ...] = ()
    technicians: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def record(self) -> Record:
        """Convert the review to a record of an import."""
        shared = {
            field.name: getattr(self, field.name)
            for field in fields(Record)
            if hasattr(self, field.name)
        }
        return Record(row=0, external_id_is_synthetic=False, text_language=self.language, **shared)


# --- Labels as JSON, for the evaluation of an analyser --------------------------------------------


def labels(review: DemoReview) -> dict[str, Any]:
    """Return the aspects, entities and sentiment that the text was made from.

    `kind` is `plain`, `foreign` (not English, only `sentiment` is labelled) or `stars` (no text).
    Every `phrase` is a part of the text.
    """
    return {
        "kind": review.kind,
        "language": review.language or None,
        "rating": review.rating,
        "sentiment": review.sentiment,
        "aspects": [asdict(said) for said in review.aspects],
        "technicians": list(review.technicians),
        "services": list(review.services),
        "areas": list(review.areas),
        "problems": list(review.problems),
    }


def write_labels(
    reviews: Iterable[DemoReview], file: TextIO, *, seed: int, end: dt.date
) -> Iterator[DemoReview]:
    """Yield the reviews, and write the labels of each to `file`."""
    head = {"business": BUSINESS["slug"], "seed": seed, "end": end.isoformat()}
    file.write(json.dumps(head)[:-1] + ', "reviews": {')
    separator = "\n"
    for review in reviews:
        file.write(f"{separator}{json.dumps(review.ulid)}: ")
        file.write(json.dumps(labels(review), ensure_ascii=False))
        separator = ",\n"
        yield review
    file.write("\n}}\n")
