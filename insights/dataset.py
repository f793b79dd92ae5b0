"""The document `/insights.json`: figures about the reviews, with the evidence for each."""

import datetime as dt
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import orjson
from django.conf import settings
from django.utils import translation

from insights import selectors, taxonomy
from insights.aggregate import Aggregate, Names, Subject
from insights.complaints import Complaints
from insights.editorial import Decisions, Texts, apply_decisions
from insights.models import Artifact
from insights.periods import periods
from insights.prose.faq import questions
from insights.prose.quotations import (
    SIDES,
    Quotation,
    Written,
    aspect_quotes,
    complaint_quotes,
    public_names,
    pull_quote,
    sample_quote,
    unrecognised_quotes,
)
from insights.prose.summary import summary
from insights.running_totals import PerReview
from insights.statistics import LABELS, SentimentTotals, month_name, percentages, rounded
from insights.subject_stats import EXAMPLES
from insights.topics import Discovered, NounCounts, discover
from review_analysis.reading import Label


def build(changed_at: dt.datetime) -> bytes:
    """Return the document that was last computed; the same rows give the same bytes."""
    artifact = Artifact.objects.first()
    if artifact and artifact.number:
        members, version = artifact.json, artifact.taxonomy_version
    else:
        builder = DatasetBuilder(Aggregate(Names()), NounCounts(), selectors.analyser().model_id)
        members, version = builder.members(), taxonomy.version()
    head = orjson.dumps({"version": version, "generated_at": changed_at}, option=orjson.OPT_UTC_Z)
    return head[:-1] + b"," + members[1:]


@dataclass(frozen=True)
class DatasetBuilder:
    """Compute the members of the dataset."""

    aggregate: Aggregate
    nouns: NounCounts
    model: str  # Of the analyser, if there are no reviews.
    business_name: str = ""
    has_vertical: bool = True  # If False, texts that need its taxonomy are left out.
    decisions: Decisions = field(default_factory=dict)
    entries: PerReview | None = None  # Entries of the last builder, to reuse.

    @cached_property
    def themes(self) -> list[Discovered]:
        """Themes that neither the taxonomy nor the roster has."""
        known = self.aggregate.names
        taken = {*known.aspects, *known.problems, *known.topics, *known.services}
        return discover(self.nouns, self.aggregate, taken, self.business_name)

    def members(self) -> bytes:
        """The dataset as JSON without `version` and `generated_at`."""
        return orjson.dumps(
            {
                **self._head(),
                "aspects": [self._aspect(each) for each in self.aggregate.subjects("aspects")],
                "entities": self._entities(),
                "complaints": self._complaints(),
                "topics": self._topics(),
                "temporal": {
                    "monthly": [_monthly(*each) for each in self.aggregate.calendar()],
                    "trend": self.aggregate.trend(),
                    "periods": periods(self.aggregate, self.complaints),
                },
                "per_review": self._per_review(),
                **self._texts(self.shown),
            }
        )

    def _head(self) -> dict[str, Any]:
        overall, (earliest, latest) = self.aggregate.overall, self.aggregate.span() or (None, None)
        models = {record.model for record in self.aggregate.records.values()} or {self.model}
        shares = percentages([overall.of(label) for label in LABELS])
        return {
            "model": models.pop() if len(models) == 1 else "mixed",
            "review_count": overall.count,
            "date_range": {"earliest": earliest, "latest": latest},
            "overall_sentiment": {
                "score": rounded(overall.mean_score, 2),
                **{f"{label}_pct": share for label, share in zip(LABELS, shares, strict=True)},
            },
        }

    # --- Subjects ---------------------------------------------------------------------------------

    def _aspect(self, aspect: Subject) -> dict[str, Any]:
        low, high = aspect.totals.interval
        return {
            **_judged(aspect),
            "unknown_count": self.complaints.unknown_about(aspect),
            "positive_low": rounded(low, 1),
            "positive_high": rounded(high, 1),
            "impact": rounded(self.aggregate.impact(aspect), 2),
            "top_phrases": [phrase.text for phrase in aspect.derived.top_phrases],
            "phrases": [
                {"text": phrase.text, "label": phrase.label, "mention_count": phrase.reviews}
                for phrase in aspect.derived.top_phrases
            ],
            "quotes": [
                {"text": quotation.text, "label": side, "review_id": quotation.review_id}
                for side in SIDES
                if (quotation := self.quotes.get((aspect.id, side)))
            ],
            "example_review_ids": aspect.derived.examples,
        }

    @cached_property
    def quotes(self) -> Mapping[tuple[str, Label], Quotation]:
        """Quotations by aspect and label."""
        if not self.has_vertical:
            return {}
        return aspect_quotes(self.aggregate, self.business_name)

    def _entities(self) -> dict[str, Any]:
        subjects = self.aggregate.subjects
        return {
            "technicians": [
                {
                    **_judged(person, "name"),
                    "average_rating": person.totals.average_rating,
                    "top_aspects": self.aggregate.top_aspects(person),
                    "example_review_ids": person.derived.examples,
                    "sample_quote": sample_quote(self.aggregate, person),
                }
                for person in subjects("technicians")
            ],
            "services": [
                {
                    **_judged(service),
                    "average_rating": service.totals.average_rating,
                    "example_review_ids": service.derived.examples,
                    "sample_quote": sample_quote(self.aggregate, service),
                }
                for service in subjects("services")
            ],
            "problems": [
                {
                    "id": problem.id,
                    "label": problem.label,
                    "mention_count": problem.count,
                    "resolved_count": problem.resolved,
                    "example_review_ids": problem.derived.examples,
                }
                for problem in subjects("problems")
            ],
            "service_areas": [
                {
                    "id": area.id,
                    "name": area.label,
                    "mention_count": area.count,
                    "average_rating": area.totals.average_rating,
                    "example_review_ids": area.derived.examples,
                }
                for area in subjects("areas")
            ],
        }

    def _topics(self) -> list[dict[str, Any]]:
        topics: list[tuple[Subject, Sequence[str]]] = [
            *((topic, topic.derived.keywords) for topic in self.aggregate.subjects("topics")),
            *((theme.subject, theme.keywords) for theme in self.themes),
        ]
        topics.sort(key=lambda each: (-each[0].count, each[0].id))
        return [
            {
                "id": topic.id,
                "label": topic.label,
                "mention_count": topic.count,
                "share_pct": rounded(100 * topic.count / self.aggregate.overall.count, 1),
                "score": rounded(topic.totals.mean_score, 2),
                "keywords": keywords,
                "example_review_ids": topic.derived.examples,
            }
            for topic, keywords in topics
        ]

    # --- Complaints -------------------------------------------------------------------------------

    @cached_property
    def complaints(self) -> Complaints:
        return Complaints(self.aggregate, [theme.subject for theme in self.themes])

    def _complaints(self) -> dict[str, Any]:
        complaints = self.complaints
        quotes = complaint_quotes(complaints, self.known_names)
        unhappy, all_reviews = len(complaints.unhappy), self.aggregate.overall.count
        unrecognised = len(complaints.unrecognised)
        return {
            "unhappy_count": unhappy,
            "unhappy_pct": rounded(100 * unhappy / all_reviews, 1) if all_reviews else 0.0,
            "recognised_count": unhappy - unrecognised - complaints.wordless_count,
            "unrecognised_count": unrecognised,
            "wordless_count": complaints.wordless_count,
            "unrecognised_quotes": [
                {"text": quotation.text, "review_id": quotation.review_ids[0]}
                for quotation in unrecognised_quotes(complaints, self.known_names)
            ],
            "complaining_count": complaints.count,
            "unnamed_count": complaints.unnamed_count,
            "leading": complaints.leading.id if complaints.leading else None,
            "items": [
                {
                    "id": each.id,
                    "label": each.label,
                    "mention_count": each.count,
                    "quote": {"text": quote.text, "review_id": quote.review_ids[0]}
                    if (quote := quotes.get(each.id))
                    else None,
                    "example_review_ids": list(each.sentences)[:EXAMPLES],
                }
                for each in complaints.items
            ],
        }

    @cached_property
    def known_names(self) -> frozenset[str]:
        return public_names(self.aggregate, self.business_name)

    # --- Each review ------------------------------------------------------------------------------

    def _per_review(self) -> orjson.Fragment:
        themes: dict[str, list[str]] = defaultdict(list)
        for theme in self.themes:
            for ulid in theme.review_ids:
                themes[ulid].append(theme.id)
        entries = self.entries or PerReview(self.aggregate.names)
        complaints = self.complaints.entries
        return orjson.Fragment(entries.json(self.aggregate.newest(), themes, complaints))

    # --- Texts ------------------------------------------------------------------------------------

    @cached_property
    def written(self) -> Texts:
        """The automatic texts."""
        where = (self.aggregate, self.business_name)
        quote = pull_quote(*where) if self.has_vertical else None
        return self._written_in(settings.LANGUAGE_CODE, quote)

    def _written_in(self, language: str, quote: Written | None) -> Texts:
        where = (self.aggregate, self.business_name, self.complaints)
        with translation.override(language):
            return Texts(
                summary(*where) if self.has_vertical else None,
                quote,
                questions(*where, has_vertical=self.has_vertical),
            )

    @cached_property
    def shown(self) -> Texts:
        """The published texts, with administrators' decisions."""
        return apply_decisions(self.written, self.decisions, self.aggregate.records)

    def translated(self) -> dict[str, dict[str, Any]]:
        """Members with the published texts by language, except the default language."""
        quote, records = self.written.pull_quote, self.aggregate.records
        return {
            code: self._texts(
                apply_decisions(self._written_in(code, quote), self.decisions, records)
            )
            for code, _ in settings.LANGUAGES
            if code != settings.LANGUAGE_CODE
        }

    def _texts(self, shown: Texts) -> dict[str, Any]:
        return {
            "faq": [
                {
                    "question": question.question,
                    "answer": question.answer,
                    "review_ids": question.review_ids,
                }
                for question in shown.questions
            ],
            **({"summary": shown.summary.text} if shown.summary else {}),
            **({"pull_quote": shown.pull_quote.text} if shown.pull_quote else {}),
        }

    # --- Time -------------------------------------------------------------------------------------

    @property
    def months(self) -> dict[str, tuple[int, ...]]:
        """Sums of each month with reviews, for trends."""
        return {
            month_name(month): (totals.count, totals.score, totals.stars, totals.star_squares)
            for month, totals in self.aggregate.months.items()
        }


def _judged(subject: Subject, naming: str = "label") -> dict[str, Any]:
    totals = subject.totals
    return {
        "id": subject.id,
        naming: subject.label,
        "mention_count": totals.count,
        **{f"{label}_count": totals.of(label) for label in LABELS},
        "positive_pct": totals.positive_pct,
        "score": rounded(totals.mean_score, 2),
    }


def _monthly(month: int, totals: SentimentTotals) -> dict[str, Any]:
    return {
        "month": month_name(month),
        "review_count": totals.count,
        "average_rating": totals.average_rating,
        "score": rounded(totals.mean_score, 2) if totals.count else None,
        "positive_pct": totals.positive_pct if totals.count else None,
    }
