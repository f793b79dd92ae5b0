"""Analyse reviews, apply administrators' corrections, and store the findings."""

import hashlib
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db import DatabaseError, transaction
from django.db.models import prefetch_related_objects

from insights import selectors
from insights.backends import ReviewInput, ReviewResult
from insights.editorial import apply_corrections
from insights.findings import Kind, dump, findings_of, limited_by_stars
from insights.models import ReviewAnalysis
from insights.selectors import AnalysisInputs
from review_analysis import Analyser
from reviews.models import Mention, Review, lock_rows_for_key_share

logger = logging.getLogger(__name__)

KINDS_OF_MENTIONS: Mapping[str, Kind] = {
    Mention.Kind.TECHNICIAN: "technicians",
    Mention.Kind.SERVICE: "services",
    Mention.Kind.AREA: "areas",
}
STARS = "stars/1.0"  # Model of a review that the analyser cannot read.


def analyse_reviews(reviews: Sequence[Review], inputs: AnalysisInputs) -> None:
    """Analyse reviews and store their findings; the analysis runs outside a transaction."""
    prefetch_related_objects(reviews, "mentions", "overrides")
    batch = [ReviewInput(each.customer_text, each.customer_rating, each.date) for each in reviews]
    rows = []
    for review, (reading, model, named) in zip(reviews, _read(batch, inputs), strict=True):
        text_sha256 = digest_of(review.customer_text)
        mentioned = defaultdict[Kind, list[str]](list)
        for mention in review.mentions.all():
            mentioned[KINDS_OF_MENTIONS[mention.kind]].append(mention.subject)
        findings = findings_of(reading, mentioned, review.customer_text, named)
        if not review.is_rewritten:
            made = [each for each in review.overrides.all() if each.text_sha256 == text_sha256]
            findings = apply_corrections(findings, made)
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
    fields = ReviewAnalysis._meta.concrete_fields
    with transaction.atomic():
        alive = lock_rows_for_key_share([review.pk for review in reviews])
        ReviewAnalysis.objects.bulk_create(
            [row for row in rows if row.pk in alive],
            update_conflicts=True,
            unique_fields=["review"],
            update_fields=[each.name for each in fields if not each.primary_key],
        )


def _read(batch: Sequence[ReviewInput], inputs: AnalysisInputs) -> list[ReviewResult]:
    try:
        return selectors.analyser().analyse(batch, inputs.taxonomy, inputs.roster)
    except DatabaseError:
        raise  # The reviews are not at fault, and stay due.
    except Exception:
        # Texts are arbitrary input; one unreadable review must not block the others.
        if len(batch) > 1:
            logger.exception("A batch of reviews cannot be analysed; each is read by itself")
            return [result for each in batch for result in _read([each], inputs)]
        [review] = batch
        logger.exception("A review of %s cannot be analysed; its stars count", review.date)
        return [ReviewResult(Analyser({}).read("", review.rating), STARS)]


def digest_of(text: str) -> str:
    """Return the digest by which overrides and analyses refer to a text."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
