"""Bring the insights up to date with the reviews."""

import logging

from django.db import transaction

from insights.signals import insights_refreshed
from reviews.models import Revision

logger = logging.getLogger(__name__)


def refresh(*, everything: bool = False) -> bool:
    """Take the reviews' newest revision into the insights; False when nothing was due.

    `everything` announces the insights anew even when no review has changed since the last time.
    """
    with transaction.atomic():
        reviews = Revision.objects.filter(name=Revision.REVIEWS).first()
        if reviews is None:
            return False
        insights, created = Revision.objects.select_for_update().get_or_create(
            name=Revision.INSIGHTS,
            defaults={"number": reviews.number, "changed_at": reviews.changed_at},
        )
        if not (created or everything) and insights.number >= reviews.number:
            return False
        insights.number, insights.changed_at = reviews.number, reviews.changed_at
        insights.save()
        transaction.on_commit(_announce, robust=True)
    logger.info("Insights follow the reviews up to revision %d", reviews.number)
    return True


def _announce() -> None:
    insights_refreshed.send_robust(sender=Revision)
