"""Reviews of the demo, from `showcase.csv`."""

import csv
import datetime as dt
import random
from collections.abc import Iterator
from pathlib import Path

from demo.business import SOURCES_WITHOUT_PAGES, VERIFYING_SOURCES
from imports.records import Record
from reviews.ulids import ALPHABET

FILE = Path(__file__).with_name("showcase.csv")
LOGO = Path(__file__).with_name("logo.png")
REVIEW_LINKS = [
    "https://maps.example/ternhollow/review",
    "https://social.example/ternhollow/review",
]
DEMO_IDS = "demo-"  # Prefix of the external ids of the demo's reviews.
SEED = 20_230
# Fixed, so that the demo never changes; the argument `end` makes it recent.
END = dt.date(2026, 10, 31)
MONTHS = 36
_EPOCH = dt.date(1970, 1, 1).toordinal()


def span(end: dt.date = END) -> tuple[dt.date, dt.date]:
    """Return the first and the last day of a demo."""
    months = end.year * 12 + end.month - MONTHS
    return dt.date(months // 12, months % 12 + 1, 1), end


def showcase(end: dt.date = END) -> Iterator[Record]:
    """Yield the reviews, oldest first; their ids do not depend on `end`."""
    rng = random.Random(SEED)  # noqa: S311  (Repeatable, not secret.)
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            yield _review(rng, end, row)


def _review(rng: random.Random, end: dt.date, row: list[str]) -> Record:
    days, source, author, stars, language, text, days_to_reply, reply = row
    before = dt.timedelta(days=int(days))
    ulid = seeded_ulid(rng, END - before)
    external_id = f"{DEMO_IDS}{ulid.lower()}"
    has_page = source not in SOURCES_WITHOUT_PAGES
    return Record(
        row=0,
        ulid=ulid,
        source=source,
        external_id=external_id,
        external_id_is_synthetic=False,
        author=author,
        rating=int(stars),
        date=end - before,
        text=text,
        text_language=language,
        source_url=f"https://{source}.example/reviews/{external_id}" if has_page else "",
        reply_text=reply,
        reply_date=end - before + dt.timedelta(days=int(days_to_reply)) if reply else None,
        verified=source in VERIFYING_SOURCES,
    )


def seeded_ulid(rng: random.Random, day: dt.date) -> str:
    """Make a ULID of this day, the same on every machine and Python version."""
    milliseconds = (day.toordinal() - _EPOCH) * 86_400_000 + int(rng.random() * 86_400_000)
    number = milliseconds << 80 | rng.getrandbits(80)
    return "".join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
