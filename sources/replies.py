"""Send replies to the sites of their reviews.

The table of replies is the queue. A worker claims a reply, counts the attempt, sends the reply and
stores the result. The claim of a killed worker expires and the reply is sent again, so connectors
must not post it twice. The wait after a failure doubles each time; a refused reply becomes a draft.
"""

import logging
from collections.abc import Iterator
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from core.claims import RELEASED, Claim, ClaimLost, claim_first
from core.secrets import SecretLost
from reviews.models import Reply, Review
from reviews.replies import Channel, record_sent
from sources import schedule
from sources.client import (
    CredentialsRefused,
    NotFound,
    RequestRefused,
    SourceClient,
    SourceFailure,
)
from sources.connectors import connector_of
from sources.connectors.replies import Replies, ReplyCall
from sources.models import SourceConnection
from sources.selectors import readable_secrets

logger = logging.getLogger(__name__)

CLAIM_SECONDS = 75.0  # Longer than one request. Each request extends the claim.
MAX_ATTEMPTS = 12  # Within about two days.
ROUNDS = 100
FINAL = (CredentialsRefused, RequestRefused, NotFound)
OUR_FAULT = gettext_noop(
    "An internal error prevented the reply from being sent. The log has the details."
)


def channel_of(review: Review) -> Channel | None:
    """Return the channel of the first source that reaches the review, or None."""
    for connection, label, replies in _ways(review):
        page = reverse("admin:sources_sourceconnection_change", args=[connection.pk])
        return Channel(label, replies.longest, page)
    return None


def _ways(review: Review) -> Iterator[tuple[SourceConnection, str, Replies]]:
    """The sources that reach the review, each with the label of its connector."""
    for connection in () if review.external_id_is_synthetic else SourceConnection.objects.all():
        connector = connector_of(connection)
        replies = connector.replies
        if replies and replies.source == review.source:
            secrets = readable_secrets(connection)
            if replies.reaches(connection.settings, secrets, review.external_id):
                yield connection, str(connector.label), replies


def send_due() -> int:
    """Send the replies that are due. Return the number of attempts."""
    for tried in range(ROUNDS):
        due = Reply.objects.filter(state=Reply.State.WAITING, next_attempt_at__lte=timezone.now())
        claim = claim_first(due.order_by("next_attempt_at", "pk"), CLAIM_SECONDS)
        if claim is None:
            return tried
        try:
            _send(claim)
        except ClaimLost:
            logger.warning("Another worker or a person has taken reply %d over.", claim.pk)
    return ROUNDS


def _send(claim: Claim) -> None:
    reply = claim.rows().select_related("review", "written_by").first()
    if reply is None:
        raise ClaimLost
    claim.store(attempts=reply.attempts + 1)
    try:
        site = _deliver(reply, claim)
    except SourceFailure as failure:
        _record_failure(claim, reply, failure)
    except SecretLost as lost:
        _record_failure(claim, reply, CredentialsRefused(str(lost)))
    except ClaimLost:
        raise
    except Exception:
        logger.exception("Reply %d cannot be sent", reply.pk)
        _record_failure(claim, reply, SourceFailure(_(OUR_FAULT)))
    else:
        record_sent(claim, reply, site)


def _deliver(reply: Reply, claim: Claim) -> str:
    """Send the reply and return the name of the site. Raises `SourceFailure`."""
    review = reply.review
    for connection, label, replies in _ways(review):
        replies.send(
            ReplyCall(
                settings=connection.settings,
                secrets=connection.secrets,
                client=SourceClient(on_request=claim.extend),
                external_id=review.external_id,
                text=reply.text,
            )
        )
        return label
    raise RequestRefused(
        _("No source can reach this review any more. Copy the text and reply on its site.")
    )


def _record_failure(claim: Claim, reply: Reply, failure: SourceFailure) -> None:
    """Store the reason and the time of the next attempt. After a final failure, make it a draft."""
    now, tries = timezone.now(), reply.attempts + 1
    logger.warning("Reply %d, try %d: %s", reply.pk, tries, failure)
    values: dict[str, Any] = {"problem": str(failure)}
    if isinstance(failure, FINAL) or tries >= MAX_ATTEMPTS:
        values["state"] = Reply.State.DRAFT
    else:
        wait = failure.retry_after_seconds
        values["next_attempt_at"] = schedule.retry_at(now, tries, wait)
    claim.store(**values, **RELEASED)
