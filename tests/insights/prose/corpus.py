"""Records made by hand: sentences with their findings."""

import datetime as dt
from dataclasses import dataclass, field
from functools import cache

from demo import roster, span
from insights.aggregate import Aggregate, Names
from insights.findings import AnalysedReview, Opinion, Sentence, findings_of
from review_analysis import Analyser
from review_analysis.taxonomies import builtin
from tests.hostile_texts import with_hostile_texts
from tools.demo_reviews import generate

LATEST = dt.date(2026, 3, 31)
NAMES = Names(
    aspects={
        "price": "Price and value",
        "punctuality": "Punctuality",
        "workmanship": "Quality of work",
        "tidy_vans": "Tidy vans",
    },
    technicians={"ana-reyes": "Ana Reyes", "mark-dunn": "Mark Dunn"},
    services={"ac-repair": "AC repair", "drain-cleaning": "Drain cleaning"},
    areas={"alder-bay": "Alder Bay", "eastgate": "Eastgate"},
)


@dataclass
class LabelledSentence:
    """A sentence, its score, and the subjects that it is the clearest sentence of."""

    text: str
    score: float = 0.9
    about: dict = field(default_factory=dict)  # Kind -> ids.

    @property
    def label(self):
        return "positive" if self.score > 0.15 else "negative" if self.score < -0.15 else "neutral"


def said(text, score=0.9, **about):
    return LabelledSentence(text, score, about)


def ulid(number):
    return f"01K{number:023}"


def record(number, *sentences, rating=5, author=None, days_ago=None, score=None, analysed=True):
    """Return a review of these sentences. By default higher numbers are older."""
    text = " ".join(sentence.text for sentence in sentences)
    opinions = {}
    read = []
    for sentence in sentences:
        start = text.index(sentence.text)
        end = start + len(sentence.text)
        value = round(1000 * sentence.score)
        read.append(Sentence(start, end, sentence.label, value))
        for kind, keys in sentence.about.items():
            opinions.setdefault(kind, []).extend(
                Opinion(key, sentence.label, value, (start, end)) for key in keys
            )
    mean = sum(each.score for each in sentences) / len(sentences) if sentences else 0
    whole = LabelledSentence("", mean if score is None else score)
    return AnalysedReview(
        ulid=ulid(number),
        author=author or f"Author {number}",
        rating=rating,
        date=LATEST - dt.timedelta(days=number if days_ago is None else days_ago),
        text=text,
        model="rules/1",
        analysed=analysed,
        label=whole.label,
        score=round(1000 * whole.score),
        sentences=tuple(read),
        **{kind: tuple(sorted(each)) for kind, each in opinions.items()},
    )


def aggregate(*records, names=NAMES):
    sums = Aggregate(names)
    for each in records:
        sums.add(each)
    return sums


@cache
def demo():
    """Return the demo's reviews, hostile ones included, read by the rules."""
    people = roster(*span())
    taxonomy = builtin("home_services")
    analyser = Analyser(taxonomy, people)
    records = []
    for review in with_hostile_texts(generate()):
        reading = analyser.read(review.text, review.rating, review.date)
        mentioned = {
            "technicians": review.technicians,
            "services": review.services,
            "areas": review.areas,
        }
        text = review.text or ""
        records.append(
            AnalysedReview.of(
                findings_of(reading, mentioned, text),
                ulid=review.ulid,
                author=review.author,
                rating=review.rating,
                date=review.date,
                text=text,
                model="rules/1",
            )
        )
    return Names.collect(taxonomy, people), tuple(records)
