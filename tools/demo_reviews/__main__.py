"""Load generated reviews as the demo: `python -m tools.demo_reviews`."""

import argparse
import datetime as dt
import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import django

from tools.demo_reviews import END, REVIEWS, SEED, DemoReview, generate, write_labels


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m tools.demo_reviews", description=__doc__)
    parser.add_argument("--reviews", type=int, default=REVIEWS, help="how many")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--end", type=dt.date.fromisoformat, default=END, help="the last day")
    parser.add_argument(
        "--truth", type=Path, help="write what each text was made from to this file, as JSON"
    )
    given = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from demo.loading import add_inbox, load  # noqa: PLC0415  (Needs the models.)

    reviews: Iterable[DemoReview] = generate(given.reviews, given.seed, given.end)
    with ExitStack() as stack:
        if given.truth:
            file = stack.enter_context(given.truth.open("w", encoding="utf-8", newline="\n"))
            reviews = write_labels(reviews, file, seed=given.seed, end=given.end)
        load((review.record() for review in reviews), given.end)
    add_inbox()


if __name__ == "__main__":
    main()
