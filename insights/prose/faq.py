"""Questions that customers ask, answered by counting what the reviews say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from insights.aggregate import Aggregate, Subject
from insights.findings import Kind
from insights.prose.quote import Quotation, public_names, quotations, quotations_with_the_next
from insights.prose.wording import listed, opinions, reviews, within
from insights.statistics import wilson
from insights.totals import SentimentTotals

LEAST_REVIEWS = 5  # An answer rests on no fewer.
MOST_ABOVE, FEW_BELOW, HALF = 75, 40, 50  # Percent, of the near end of the 95 % interval.
LEAST_SIDE = 10  # Percent: the near end of the interval of the smaller side, where opinions differ.
NAMED = 3  # People and services that an answer names.
AREAS = 8
SERVICES = 5  # That have a question of their own.
EVIDENCE = 5
ONE_SAYS = "One review says"

# What is asked about an aspect, and what its reviews speak of; others are asked about by label.
ASPECTS: Mapping[str, tuple[str, str]] = {
    "activities": ("Is there enough to do?", "activities"),
    "ambience": ("Is the atmosphere pleasant?", "the atmosphere"),
    "authenticity": ("Is the cooking authentic?", "authenticity"),
    "bedside_manner": ("Are patients treated with kindness?", "bedside manner"),
    "billing": ("Does the billing go smoothly?", "billing"),
    "booking": ("Is it easy to book?", "booking"),
    "care": ("Are residents well cared for?", "the care"),
    "case_handling": ("Are cases handled well?", "the handling of their case"),
    "cleanliness": ("Is everything kept clean?", "cleanliness"),
    "communication": ("Do they communicate well?", "communication"),
    "empathy": ("Do they care about their clients?", "compassion and support"),
    "expertise": ("Do they know what they are doing?", "expertise"),
    "facility": ("Is the building pleasant?", "the building"),
    "family_friendliness": ("Is it a good place for families and groups?", "families or groups"),
    "food": ("Is the food good?", "food or drink"),
    "honesty": ("Are they honest?", "honesty"),
    "knowledge": ("Do they know their trade?", "knowledge and skill"),
    "location": ("Is it easy to get to?", "the location or parking"),
    "management": ("Is it well run?", "the management"),
    "medical": ("Are nursing and medication in good hands?", "nursing or medication"),
    "medical_skill": ("Is the medical care good?", "medical skill"),
    "menu_variety": ("Is there enough choice on the menu?", "choice on the menu"),
    "moving_in": ("Is moving in made easy?", "moving in"),
    "office": ("Is the office pleasant and easy to get to?", "the office"),
    "outcome": ("Are clients happy with the outcome?", "the outcome"),
    "place": ("Is it a pleasant place?", "the place"),
    "price": ("Are the prices fair?", "the price"),
    "professionalism": ("Are they professional and courteous?", "professionalism or courtesy"),
    "punctuality": ("Do they show up on time?", "punctuality"),
    "quality": ("Is the quality good?", "quality"),
    "reliability": ("Can you rely on them?", "reliability"),
    "responsiveness": ("Do they respond quickly?", "responsiveness"),
    "rooms": ("Are the rooms good?", "the rooms"),
    "safety": ("Is safety taken seriously?", "safety"),
    "scheduling": ("Is it easy to get an appointment?", "scheduling"),
    "service": ("Is the service good?", "the service"),
    "speed": ("Are they quick?", "speed or waiting"),
    "staff": ("Is the staff friendly and helpful?", "the staff"),
    "thoroughness": ("Do they take their time?", "thoroughness"),
    "trust": ("Can they be trusted?", "trust"),
    "wait_time": ("Is the wait short?", "waiting"),
    "warranty": ("Do they stand behind their work?", "warranty or follow-up"),
    "workmanship": ("Is the work done well?", "the work"),
}


@dataclass(frozen=True, slots=True)
class Question:
    """`slug` stays the same however the answer changes; `review_ids` are the evidence."""

    slug: str
    question: str
    answer: str
    review_ids: tuple[str, ...]
    quoted: str = ""  # The end of the answer that holds a reviewer's words.


def questions(
    aggregate: Aggregate, business_name: str = "", *, has_vertical: bool = True
) -> list[Question]:
    """Questions that enough reviews answer: aspects first, the most mentioned of them first.

    Without a vertical nothing is asked about aspects, which are its words.
    """
    answers = _Answers(aggregate, public_names(aggregate, business_name))
    return [*(answers.aspects() if has_vertical else ()), *answers.roster()]


@dataclass(frozen=True, slots=True)
class _Answers:
    aggregate: Aggregate
    known: frozenset[str]  # The words of names that a quotation may hold.
    quoted: set[str] = field(default_factory=set)

    def aspects(self) -> Iterator[Question]:
        for aspect in self._mentioned("aspects"):
            question, topic = ASPECTS.get(aspect.id) or (
                f"Are reviewers happy with {within(aspect.label)}?",
                within(aspect.label),
            )
            yield self._judged(f"aspect-{aspect.id.replace('_', '-')}", question, aspect, topic)

    def roster(self) -> Iterator[Question]:
        yield from self._praised()
        yield from self._services()
        yield from self._areas()

    def _mentioned(self, kind: Kind) -> list[Subject]:
        subjects = self.aggregate.subjects(kind)
        return [subject for subject in subjects if subject.count >= LEAST_REVIEWS]

    def _judged(self, slug: str, question: str, subject: Subject, topic: str) -> Question:
        totals = subject.totals
        counts = f"Of the {reviews(totals.count)} that mention {topic}, {opinions(totals)}."
        answer = f"{_verdict(totals)} {counts}"
        lead = f"A review about {topic} says" if subject.kind == "services" else ONE_SAYS
        return self._question(slug, question, answer, subject, lead)

    def _praised(self) -> Iterator[Question]:
        praised = [
            person
            for person in self._mentioned("technicians")
            if person.totals.positive > person.totals.negative
        ]
        praised.sort(key=lambda person: (-person.totals.positive, person.count, person.id))
        if praised:
            first, *others = praised[:NAMED]
            shares = [
                f"{first.label} is praised in {first.totals.positive} of {reviews(first.count)}",
                *(f"{other.label} in {other.totals.positive} of {other.count}" for other in others),
            ]
            answer = f"{listed(shares)}."
            yield self._question("people-praised-most", "Who do reviewers praise?", answer, first)

    def _services(self) -> Iterator[Question]:
        services = self._mentioned("services")
        if not services:
            return
        first, *others = services[:NAMED]
        counts = [
            f"{first.label} comes up in {reviews(first.count)}",
            *(f"{within(other.label)} in {other.count}" for other in others),
        ]
        question = "Which services do reviewers write about?"
        lead = f"A review about {within(first.label)} says"
        yield self._question("services-most-mentioned", question, f"{listed(counts)}.", first, lead)
        for service in services[:SERVICES]:
            name = within(service.label)
            question = f"Are reviewers happy with {name}?"
            yield self._judged(f"service-{service.id}", question, service, name)

    def _areas(self) -> Iterator[Question]:
        areas = self._mentioned("areas")
        if areas:
            first, *others = areas[:AREAS]
            counts = [
                f"{first.label} ({reviews(first.count)})",
                *(f"{area.label} ({area.count})" for area in others),
            ]
            answer = f"Reviewers mention {listed(counts)}."
            lead = f"A review that mentions {first.label} says"
            yield self._question("areas-served", "Which areas do they serve?", answer, first, lead)

    def _question(
        self, slug: str, question: str, answer: str, subject: Subject, lead: str = ONE_SAYS
    ) -> Question:
        """The answer with a quotation of what most say of the subject, each sentence once."""
        where = (subject, subject.totals.most_common_label, self.known)
        naming = quotations(*where)
        said: Iterator[Quotation] = (each for each in naming if each.is_telling)
        if subject.kind == "services":
            # To name one mostly sets the scene for the next sentence, however glad it is.
            said = chain((each for each in naming if each.judges), quotations_with_the_next(*where))
        evidence = subject.outcome.examples
        quoted = ""
        for quotation in said:
            if quotation.text not in self.quoted:
                self.quoted.add(quotation.text)
                quoted = f" {lead}: “{quotation.text}”"
                evidence = list(dict.fromkeys([quotation.review_id, *evidence]))
                break
        return Question(slug, question, answer + quoted, tuple(evidence[:EVIDENCE]), quoted)


def _verdict(totals: SentimentTotals) -> str:
    """As sure as the 95 % intervals of the shares of praise and blame are."""
    low, high = totals.interval
    verdicts = (
        (low > MOST_ABOVE, "Most reviewers say yes."),
        (high < FEW_BELOW, "Few reviewers say yes."),
        (totals.positive == totals.count, "So far all say yes."),
        (not totals.positive, "So far none says yes."),
        (low > HALF, "More than half say yes."),
        (high < HALF, "Fewer than half say yes."),
        (_is_divided(totals), "Opinions differ."),
    )
    return next((verdict for holds, verdict in verdicts if holds), "There is no clear answer yet.")


def _is_divided(totals: SentimentTotals) -> bool:
    """Whether, of those who judge at all, surely some praise and some blame."""
    judging = totals.positive + totals.negative
    fewer, _ = wilson(min(totals.positive, totals.negative), judging)
    return judging >= LEAST_REVIEWS and 100 * fewer >= LEAST_SIDE
