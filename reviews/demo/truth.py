"""Pure: the truth about the demo's texts as JSON, to measure an analyser by."""

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, TextIO

from reviews.demo.business import BUSINESS
from reviews.demo.review import DemoReview


def truth(review: DemoReview) -> dict[str, Any]:
    """What the review's text was made from.

    `kind` is `plain`, `hostile` (an ordinary text behind a nasty one), `foreign` (not English: the
    sentiment alone is told) or `stars` (no text). Every `phrase` stands in the text as it is.
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


def noted(
    reviews: Iterable[DemoReview], file: TextIO, *, seed: int, end: dt.date
) -> Iterator[DemoReview]:
    """The same reviews; the truth about each is written to `file` as it passes."""
    head = {"business": BUSINESS["slug"], "seed": seed, "end": end.isoformat()}
    file.write(json.dumps(head)[:-1] + ', "reviews": {')
    separator = "\n"
    for review in reviews:
        file.write(f"{separator}{json.dumps(review.ulid)}: ")
        file.write(json.dumps(truth(review), ensure_ascii=False))
        separator = ",\n"
        yield review
    file.write("\n}}\n")
