"""Complaints of customers: known ones, counted as "at least", and those that nothing recognised.

The population is every review with one or two stars, and every other one with a sentence that
blames this business. A complaint has the name of a concept or problem, or of an aspect that its
words blame. It is called the leading one only where the reviews in which none was recognised could
not overturn that.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from insights.aggregate import LEAST_MENTIONS, Aggregate, Subject
from insights.findings import AnalysedReview, Span
from insights.prose.relevance import relevance
from insights.prose.wording import answering_stems
from review_analysis.concepts import LABELS, of_problem

LEAST_LEADING = 5  # Reviews of a complaint that is called the leading one.
# In place of ids: of the unhappy, of those among them without words, and of others.
UNRECOGNISED, WORDLESS, UNNAMED = "unrecognised", "wordless", "unnamed"
# Aspects whose blame is a complaint that all trades share.
CONCEPTS: Mapping[str, str] = {
    aspect: concept
    for concept, aspects in {
        "wait": "punctuality wait_time queues speed",
        "price": "price billing",
        "work": "workmanship quality",
        "unsafe": "cleanliness safety",
        "refund": "returns warranty",
    }.items()
    for aspect in aspects.split()
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """One kind of complaint, with the sentences that tell of it by review, newest first."""

    id: str
    label: str
    sentences: Mapping[str, Sequence[Span]]

    @property
    def count(self) -> int:
        """At least so many reviews complain of it."""
        return len(self.sentences)


class Complaints:
    """Complaints of the population, counted of the reviews as they are now."""

    def __init__(self, aggregate: Aggregate, themes: Sequence[Subject] = ()) -> None:
        self._aggregate = aggregate
        self._themes = themes
        self.records = sorted(
            aggregate.complaining.values(), key=attrgetter("date", "ulid"), reverse=True
        )

    @property
    def count(self) -> int:
        """Reviews that complain, of whatever."""
        return len(self.records)

    @cached_property
    def sentences(self) -> Mapping[str, Mapping[str, Sequence[Span]]]:
        """By review id the named complaints, and the sentences that tell of each."""
        themes = defaultdict[str, dict[Span | None, str]](dict)
        for theme in self._themes:
            for said in theme.outcome.newest:
                if said.opinion.label == "negative":
                    themes[said.ulid][said.opinion.quote] = theme.id
        return {
            each.ulid: self._sentences_of(each, themes.get(each.ulid, {})) for each in self.records
        }

    def _sentences_of(
        self, record: AnalysedReview, themes: Mapping[Span | None, str]
    ) -> Mapping[str, Sequence[Span]]:
        problems = (of_problem(each.id) or each.id for each in record.problems if not each.resolved)
        known = self._aggregate.names.complaint
        sentences: dict[str, list[Span]] = {key: [] for key in problems if known(key)}
        for start, end, key, label in record.complaints:
            span = start, end
            name = key if label else self._name(key, record.words(span))
            if name := name or themes.get(span, ""):
                sentences.setdefault(name, []).append(span)
        return sentences

    def _name(self, key: str, text: str) -> str:
        """Id of the complaint in a sentence; of an aspect only where its words blame that."""
        aspect = self._aggregate.names.aspects.get(key)
        if aspect is None or key in LABELS:
            return key if self._aggregate.names.complaint(key) else ""
        blames = relevance(text, answering_stems(key, aspect)).says("negative")
        return CONCEPTS.get(key, key) if blames else ""

    @cached_property
    def unhappy(self) -> list[AnalysedReview]:
        return [record for record in self.records if record.is_unhappy]

    @cached_property
    def unrecognised(self) -> list[AnalysedReview]:
        """Unhappy reviews with words in which no complaint was recognised."""
        return [each for each in self.unhappy if each.text and not self.sentences[each.ulid]]

    @cached_property
    def wordless_count(self) -> int:
        """Unhappy reviews without words."""
        return sum(not record.text for record in self.unhappy)

    @cached_property
    def unnamed_count(self) -> int:
        """Reviews with words in which no complaint was recognised, happy or not."""
        return sum(not self.sentences[each.ulid] for each in self.records if each.text)

    @cached_property
    def items(self) -> list[Complaint]:
        """Complaints of enough reviews to be shown, those of most first."""
        sentences = defaultdict[str, dict[str, Sequence[Span]]](dict)
        written = defaultdict[str, Counter[str]](Counter)
        for record in self.records:
            for key, spans in self.sentences[record.ulid].items():
                sentences[key][record.ulid] = spans
            for each in record.complaints:
                written[each.id][each.label] += 1
        themes = {theme.id: theme.label for theme in self._themes}
        items = []
        for key, reviews in sentences.items():
            if len(reviews) >= LEAST_MENTIONS:
                label = self._aggregate.names.complaint(key) or themes.get(key)
                # Of equally frequent labels that a model has given the first of the alphabet.
                label = label or max(sorted(written[key]), key=written[key].__getitem__)
                items.append(Complaint(key, label, reviews))
        return sorted(items, key=lambda each: (-each.count, each.id))

    @property
    def leading(self) -> Complaint | None:
        """The complaint of most reviews, if the unrecognised ones cannot make it another."""
        counts = [each.count for each in self.items] + [0, 0]
        is_ahead = counts[0] - counts[1] > self.unnamed_count
        return self.items[0] if is_ahead and counts[0] >= LEAST_LEADING else None

    def unknown_about(self, subject: Subject) -> int:
        """Reviews that may blame a subject, of those that are not known to mention it."""
        concept = CONCEPTS.get(subject.id, "")
        blaming = {each.ulid for each in self.unrecognised}
        blaming |= {ulid for ulid, named in self.sentences.items() if concept in named}
        return len(blaming - {said.ulid for said in subject.outcome.newest})

    @cached_property
    def entries(self) -> Mapping[str, Sequence[str]]:
        """Ids for the entries of these reviews in `per_review`."""
        unnamed = {True: UNRECOGNISED, False: WORDLESS}
        return {
            record.ulid: sorted(self.sentences[record.ulid])
            or [unnamed[bool(record.text)] if record.is_unhappy else UNNAMED]
            for record in self.records
        }
