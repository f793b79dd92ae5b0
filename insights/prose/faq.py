"""Questions that customers ask, answered by counting what the reviews say."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from insights.aggregate import LEAST_RANKED, Aggregate, Subject
from insights.findings import Kind
from insights.prose.quotable import stems
from insights.prose.quote import Quotation, public_names, quotations, quotations_with_the_next
from insights.prose.wording import listed, opinions, praise_of, reviews, within
from insights.totals import SentimentTotals
from review_analysis.reading import Label

LEAST_REVIEWS = 5  # An answer rests on no fewer.
MOST_ABOVE, FEW_BELOW, HALF = 75, 40, 50  # Percent, of the near end of the 95 % interval.
NAMED = 3  # People and services that an answer names.
AREAS = 8
SERVICES = 5  # That have a question of their own.
THEMES = 3
EVIDENCE = 5
ONE_SAYS = "One review says"
ANOTHER_SAYS = "Another says"
DIFFER = "Opinions differ."

# Ways to say how sure an answer is; answers take turns.
VERDICTS: Mapping[str, tuple[str, ...]] = {
    "most": ("Most reviewers say yes.", "Yes, by most accounts.", "Most of them agree."),
    "few": ("Few reviewers say yes.", "By most accounts, no.", "Hardly."),
    "all": ("So far all say yes.", "Yes, in every review so far."),
    "none": ("So far none says yes.", "No, by every review so far."),
    "more": ("More than half say yes.", "Mostly, yes.", "More often than not."),
    "fewer": ("Fewer than half say yes.", "Mostly not.", "Less often than not."),
    "divided": (DIFFER, "Reviewers are divided.", "Some say yes, others no."),
    "open": ("There is no clear answer yet.", "It is too early to tell.", "Not settled yet."),
}

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
    quoted: str = ""  # The end of the answer that holds reviewers' words.


def questions(
    aggregate: Aggregate,
    business_name: str = "",
    *,
    has_vertical: bool = True,
    themes: Sequence[Subject] = (),
) -> list[Question]:
    """Questions that enough reviews answer: aspects first, the most mentioned of them first.

    Without a vertical nothing is asked about aspects, which are its words.
    """
    answers = _Answers(aggregate, public_names(aggregate, business_name))
    return [
        *(answers.aspects() if has_vertical else ()),
        *answers.themes(themes),
        *answers.roster(),
    ]


@dataclass(frozen=True, slots=True)
class _Answers:
    aggregate: Aggregate
    known: frozenset[str]  # The words of names that a quotation may hold.
    quoted: set[str] = field(default_factory=set)
    given: Counter[str] = field(default_factory=Counter)  # How often each verdict was given.

    def aspects(self) -> Iterator[Question]:
        for aspect in self._mentioned("aspects"):
            question, topic = ASPECTS.get(aspect.id) or (
                f"Are reviewers happy with {within(aspect.label)}?",
                within(aspect.label),
            )
            yield self._judged(f"aspect-{aspect.id.replace('_', '-')}", question, aspect, topic)

    def themes(self, themes: Sequence[Subject]) -> Iterator[Question]:
        """Those of most reviews; a theme that reviews do not judge is no question."""
        judged = [
            theme
            for theme in themes
            if theme.count >= LEAST_RANKED and 2 * theme.totals.neutral < theme.count
        ]
        for theme in judged[:THEMES]:
            name = f"the {within(theme.label)}"
            question = f"What do reviewers think of {name}?"
            yield self._judged(f"theme-{theme.id}", question, theme, name, asks_whether=False)

    def roster(self) -> Iterator[Question]:
        yield from self._praised()
        yield from self._services()
        yield from self._areas()

    def _mentioned(self, kind: Kind) -> list[Subject]:
        subjects = self.aggregate.subjects(kind)
        return [subject for subject in subjects if subject.count >= LEAST_REVIEWS]

    def _judged(
        self, slug: str, question: str, subject: Subject, topic: str, *, asks_whether: bool = True
    ) -> Question:
        totals = subject.totals
        counts = f"Of the {reviews(totals.count)} that mention {topic}, {opinions(totals)}."
        verdict = _verdict(totals)
        ways = VERDICTS[verdict]
        opening = ways[self.given[verdict] % len(ways)]
        self.given[verdict] += 1
        if asks_whether:
            answer = f"{opening} {counts}"
        else:
            answer = f"{DIFFER} {counts}" if verdict == "divided" else counts
        lead = f"A review about {topic} says" if subject.kind == "services" else ONE_SAYS
        labels = [totals.most_common_label]
        if verdict == "divided":
            labels = sorted(("positive", "negative"), key=totals.of, reverse=True)
        about = stems(question, subject.label, topic)
        return self._question(slug, question, answer, subject, lead, labels=labels, about=about)

    def _praised(self) -> Iterator[Question]:
        praised = self.aggregate.praised_people()[:NAMED]
        if praised:
            question, answer = "Who do reviewers praise?", praise_of(praised)
            yield self._question("people-praised-most", question, answer, praised[0])

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
        self,
        slug: str,
        question: str,
        answer: str,
        subject: Subject,
        lead: str = ONE_SAYS,
        *,
        labels: Sequence[Label] = (),
        about: frozenset[str] = frozenset(),
    ) -> Question:
        """The answer with words of what most say of the subject, or of both sides; each once."""
        evidence: list[str] = []
        quoted = ""
        for label in labels or [subject.totals.most_common_label]:
            if quotation := self._quotation(subject, label, about):
                quoted += f" {ANOTHER_SAYS if quoted else lead}: “{quotation.text}”"
                evidence.append(quotation.review_id)
        evidence = list(dict.fromkeys([*evidence, *subject.outcome.examples]))
        return Question(slug, question, answer + quoted, tuple(evidence[:EVIDENCE]), quoted)

    def _quotation(self, subject: Subject, label: Label, about: frozenset[str]) -> Quotation | None:
        where = (subject, label, self.known)
        naming = quotations(*where, about)
        said: Iterator[Quotation] = (each for each in naming if each.is_telling)
        if subject.kind == "services":
            # To name one mostly sets the scene for the next sentence, however glad it is.
            said = chain((each for each in naming if each.judges), quotations_with_the_next(*where))
        chosen = next((each for each in said if each.text not in self.quoted), None)
        if chosen:
            self.quoted.add(chosen.text)
        return chosen


def _verdict(totals: SentimentTotals) -> str:
    """As sure as the 95 % intervals of the shares of praise and blame are; see `VERDICTS`."""
    low, high = totals.interval
    verdicts = (
        (low > MOST_ABOVE, "most"),
        (high < FEW_BELOW, "few"),
        (totals.positive == totals.count, "all"),
        (not totals.positive, "none"),
        (low > HALF, "more"),
        (high < HALF, "fewer"),
        (totals.is_divided, "divided"),
    )
    return next((verdict for holds, verdict in verdicts if holds), "open")
