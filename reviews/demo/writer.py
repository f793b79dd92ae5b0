"""Pure: the writing of an invented review: a mood, stars, a text, and all that is beside it."""

import datetime as dt
from dataclasses import dataclass, field

from review_analysis.name_matching import TechnicianEntry
from reviews.demo import voices
from reviews.demo.composer import POLARITY, Composer
from reviews.demo.dice import Dice
from reviews.demo.review import (
    DEMO_IDS,
    FOREIGN,
    HOSTILE,
    PLAIN,
    STARS,
    AspectTruth,
    DemoReview,
)

# --- What customers feel: one bad month and a recovery --------------------------------------------

BAD_MONTH = 21
# Shares of praising and of mixed reviews; the rest complains.
MOODS = {BAD_MONTH: (0.2, 0.25), BAD_MONTH + 1: (0.45, 0.25), BAD_MONTH + 2: (0.65, 0.2)}
USUAL_MOOD = (0.78, 0.13)
BETTER_MOOD = (0.86, 0.09)  # What the recovery led to.

# --- Where they write -----------------------------------------------------------------------------

SOURCE_SHARES = [(name, share) for name, share, _ in voices.SOURCES]
CHECKING_SOURCES = [name for name, _, checks in voices.SOURCES if checks]


@dataclass(slots=True)
class Writer:
    """Writes one review; `month` counts from the demo's first."""

    dice: Dice
    date: dt.date
    staff: list[TechnicianEntry]
    month: int
    said: Composer = field(init=False)

    def __post_init__(self) -> None:
        self.said = Composer(self.dice, self.date, self.staff)

    def write(self, number: int, end: dt.date) -> DemoReview:
        dice, said = self.dice, self.said
        mood = self._mood()
        kind, language, text = PLAIN, "en", ""
        if number % 19 == 11:
            kind = HOSTILE
            hostile = voices.HOSTILE[number // 19 % len(voices.HOSTILE)]
            said.compose(mood, clauses_wanted=1)
            text = f"{hostile} {said.text()}"
        elif number % 23 == 7:
            kind = FOREIGN
            language = dice.pick(tuple(voices.OTHER_LANGUAGES))
            choices = voices.OTHER_LANGUAGES[language]
            mood = mood if mood in choices else "positive"
            said.balance = POLARITY[mood]
            text = dice.expand(dice.pick(choices[mood]))
        elif dice.chance(0.12):
            kind = STARS
            said.balance = POLARITY[mood]
        else:
            wanted = dice.weighted((("1", 15), ("2", 35), ("3", 30), ("4", 14), ("5", 6)))
            said.compose(mood, clauses_wanted=int(wanted))
            text = said.text()
        if kind == PLAIN and dice.chance(0.02):
            text = text.upper()
            said.aspects = [(a, polarity, phrase.upper()) for a, polarity, phrase in said.aspects]
        return self._review(kind, language, text, end)

    def _review(self, kind: str, language: str, text: str, end: dt.date) -> DemoReview:
        dice, said = self.dice, self.said
        sentiment = "neutral"
        if said.balance:
            sentiment = "positive" if said.balance > 0 else "negative"
        source = dice.weighted(SOURCE_SHARES)
        ulid = dice.ulid(self.date)
        external_id = f"{DEMO_IDS}{ulid.lower()}"
        has_page = source not in {"own-survey", "nextdoor"}
        reply, reply_date = self._reply(sentiment, end)
        return DemoReview(
            ulid=ulid,
            source=source,
            external_id=external_id,
            author=self._author(),
            author_avatar_url=(
                f"https://avatars.example/{dice.below(500)}.png" if dice.chance(0.3) else ""
            ),
            rating=self._rating(sentiment, kind),
            date=self.date,
            text=text,
            source_url=f"https://{source}.example/reviews/{external_id}" if has_page else "",
            reply_text=reply,
            reply_date=reply_date,
            verified=source in CHECKING_SOURCES,
            kind=kind,
            language=language if text else "",
            sentiment=sentiment,
            aspects=tuple(
                # A clause that opens a sentence got its capital there.
                AspectTruth(aspect, polarity, part if part in text else part[0].upper() + part[1:])
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
        return self.dice.weighted(moods)

    def _rating(self, sentiment: str, kind: str) -> int:
        dice = self.dice
        if kind == PLAIN and dice.chance(0.01):  # Stars that say the opposite of the words.
            sentiment = {"positive": "negative", "negative": "positive"}.get(sentiment, sentiment)
        if sentiment == "positive":
            has_complaint = any(polarity == "negative" for _, polarity, _ in self.said.aspects)
            return 5 if dice.chance(0.15 if has_complaint else 0.85) else 4
        if sentiment == "negative":
            return 1 if dice.chance(0.65) else 2
        return int(dice.weighted((("3", 60), ("4", 20), ("2", 20))))

    def _author(self) -> str:
        dice = self.dice
        if dice.chance(0.03):
            return "Anonymous"
        if dice.chance(0.05):
            return dice.pick(voices.LONG_AUTHORS)
        return f"{dice.pick(voices.AUTHORS)} {dice.pick('ABCDEFGHJKLMNPRSTVWZ')}."

    def _reply(self, sentiment: str, end: dt.date) -> tuple[str, dt.date | None]:
        dice = self.dice
        date = self.date + dt.timedelta(days=1 + dice.below(6))
        if date > end or not dice.chance(0.75 if sentiment == "negative" else 0.3):
            return "", None
        return dice.expand(dice.pick(voices.REPLIES[sentiment])), date
