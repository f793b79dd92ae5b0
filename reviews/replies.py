"""Change replies that are written here, and log each change in the review's history.

A reply that was sent, or written at another site, becomes the review's published reply like an edit
by hand: later imports keep it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from core.claims import RELEASED, Claim
from reviews import services
from reviews.models import Reply, Review
from reviews.selectors import today
from reviews.signals import reply_waiting

State = Reply.State


class ReplyUnderWay(Exception):
    """Raised while a worker is sending the reply."""


@dataclass(frozen=True, slots=True)
class Channel:
    """Connection through which replies reach the site of a review."""

    site: str
    longest: int = 0  # Limit of the site in bytes; 0 if none is known.
    page: str = ""  # Page of the administration that renews the access.


def channel_of(review: Review) -> Channel | None:
    """Channel to the review's site, from the first app that has one; else None.

    The `AppConfig` of an app names a function of the review in its attribute `reply_channel`.
    """
    for app in apps.get_app_configs():
        if path := getattr(app, "reply_channel", None):
            find: Callable[[Review], Channel | None] = import_string(path)
            if channel := find(review):
                return channel
    return None


@transaction.atomic
def save_draft(review: Review, text: str, by: User | None) -> Reply:
    """Store a draft; a reply that was sent before remains published."""
    reply = _locked(review)
    if (reply.text, reply.state) != (text, State.DRAFT):
        _write(reply, text, by, state=State.DRAFT, problem="")
        record(review, by, _("Reply saved as a draft."))
    return reply


@transaction.atomic
def send(review: Review, text: str, by: User | None) -> bool:
    """Queue a reply to the review's site. Return False if it is queued or sent already."""
    reply = _locked(review)
    is_published = reply.state == State.SENT and review.reply_text == text
    if reply.text == text and (reply.state == State.WAITING or is_published):
        return False
    _write(reply, text, by, state=State.WAITING, problem="", attempts=0)
    record(review, by, _("Reply to be sent."))
    reply_waiting.send(Reply)
    return True


@transaction.atomic
def mark_answered(review: Review, text: str, by: User | None) -> None:
    """Mark the review as answered at its site, and publish the text if there is one."""
    reply = _locked(review)
    if (reply.text, reply.state) != (text, State.ELSEWHERE):
        _write(reply, text, by, state=State.ELSEWHERE, problem="", sent_at=timezone.now())
        record(review, by, _("Answered elsewhere."))
    if text:
        _publish(review, text)


@transaction.atomic
def withdraw(review: Review, by: User | None) -> None:
    """Turn a queued reply, or one marked as answered elsewhere, back into a draft.

    A published text remains published.
    """
    reply = _locked(review)
    if reply.state in {State.WAITING, State.ELSEWHERE}:
        _write(reply, reply.text, reply.written_by, state=State.DRAFT, problem="", sent_at=None)
        record(review, by, _("Reply made a draft again."))


@transaction.atomic
def record_sent(claim: Claim, reply: Reply, site: str) -> None:
    """Record that the site accepted the reply, and publish it. Raises `ClaimLost`."""
    now = timezone.now()
    claim.store(state=State.SENT, sent_at=now, problem="", **RELEASED)
    _publish(reply.review, reply.text)
    record(reply.review, reply.written_by, _("Reply sent to %(site)s.") % {"site": site})


def record(review: Review, by: User | None, message: str) -> None:
    """Log a change in the review's history, if there is a user."""
    if by is not None:
        LogEntry.objects.log_actions(by.pk, [review], CHANGE, message)


def _locked(review: Review) -> Reply:
    """Lock the reply of a review. Raises `ReplyUnderWay`."""
    Review.objects.select_for_update(no_key=True).get(pk=review.pk)
    reply = Reply.objects.select_for_update().filter(review=review).first()
    reply = reply or Reply(review=review)
    now = timezone.now()
    if reply.state == State.WAITING and reply.claimed_until and reply.claimed_until > now:
        raise ReplyUnderWay
    return reply


def _write(reply: Reply, text: str, by: User | None, **values: Any) -> None:
    if reply.text != text or reply.written_by is None:
        reply.written_by, reply.written_at = by, timezone.now()
    reply.text, reply.next_attempt_at = text, timezone.now()
    for name, value in {**values, **RELEASED}.items():
        setattr(reply, name, value)
    reply.save()


def _publish(review: Review, text: str) -> None:
    if text != review.reply_text:
        day = max(today(), review.date)
        services.edit_review(review, {"reply_text": text, "reply_date": day})
