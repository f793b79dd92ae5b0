"""Generate the demo's reviews, deterministically on every machine."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from demo.business import SOURCES_WITHOUT_PAGES, VERIFYING_SOURCES, technicians
from demo.showcase import DEMO_IDS, END, MONTHS, SEED, span
from review_analysis.name_matching import PersonEntry
from tools.demo_reviews.random import SeededRandom
from tools.demo_reviews.review import FOREIGN, PLAIN, STARS, AspectLabel, DemoReview
from tools.demo_reviews.text_generator import POLARITY, TextGenerator
from tools.demo_reviews.texts import TEXTS

REVIEWS = 312
# Busier summers and winters; the business grows.
SEASONS = (1.2, 1.0, 0.8, 0.7, 0.8, 1.1, 1.4, 1.4, 1.0, 0.8, 0.9, 1.2)


def generate(reviews: int = REVIEWS, seed: int = SEED, end: dt.date = END) -> Iterator[DemoReview]:
    """Yield the reviews from the oldest to the newest."""
    rng = SeededRandom(seed)
    start, end = span(end)
    staff = technicians(start, end)
    months = _months(start)
    ordinals = sorted(_date(rng, months, end).toordinal() for _ in range(reviews))
    for number, ordinal in enumerate(ordinals):
        date = dt.date.fromordinal(ordinal)
        present = [person for person in staff if person.is_active(date)]
        yield Writer(rng, date, present, _month(start, date)).write(number, end)


def _month(start: dt.date, date: dt.date) -> int:
    return (date.year - start.year) * 12 + date.month - start.month


def _months(start: dt.date) -> list[tuple[str, float]]:
    """Return the first day of each month, and its relative number of reviews."""
    first = start.year * 12 + start.month - 1
    return [
        (
            dt.date((first + month) // 12, (first + month) % 12 + 1, 1).isoformat(),
            SEASONS[(first + month) % 12] * (0.7 + month / MONTHS),
        )
        for month in range(MONTHS)
    ]


def _date(rng: SeededRandom, months: Sequence[tuple[str, float]], end: dt.date) -> dt.date:
    month = dt.date.fromisoformat(rng.weighted(months))
    last = min(end, (month + dt.timedelta(days=31)).replace(day=1) - dt.timedelta(days=1))
    return month + dt.timedelta(days=rng.below(last.day))


# --- Moods: one bad month and a recovery ----------------------------------------------------------

BAD_MONTH = 21
# Shares of positive and of neutral reviews; the rest are negative.
MOODS = {BAD_MONTH: (0.2, 0.25), BAD_MONTH + 1: (0.45, 0.25), BAD_MONTH + 2: (0.65, 0.2)}
USUAL_MOOD = (0.78, 0.13)
BETTER_MOOD = (0.86, 0.09)  # After the recovery.

# --- Reviews --------------------------------------------------------------------------------------

SOURCE_SHARES = [(name, share) for name, share in TEXTS["sources"]]


@dataclass(slots=True)
class Writer:
    """Write one review; `month` counts from the demo's first."""

    rng: SeededRandom
    date: dt.date
    staff: list[PersonEntry]
    month: int
    said: TextGenerator = field(init=False)

    def __post_init__(self) -> None:
        self.said = TextGenerator(self.rng, self.date, self.staff)

    def write(self, number: int, end: dt.date) -> DemoReview:
        rng, said = self.rng, self.said
        mood = self._mood()
        kind, language, text = PLAIN, "en", ""
        if number % 23 == 7:
            kind = FOREIGN
            language = rng.pick(tuple(TEXTS["other_languages"]))
            choices = TEXTS["other_languages"][language]
            mood = mood if mood in choices else "positive"
            said.balance = POLARITY[mood]
            text = rng.expand(rng.pick(choices[mood]))
        elif rng.chance(0.12):
            kind = STARS
            said.balance = POLARITY[mood]
        else:
            wanted = rng.weighted((("1", 15), ("2", 35), ("3", 30), ("4", 14), ("5", 6)))
            said.compose(mood, clauses_wanted=int(wanted))
            text = said.text()
        if kind == PLAIN and rng.chance(0.02):
            text = text.upper()
            said.aspects = [(a, polarity, phrase.upper()) for a, polarity, phrase in said.aspects]
        return self._review(kind, language, text, end)

    def _review(self, kind: str, language: str, text: str, end: dt.date) -> DemoReview:
        rng, said = self.rng, self.said
        sentiment = "neutral"
        if said.balance:
            sentiment = "positive" if said.balance > 0 else "negative"
        source = rng.weighted(SOURCE_SHARES)
        ulid = rng.ulid(self.date)
        external_id = f"{DEMO_IDS}{ulid.lower()}"
        has_page = source not in SOURCES_WITHOUT_PAGES
        reply, reply_date = self._reply(sentiment, end)
        return DemoReview(
            ulid=ulid,
            source=source,
            external_id=external_id,
            author=self._author(),
            author_avatar_url=(
                f"https://avatars.example/{rng.below(500)}.png" if rng.chance(0.3) else ""
            ),
            rating=self._rating(sentiment, kind),
            date=self.date,
            text=text,
            source_url=f"https://{source}.example/reviews/{external_id}" if has_page else "",
            reply_text=reply,
            reply_date=reply_date,
            verified=source in VERIFYING_SOURCES,
            kind=kind,
            language=language if text else "",
            sentiment=sentiment,
            aspects=tuple(
                # A clause at the beginning of a sentence is capitalised in the text.
                AspectLabel(aspect, polarity, part if part in text else part[0].upper() + part[1:])
                for aspect, polarity, part in said.aspects
            ),
            technicians=tuple(sorted(set(said.technicians))),
            services=tuple(sorted(set(said.services))),
            areas=tuple(sorted(set(said.areas))),
            problems=tuple(sorted(set(said.problems))),
        )

    def _mood(self) -> str:
        usual = BETTER_MOOD if self.month > BAD_MONTH else USUAL_MOOD
        praising, mixed = MOODS.get(self.month, usual)
        moods = (("positive", praising), ("neutral", mixed), ("negative", 1 - praising - mixed))
        return self.rng.weighted(moods)

    def _rating(self, sentiment: str, kind: str) -> int:
        rng = self.rng
        if kind == PLAIN and rng.chance(0.01):  # Stars that contradict the text.
            sentiment = {"positive": "negative", "negative": "positive"}.get(sentiment, sentiment)
        if sentiment == "positive":
            has_complaint = any(polarity == "negative" for _, polarity, _ in self.said.aspects)
            return 5 if rng.chance(0.15 if has_complaint else 0.85) else 4
        if sentiment == "negative":
            return 1 if rng.chance(0.65) else 2
        return int(rng.weighted((("3", 60), ("4", 20), ("2", 20))))

    def _author(self) -> str:
        rng = self.rng
        if rng.chance(0.03):
            return "Anonymous"
        if rng.chance(0.05):
            return rng.pick(TEXTS["long_authors"])
        return f"{rng.pick(TEXTS['authors'].split())} {rng.pick('ABCDEFGHJKLMNPRSTVWZ')}."

    def _reply(self, sentiment: str, end: dt.date) -> tuple[str, dt.date | None]:
        rng = self.rng
        date = self.date + dt.timedelta(days=1 + rng.below(6))
        if date > end or not rng.chance(0.75 if sentiment == "negative" else 0.3):
            return "", None
        return rng.expand(rng.pick(TEXTS["replies"][sentiment])), date
