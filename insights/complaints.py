"""Count the complaints of customers, recognised and unrecognised.

The population is every review with one or two stars, and every other review with a sentence that
blames this business. A complaint has the name of a concept or problem, or of an aspect that its
words blame. Each count is a lower bound. One complaint is the leading one only if the reviews with
an unrecognised complaint cannot change that.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from insights.aggregate import MIN_MENTIONS, Aggregate, Subject
from insights.findings import AnalysedReview, Span
from insights.prose.relevance import relevance
from insights.prose.wording import answering_stems
from review_analysis.concepts import LABELS, of_problem

MIN_LEADING = 5  # Reviews.
# Ids of reviews without a recognised complaint: unhappy, unhappy without words, and others.
UNRECOGNISED, WORDLESS, UNNAMED = "unrecognised", "wordless", "unnamed"
# The concept of a complaint about an aspect.
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
    """One kind of complaint, with its sentences by review id, newest first."""

    id: str
    label: str
    sentences: Mapping[str, Sequence[Span]]

    @property
    def count(self) -> int:
        """Least number of reviews that have this complaint."""
        return len(self.sentences)


class Complaints:
    """Complaints of the population as it is now."""

    def __init__(self, aggregate: Aggregate, themes: Sequence[Subject] = ()) -> None:
        self._aggregate = aggregate
        self._themes = themes
        newest = sorted(
            aggregate.complaining.values(), key=attrgetter("date", "ulid"), reverse=True
        )
        self.records = {record.ulid: record for record in newest}

    @property
    def count(self) -> int:
        """Number of reviews that complain."""
        return len(self.records)

    @cached_property
    def sentences(self) -> Mapping[str, Mapping[str, Sequence[Span]]]:
        """Sentences by review id and complaint."""
        themes = defaultdict[str, dict[Span | None, str]](dict)
        for theme in self._themes:
            for said in theme.derived.newest:
                if said.opinion.label == "negative":
                    themes[said.ulid][said.opinion.quote] = theme.id
        return {
            ulid: self._sentences_of(record, themes.get(ulid, {}))
            for ulid, record in self.records.items()
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
        """Id of the complaint in a sentence; an aspect counts only if the words blame it."""
        aspect = self._aggregate.names.aspects.get(key)
        if aspect is None or key in LABELS:
            return key if self._aggregate.names.complaint(key) else ""
        blames = relevance(text, answering_stems(key, aspect)).says("negative")
        return CONCEPTS.get(key, key) if blames else ""

    @cached_property
    def unhappy(self) -> list[AnalysedReview]:
        return [record for record in self.records.values() if record.is_unhappy]

    @cached_property
    def unrecognised(self) -> list[AnalysedReview]:
        """Unhappy reviews with words in which no complaint was recognised."""
        return [each for each in self.unhappy if each.text and not self.sentences[each.ulid]]

    @cached_property
    def wordless_count(self) -> int:
        """Number of unhappy reviews without words."""
        return sum(not record.text for record in self.unhappy)

    @cached_property
    def unnamed_count(self) -> int:
        """Number of reviews with words in which no complaint was recognised, happy or not."""
        return sum(not self.sentences[ulid] for ulid, each in self.records.items() if each.text)

    @cached_property
    def items(self) -> list[Complaint]:
        """Complaints of enough reviews, most frequent first."""
        sentences = defaultdict[str, dict[str, Sequence[Span]]](dict)
        written = defaultdict[str, Counter[str]](Counter)
        for ulid, record in self.records.items():
            for key, spans in self.sentences[ulid].items():
                sentences[key][ulid] = spans
            for each in record.complaints:
                written[each.id][each.label] += 1
        themes = {theme.id: theme.label for theme in self._themes}
        items = []
        for key, reviews in sentences.items():
            if len(reviews) >= MIN_MENTIONS:
                label = self._aggregate.names.complaint(key) or themes.get(key)
                # Of equally frequent labels of a language model the alphabetically first.
                label = label or max(sorted(written[key]), key=written[key].__getitem__)
                items.append(Complaint(key, label, reviews))
        return sorted(items, key=lambda each: (-each.count, each.id))

    @property
    def leading(self) -> Complaint | None:
        """The most frequent complaint, if unrecognised complaints cannot change the order."""
        counts = [each.count for each in self.items] + [0, 0]
        is_ahead = counts[0] - counts[1] > self.unnamed_count
        return self.items[0] if is_ahead and counts[0] >= MIN_LEADING else None

    def unknown_about(self, subject: Subject) -> int:
        """Number of reviews that may blame a subject without a recognised mention."""
        concept = CONCEPTS.get(subject.id, "")
        blaming = {each.ulid for each in self.unrecognised}
        blaming |= {ulid for ulid, named in self.sentences.items() if concept in named}
        return len(blaming - {said.ulid for said in subject.derived.newest})

    @cached_property
    def entries(self) -> Mapping[str, Sequence[str]]:
        """Complaint ids by review id, as published in `per_review`."""
        return {
            ulid: sorted(self.sentences[ulid]) or [_unnamed(record)]
            for ulid, record in self.records.items()
        }


def _unnamed(record: AnalysedReview) -> str:
    if not record.is_unhappy:
        return UNNAMED
    return UNRECOGNISED if record.text else WORDLESS
