"""The sentence on the front, and words for each aspect, person and service."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from insights.aggregate import Aggregate, Subject
from insights.findings import Span
from insights.prose.aspect_questions import answering_stems
from insights.prose.quotable import (
    begins_with_a_customer,
    is_quotable,
    naming_stems,
    stems,
    stems_of,
    without_judging_names,
)
from insights.prose.quotations import (
    Quotation,
    is_clear,
    public_names,
    quotations,
    quotations_with_the_next,
)
from insights.prose.relevance import begins_without_verb, blames, says
from insights.verdicts import LEAST_COMPARED
from review_analysis.reading import Label
from reviews.stars import LEAST_POSITIVE

PULLED_LENGTHS = range(40, 181)
PULLED_FROM = 20_000  # Of the newest reviews.
LEAST_SCORE = 600  # Thousandths.
SIDES: tuple[Label, ...] = ("positive", "negative")

_PRICE = re.compile(r"\$|\b(?:dollars?|bucks|euros?|usd|grand|cents?)\b", re.IGNORECASE)
_BY_PRONOUN = re.compile(r"(?:I|We|You|They|He|She|It|My|Our|Your|Their|His|Her|Its)\b")


@dataclass(frozen=True, slots=True)
class Written:
    """A text, and the reviews that are the evidence for it."""

    text: str
    review_ids: tuple[str, ...]


def pull_quote(
    aggregate: Aggregate, business_name: str = "", themes: Sequence[Subject] = ()
) -> Written | None:
    """The sentence that praises best, and nothing else: of a clearly positive review, to be
    understood alone. It does not speak of what reviews blame.
    """
    known = public_names(aggregate, business_name)
    blamed = aggregate.blamed(themes)
    about = {stem for subject in blamed for stem in stems(subject.label)}
    for _, _, ulid, span in sorted(_pullable(aggregate, blamed)):
        text = aggregate.records[ulid].words(span)
        plain = without_judging_names(text, known)
        if (
            not _BY_PRONOUN.match(text)
            and not _PRICE.search(text)
            and is_quotable(text, known)
            and is_clear(text, "positive", known)
            and not begins_without_verb(plain)
            and says(plain, "positive")
            and not blames(plain)
            and not about & stems_of(text)
            and not begins_with_a_customer(
                text, known, (record.author for record in aggregate.records.values())
            )
        ):
            return Written(text, (ulid,))
    return None


def _pullable(
    aggregate: Aggregate, blamed: Sequence[Subject]
) -> Iterator[tuple[float, int, str, Span]]:
    """Sentences by their worth, the best lowest, then by age and id."""
    newest = aggregate.newest()[:PULLED_FROM]
    shown = {aspect.id for aspect in aggregate.subjects("aspects")}
    blamed_ids = {subject.id for subject in blamed}
    for record in newest:
        if record.rating < LEAST_POSITIVE or record.score < LEAST_SCORE or not record.analysed:
            continue
        named = [opinion.quote for opinion in record.aspects if opinion.id in shown]
        avoided = [opinion.quote for opinion in record.aspects if opinion.id in blamed_ids]
        age = (newest[0].date - record.date).days
        recency = math.exp(-age / 365)
        for start, end, label, *_ in record.sentences:
            if label != "positive" or end - start not in PULLED_LENGTHS:
                continue
            if (start, end) not in avoided:
                worth = (
                    record.score / 1000
                    + 0.3 * named.count((start, end))
                    + 0.2 * recency
                    - 0.1 * abs(end - start - 100) / 100
                )
                yield -worth, age, record.ulid, (start, end)


def aspect_quotes(
    aggregate: Aggregate, business_name: str = ""
) -> Mapping[tuple[str, Label], Quotation]:
    """The sentence that tells best what each side says of each aspect, no review's twice."""
    known = public_names(aggregate, business_name)
    chosen: dict[tuple[str, Label], Quotation] = {}
    quoted: set[str] = set()
    for aspect in aggregate.subjects("aspects"):
        if aspect.count < LEAST_COMPARED:
            continue
        about = answering_stems(aspect.id, aspect.label)
        for side in SIDES:
            said = quotations(aspect, side, known, about)
            fresh = (each for each in said if each.is_telling and each.review_id not in quoted)
            if quotation := next(fresh, None):
                chosen[aspect.id, side] = quotation
                quoted.add(quotation.review_id)
    return chosen


def sample_quote(aggregate: Aggregate, subject: Subject) -> str | None:
    """Words that name it and say what most say of it, verbatim: a sentence that judges, or one with
    the judgement that follows it.
    """
    where = (subject, subject.totals.most_common_label, public_names(aggregate))
    about = naming_stems(subject.label)
    if subject.kind == "services":
        # A sentence that names a service mostly sets the scene, however glad the review is.
        telling = (each for each in quotations(*where, about) if each.judges)
        said = chain(telling, quotations_with_the_next(*where))
    else:
        naming = list(quotations(*where))
        telling = (each for each in (*quotations(*where, about), *naming) if each.is_telling)
        said = chain(telling, quotations_with_the_next(*where), naming)
    return next((quotation.text for quotation in said), None)
