"""Labels of the demo's texts as JSON, for the evaluation of an analyser."""

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, TextIO

from demo.business import BUSINESS
from demo.review import DemoReview


def labels(review: DemoReview) -> dict[str, Any]:
    """Return the aspects, entities and sentiment that the text was made from.

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


def write_labels(
    reviews: Iterable[DemoReview], file: TextIO, *, seed: int, end: dt.date
) -> Iterator[DemoReview]:
    """Yield the same reviews, and write the labels of each to `file`."""
    head = {"business": BUSINESS["slug"], "seed": seed, "end": end.isoformat()}
    file.write(json.dumps(head)[:-1] + ', "reviews": {')
    separator = "\n"
    for review in reviews:
        file.write(f"{separator}{json.dumps(review.ulid)}: ")
        file.write(json.dumps(labels(review), ensure_ascii=False))
        separator = ",\n"
        yield review
    file.write("\n}}\n")
