"""Complaints of customers: known ones, counted as "at least", and those that nothing recognised.

The population is every review with one or two stars, and every other one with a sentence that
blames this business. A complaint is called the leading one only where the reviews in which none was
recognised could not overturn that.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from insights.aggregate import LEAST_MENTIONS, Aggregate, Subject
from insights.findings import AnalysedReview, Span

LEAST_LEADING = 5  # Reviews of a complaint that is called the leading one.
UNRECOGNISED, UNNAMED = "unrecognised", "unnamed"  # In place of ids, of the unhappy and of others.


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
            aggregate.complaining.values(), key=lambda each: (each.date, each.ulid), reverse=True
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
        label = self._aggregate.names.complaint
        labelled = {each.id for each in record.complaints if each.label}
        sentences: dict[str, list[Span]] = {
            key: [] for key in record.complaint_ids if key in labelled or label(key)
        }
        for start, end, key, _ in record.complaints:
            name = key or themes.get((start, end), "")
            if name in sentences or (name and not key):
                sentences.setdefault(name, []).append((start, end))
        return sentences

    @cached_property
    def unhappy(self) -> list[AnalysedReview]:
        return [record for record in self.records if record.is_unhappy]

    @cached_property
    def unrecognised(self) -> list[AnalysedReview]:
        """Unhappy reviews in which no complaint was recognised."""
        return [record for record in self.unhappy if not self.sentences[record.ulid]]

    @cached_property
    def unnamed_count(self) -> int:
        """Reviews of the whole population in which no complaint was recognised."""
        return sum(not named for named in self.sentences.values())

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
        items = [
            Complaint(
                key,
                self._aggregate.names.complaint(key) or themes.get(key) or _commonest(written[key]),
                reviews,
            )
            for key, reviews in sentences.items()
            if len(reviews) >= LEAST_MENTIONS
        ]
        return sorted(items, key=lambda each: (-each.count, each.id))

    @property
    def leading(self) -> Complaint | None:
        """The complaint of most reviews, if the unrecognised ones cannot make it another."""
        counts = [each.count for each in self.items] + [0, 0]
        is_ahead = counts[0] - counts[1] > self.unnamed_count
        return self.items[0] if is_ahead and counts[0] >= LEAST_LEADING else None

    @cached_property
    def entries(self) -> Mapping[str, Sequence[str]]:
        """Ids for the entries of these reviews in `per_review`."""
        return {
            record.ulid: sorted(self.sentences[record.ulid])
            or [UNRECOGNISED if record.is_unhappy else UNNAMED]
            for record in self.records
        }


def _commonest(labels: Mapping[str, int]) -> str:
    return min(labels, key=lambda label: (-labels[label], label))
