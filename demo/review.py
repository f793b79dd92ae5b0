"""An invented review with the labels of its text."""

import datetime as dt
from dataclasses import dataclass

DEMO_IDS = "demo-"  # How the external ids of the demo's reviews begin.
STARS, PLAIN, FOREIGN, HOSTILE = "stars", "plain", "foreign", "hostile"


@dataclass(frozen=True, slots=True)
class AspectLabel:
    """A clause of the text with its aspect and polarity."""

    aspect: str
    polarity: str
    phrase: str


@dataclass(frozen=True, slots=True)
class DemoReview:
    """A review and the labels of its text."""

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
