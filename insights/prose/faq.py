"""Questions that customers ask, answered by counting what the reviews say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from insights.aggregate import Aggregate, Subject
from insights.complaints import Complaints
from insights.findings import Kind
from insights.prose.quotable import naming_stems
from insights.prose.quotations import NOTHING, Quotation, public_names, quotations
from insights.prose.wording import (
    TEXTS,
    answering_stems,
    listed,
    opinions,
    praise_of,
    question_about,
    reviews,
    within,
)
from insights.statistics import SentimentTotals
from insights.verdicts import LEAST_COMPARED, Verdict, verdict
from review_analysis.reading import Label

NAMED = 3  # People and services that an answer names.
AREAS = 8
SERVICES = 5  # That have a question of their own.
THEMES, LEAST_OF_THEME = 3, 10  # And the reviews of each.
EVIDENCE = 5
ONE_SAYS, ANOTHER_SAYS = "One review says", "Another says"
OPENINGS: Mapping[Verdict, str] = TEXTS["verdicts"]
SPLIT = 1 / 3  # The share of those that judge, from which the smaller side is quoted as well.


@dataclass(frozen=True, slots=True)
class Question:
    """`slug` stays the same however the answer changes; `review_ids` are the evidence."""

    slug: str
    question: str
    answer: str
    review_ids: tuple[str, ...]


def questions(
    aggregate: Aggregate,
    business_name: str = "",
    complaints: Complaints | None = None,
    *,
    has_vertical: bool = True,
    themes: Sequence[Subject] = (),
) -> list[Question]:
    """Questions that enough reviews answer: aspects first, the most mentioned of them first.

    Without a vertical nothing is asked about aspects, which are its words.
    """
    known = public_names(aggregate, business_name)
    answers = _Answers(aggregate, complaints or Complaints(aggregate, themes), known)
    return [
        *(answers.aspects() if has_vertical else ()),
        *answers.themes(themes),
        *answers.roster(),
    ]


@dataclass(frozen=True, slots=True)
class _Answers:
    aggregate: Aggregate
    complaints: Complaints
    known: frozenset[str]  # The words of names that a quotation may hold.
    quoted: set[str] = field(default_factory=set)

    def aspects(self) -> Iterator[Question]:
        for aspect in self._mentioned("aspects"):
            question, topic, _ = question_about(aspect.id, aspect.label)
            about = answering_stems(aspect.id, aspect.label)
            slug = f"aspect-{aspect.id.replace('_', '-')}"
            yield self._judged(slug, aspect, topic, about, question)

    def themes(self, themes: Sequence[Subject]) -> Iterator[Question]:
        """Those of most reviews; a theme that reviews do not judge is no question."""
        judged = [
            theme
            for theme in themes
            if theme.count >= LEAST_OF_THEME and 2 * theme.totals.neutral < theme.count
        ]
        for theme in judged[:THEMES]:
            name, about = f"the {within(theme.label)}", naming_stems(theme.label)
            yield self._judged(f"theme-{theme.id}", theme, name, about)

    def roster(self) -> Iterator[Question]:
        yield from self._praised()
        yield from self._services()
        yield from self._areas()

    def _mentioned(self, kind: Kind) -> list[Subject]:
        subjects = self.aggregate.subjects(kind)
        return [subject for subject in subjects if subject.count >= LEAST_COMPARED]

    def _judged(
        self,
        slug: str,
        subject: Subject,
        topic: str,
        about: Mapping[str, float],
        question: str = "",
    ) -> Question:
        """Question whether it is good; counts are of reviews that are known to speak of it."""
        totals = subject.totals
        given = verdict(totals, self.complaints.unknown_about(subject))
        opening = OPENINGS[given]
        if given == "open" != verdict(totals):
            opening = TEXTS["overturned"]
        counts = f"At least {reviews(totals.count)} mention {topic}: {opinions(totals)}."
        return self._question(
            slug,
            question or f"Are reviewers happy with {topic}?",
            f"{opening} {counts}",
            subject,
            lead=f"A review about {topic} says" if subject.kind == "services" else ONE_SAYS,
            labels=_sides(totals),
            about=about,
        )

    def _praised(self) -> Iterator[Question]:
        praised = self.aggregate.praised_people()[:NAMED]
        if praised:
            question, answer = "Who do reviewers praise?", praise_of(praised)
            about = naming_stems(praised[0].label)
            yield self._question("people-praised-most", question, answer, praised[0], about=about)

    def _services(self) -> Iterator[Question]:
        services = self._mentioned("services")
        if not services:
            return
        first, *others = services[:NAMED]
        counts = [
            f"{reviews(first.count)} mention the {within(first.label)}",
            *(f"{other.count} the {within(other.label)}" for other in others),
        ]
        question, answer = "Which services do reviewers write about?", f"{listed(counts)}."
        yield self._question("services-most-mentioned", question, answer, first, labels=())
        for service in services[:SERVICES]:
            name, about = f"the {within(service.label)}", naming_stems(service.label)
            yield self._judged(f"service-{service.id}", service, name, about)

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
            yield self._question(
                "areas-served", "Which areas do they serve?", answer, first, lead=lead
            )

    def _question(
        self,
        slug: str,
        question: str,
        answer: str,
        subject: Subject,
        *,
        lead: str = ONE_SAYS,
        labels: Sequence[Label] = ("positive",),
        about: Mapping[str, float] = NOTHING,
    ) -> Question:
        """The answer with words of these opinions on the subject; each sentence is quoted once."""
        evidence: list[str] = []
        quoted = ""
        for label in labels:
            quotation = self._quotation(subject, label, about)
            if quotation is None:
                break  # The words of fewer reviews do not stand alone.
            quoted += f" {ANOTHER_SAYS if quoted else lead}: “{quotation.text}”"
            evidence.append(quotation.review_id)
        evidence = list(dict.fromkeys([*evidence, *subject.outcome.examples]))
        return Question(slug, question, answer + quoted, tuple(evidence[:EVIDENCE]))

    def _quotation(
        self, subject: Subject, label: Label, about: Mapping[str, float]
    ) -> Quotation | None:
        # To name a service mostly sets the scene, however glad the sentence is.
        chosen = next(
            (
                each
                for each in quotations(subject, label, self.known, about)
                if each.text not in self.quoted
                and (each.judges if subject.kind == "services" else each.is_telling)
            ),
            None,
        )
        if chosen:
            self.quoted.add(chosen.text)
        return chosen


def _sides(totals: SentimentTotals) -> list[Label]:
    """The opinion of most that judge, and the other one where that of many differs."""
    sides: list[Label] = sorted(("positive", "negative"), key=totals.of, reverse=True)
    fewer, more = (totals.of(side) for side in reversed(sides))
    return sides if fewer >= 2 and fewer >= SPLIT * (fewer + more) else sides[:1]
