"""Questions of customers, answered by counts of reviews."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext, ngettext

from insights.aggregate import Aggregate, Subject
from insights.complaints import Complaints
from insights.findings import Kind
from insights.prose.quotable import stems
from insights.prose.quotations import public_names, quotations
from insights.prose.wording import (
    TEXTS,
    another_says,
    answering_stems,
    listed,
    opinions,
    praise_of,
    question_about,
    question_of,
    says,
    within,
)
from insights.statistics import SentimentTotals
from insights.verdicts import MIN_COMPARED, verdict
from review_analysis.reading import Label

NAMED = 3  # People and services in an answer.
AREAS = 8
SERVICES = 5  # Services with a question of their own.
EVIDENCE = 5
SPLIT = 1 / 3  # Least share of the judging reviews from which the smaller side is quoted too.


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answer. `slug` does not depend on the answer."""

    slug: str
    question: str
    answer: str
    review_ids: tuple[str, ...]  # The evidence.


def questions(
    aggregate: Aggregate,
    business_name: str = "",
    complaints: Complaints | None = None,
    *,
    has_vertical: bool = True,
) -> list[Question]:
    """Answer the questions about subjects that enough reviews mention, aspects first.

    Without a vertical there are no questions about aspects, because a vertical defines them.
    """
    known = public_names(aggregate, business_name)
    answers = _Answers(aggregate, complaints or Complaints(aggregate), known)
    return [
        *(answers.aspects() if has_vertical else ()),
        *answers.praised(),
        *answers.services(),
        *answers.areas(),
    ]


@dataclass(frozen=True, slots=True)
class _Answers:
    aggregate: Aggregate
    complaints: Complaints
    known: frozenset[str]  # Words of the names that a quotation may contain.
    quoted: set[str] = field(default_factory=set)

    def aspects(self) -> Iterator[Question]:
        for aspect in self._mentioned("aspects"):
            question, topic = question_about(aspect.id, aspect.label)
            about = answering_stems(aspect.id, aspect.label)
            slug = f"aspect-{aspect.id.replace('_', '-')}"
            yield self._judged(slug, aspect, question, topic, about)

    def _mentioned(self, kind: Kind) -> list[Subject]:
        subjects = self.aggregate.subjects(kind)
        return [subject for subject in subjects if subject.count >= MIN_COMPARED]

    def _judged(
        self, slug: str, subject: Subject, question: str, topic: str, about: Collection[str]
    ) -> Question:
        """Ask whether reviewers are happy with a subject."""
        totals = subject.totals
        given = verdict(totals, self.complaints.unknown_about(subject))
        is_overturned = given == "open" != verdict(totals)
        opening = gettext(TEXTS["verdicts"]["overturned" if is_overturned else given]["label"])
        counts = ngettext(
            "At least %(count)d review mentions %(topic)s: %(opinions)s.",
            "At least %(count)d reviews mention %(topic)s: %(opinions)s.",
            totals.count,
        ) % {"count": totals.count, "topic": topic, "opinions": opinions(totals)}
        say: Callable[[str], str] = says
        if subject.kind == "services":
            say = _saying(gettext("A review about %(subject)s says: “%(quote)s”"), topic)
        answer = f"{opening} {counts}"
        return self._question(
            slug, question, answer, subject, say=say, labels=_sides(totals), about=about
        )

    def praised(self) -> Iterator[Question]:
        praised = self.aggregate.praised_people()[:NAMED]
        if praised:
            question, answer = gettext("Who do reviewers praise?"), praise_of(praised)
            about = stems(praised[0].label)
            yield self._question("people-praised-most", question, answer, praised[0], about=about)

    def services(self) -> Iterator[Question]:
        services = self._mentioned("services")
        if not services:
            return
        counts = [
            (
                gettext("%(count)d the %(service)s")
                if number
                else ngettext(
                    "%(count)d review mentions the %(service)s",
                    "%(count)d reviews mention the %(service)s",
                    service.count,
                )
            )
            % {"count": service.count, "service": within(service.label)}
            for number, service in enumerate(services[:NAMED])
        ]
        question = gettext("Which services do reviewers write about?")
        answer = f"{listed(counts)}."
        yield self._question("services-most-mentioned", question, answer, services[0], labels=())
        for service in services[:SERVICES]:
            topic = gettext("the %(service)s") % {"service": within(service.label)}
            about = stems(service.label)
            yield self._judged(f"service-{service.id}", service, question_of(topic), topic, about)

    def areas(self) -> Iterator[Question]:
        areas = self._mentioned("areas")
        if areas:
            first, *others = areas[:AREAS]
            count = ngettext(
                "%(area)s (%(count)d review)", "%(area)s (%(count)d reviews)", first.count
            ) % {"area": first.label, "count": first.count}
            named = [count, *(f"{area.label} ({area.count})" for area in others)]
            question = gettext("Which areas do they serve?")
            answer = gettext("Reviewers mention %(areas)s.") % {"areas": listed(named)}
            area_says = gettext("A review that mentions %(subject)s says: “%(quote)s”")
            say = _saying(area_says, first.label)
            yield self._question("areas-served", question, answer, first, say=say)

    def _question(
        self,
        slug: str,
        question: str,
        answer: str,
        subject: Subject,
        *,
        say: Callable[[str], str] = says,
        labels: Sequence[Label] = ("positive",),
        about: Collection[str] = (),
    ) -> Question:
        """Add a quotation for each of these opinions to an answer."""
        evidence: list[str] = []
        for label in labels:
            offered = quotations(subject, label, self.known, about)
            quotation = next((each for each in offered if each.text not in self.quoted), None)
            if quotation is None:
                break  # The opinion of the minority is not quoted without the other.
            self.quoted.add(quotation.text)
            answer += f" {another_says(quotation.text) if evidence else say(quotation.text)}"
            evidence.append(quotation.review_id)
        evidence = list(dict.fromkeys([*evidence, *subject.derived.examples]))
        return Question(slug, question, answer, tuple(evidence[:EVIDENCE]))


def _saying(template: str, subject: str) -> Callable[[str], str]:
    return lambda quote: template % {"subject": subject, "quote": quote}


def _sides(totals: SentimentTotals) -> list[Label]:
    """Return the opinion of most judging reviews, and the other one if many hold it."""
    sides: list[Label] = sorted(("positive", "negative"), key=totals.of, reverse=True)
    fewer, more = (totals.of(side) for side in reversed(sides))
    return sides if fewer >= 2 and fewer >= SPLIT * (fewer + more) else sides[:1]
