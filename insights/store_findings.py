"""Analyse single reviews, apply administrators' corrections, and store the findings."""

import hashlib
import logging
from collections.abc import Sequence

from django.db import DatabaseError, transaction

from insights import selectors
from insights.backends import ReviewInput, ReviewResult
from insights.editorial import corrected
from insights.findings import dump, findings_of, limited_by_stars
from insights.models import ReviewAnalysis
from insights.selectors import AnalysisInputs
from review_analysis import Analyser
from reviews.models import Review, lock_rows_for_key_share

logger = logging.getLogger(__name__)

STARS = "stars/1.0"  # What reads a review of which the analyser can make nothing.
ANALYSED = (
    "review_updated_at",
    "text_sha256",
    "basis",
    "model",
    "sentiment",
    "score",
    "record",
    "analysed_at",
)


def analyse_reviews(reviews: Sequence[Review], inputs: AnalysisInputs) -> None:
    """Read these reviews and keep what they say; no transaction is open while they are read."""
    mentioned = selectors.mentioned_in(reviews)
    overrides = selectors.overrides_of(reviews)
    rows = []
    for review, (reading, model, named) in zip(reviews, _read(reviews, inputs), strict=True):
        text_sha256 = digest_of(review.customer_text)
        findings = corrected(
            findings_of(reading, mentioned.get(review.pk, {}), review.customer_text, named),
            [
                override
                for override in overrides.get(review.pk, ())
                if override.text_sha256 == text_sha256 and not review.is_rewritten
            ],
        )
        findings = limited_by_stars(findings, review.customer_rating)
        rows.append(
            ReviewAnalysis(
                review=review,
                review_updated_at=review.updated_at,
                text_sha256=text_sha256,
                basis=inputs.digest,
                model=model,
                sentiment=findings.label,
                score=findings.score,
                record=dump(findings),
            )
        )
    with transaction.atomic():
        alive = lock_rows_for_key_share([review.pk for review in reviews])
        ReviewAnalysis.objects.bulk_create(
            [row for row in rows if row.pk in alive],
            update_conflicts=True,
            unique_fields=["review"],
            update_fields=ANALYSED,
        )


def _read(reviews: Sequence[Review], inputs: AnalysisInputs) -> list[ReviewResult]:
    batch = [
        ReviewInput(review.customer_text, review.customer_rating, review.date) for review in reviews
    ]
    try:
        return selectors.analyser().analyse(batch, inputs.taxonomy, inputs.roster)
    except DatabaseError:
        raise  # No fault of these reviews, which stay due.
    except Exception:
        # A review holds whatever a stranger wrote; one must not hold up the others.
        logger.exception("A batch of reviews cannot be analysed; each is read by itself")
        return [_read_alone(each, inputs) for each in batch]


def _read_alone(review: ReviewInput, inputs: AnalysisInputs) -> ReviewResult:
    try:
        return selectors.analyser().analyse([review], inputs.taxonomy, inputs.roster)[0]
    except DatabaseError:
        raise
    except Exception:
        logger.exception("A review of %s cannot be analysed; its stars count", review.date)
        return ReviewResult(Analyser({}).read("", review.rating), STARS)


def digest_of(text: str) -> str:
    """Digest by which overrides and analyses refer to a text."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
