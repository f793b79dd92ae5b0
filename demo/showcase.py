"""Reviews of the demo, written like those of customers, from `showcase.csv`."""

import csv
import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from demo.business import roster
from demo.generator import CHECKING_SOURCES, END, SEED, span
from demo.random import SeededRandom
from demo.review import DEMO_IDS, FOREIGN, PLAIN, STARS, DemoReview
from review_analysis.name_matching import Roster

FILE = Path(__file__).with_name("showcase.csv")
# Stored beside the business of the showcase.
LOGO = Path(__file__).with_name("logo.png")
REVIEW_LINKS = [
    "https://maps.example/ternhollow/review",
    "https://social.example/ternhollow/review",
]
SENTIMENTS = {1: "negative", 2: "negative", 3: "neutral", 4: "positive", 5: "positive"}


def showcase(end: dt.date = END) -> Iterator[DemoReview]:
    """The reviews from the oldest to the newest, with the same ids whatever their last day."""
    rng = SeededRandom(SEED)
    entries = roster(*span(end))
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            yield _review(rng, entries, end, row)


def _review(rng: SeededRandom, entries: Roster, end: dt.date, row: list[str]) -> DemoReview:
    days, source, author, stars, language, text, days_to_reply, reply = row
    before = dt.timedelta(days=int(days))
    ulid = rng.ulid(END - before)
    external_id = f"{DEMO_IDS}{ulid.lower()}"
    named = sorted(set(entries.match(text, date=end - before)))
    kind = STARS if not text else PLAIN if language == "en" else FOREIGN
    has_page = source not in {"own-survey", "nextdoor"}
    return DemoReview(
        ulid=ulid,
        source=source,
        external_id=external_id,
        author=author,
        author_avatar_url="",
        rating=int(stars),
        date=end - before,
        text=text,
        source_url=f"https://{source}.example/reviews/{external_id}" if has_page else "",
        reply_text=reply,
        reply_date=end - before + dt.timedelta(days=int(days_to_reply)) if reply else None,
        verified=source in CHECKING_SOURCES,
        kind=kind,
        language=language,
        sentiment=SENTIMENTS[int(stars)],
        technicians=tuple(slug for of, slug in named if of == "technician"),
        services=tuple(slug for of, slug in named if of == "service"),
        areas=tuple(slug for of, slug in named if of == "area"),
    )
