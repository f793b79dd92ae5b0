"""Questions that customers ask, answered by counting what the reviews say."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from insights.aggregate import LEAST_RANKED, Aggregate, Subject
from insights.findings import Kind
from insights.prose.aspect_questions import answering_stems, question_about
from insights.prose.quotable import naming_stems
from insights.prose.quotations import NOTHING, Quotation, public_names, quotations
from insights.prose.wording import TEXTS, listed, opinions, praise_of, reviews, within
from insights.totals import SentimentTotals
from insights.verdicts import Verdict, unanimous, verdict
from review_analysis.reading import Label

LEAST_REVIEWS = 5  # An answer rests on no fewer.
NAMED = 3  # People and services that an answer names.
AREAS = 8
SERVICES = 5  # That have a question of their own.
THEMES = 3
EVIDENCE = 5
ONE_SAYS = ("One review says", "In the words of one review", "As one customer puts it")
ANOTHER_SAYS = "Another says"

# Ways to say how sure an answer is, where a question is whether something is so and where not.
OPENINGS: Mapping[Verdict, Sequence[str]] = TEXTS["verdicts"]
OPINIONS: Mapping[Verdict, Sequence[str]] = TEXTS["opinions"]
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
    number: Iterator[int] = field(default_factory=count)  # Of the answers that judge.

    def aspects(self) -> Iterator[Question]:
        for aspect in self._mentioned("aspects"):
            question, topic, _ = question_about(aspect.id, aspect.label)
            about = answering_stems(aspect.id, aspect.label)
            slug = f"aspect-{aspect.id.replace('_', '-')}"
            yield self._judged(slug, question, aspect, topic, about)

    def themes(self, themes: Sequence[Subject]) -> Iterator[Question]:
        """Those of most reviews; a theme that reviews do not judge is no question."""
        judged = [
            theme
            for theme in themes
            if theme.count >= LEAST_RANKED and 2 * theme.totals.neutral < theme.count
        ]
        for theme in judged[:THEMES]:
            name = f"the {within(theme.label)}"
            question, about = f"What do reviewers think of {name}?", naming_stems(theme.label)
            yield self._judged(
                f"theme-{theme.id}", question, theme, name, about, asks_whether=False
            )

    def roster(self) -> Iterator[Question]:
        yield from self._praised()
        yield from self._services()
        yield from self._areas()

    def _mentioned(self, kind: Kind) -> list[Subject]:
        subjects = self.aggregate.subjects(kind)
        return [subject for subject in subjects if subject.count >= LEAST_REVIEWS]

    def _judged(
        self,
        slug: str,
        question: str,
        subject: Subject,
        topic: str,
        about: Mapping[str, float] = NOTHING,
        *,
        asks_whether: bool = True,
    ) -> Question:
        totals, number = subject.totals, next(self.number)
        if label := unanimous(totals):
            counts = f"All {reviews(totals.count)} that mention {topic} are {label}."
        elif number % 2:
            counts = f"{reviews(totals.count)} mention {topic}: {opinions(totals)}."
        else:
            counts = f"Of the {reviews(totals.count)} that mention {topic}, {opinions(totals)}."
        answer = f"{self._opening(totals, OPENINGS if asks_whether else OPINIONS)} {counts}"
        lead = ONE_SAYS[number % len(ONE_SAYS)]
        if subject.kind == "services":
            lead = f"A review about {topic} says"
        return self._question(
            slug, question, answer, subject, lead=lead, labels=_sides(totals), about=about
        )

    def _opening(self, totals: SentimentTotals, ways: Mapping[Verdict, Sequence[str]]) -> str:
        given = verdict(totals)
        times = self.given[given]
        self.given[given] += 1
        return ways[given][times % len(ways[given])]

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
            name = f"the {within(service.label)}"
            question = f"Are reviewers happy with {name}?"
            about = naming_stems(service.label)
            yield self._judged(f"service-{service.id}", question, service, name, about)

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
        lead: str = ONE_SAYS[0],
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
