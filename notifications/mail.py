"""E-mail to users: bundled news, digests, tests, and links to set a password."""

import logging
import smtplib
import ssl
from email.policy import Policy
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from notifications.digest import digest_of
from notifications.models import (
    MAIL_INTERVAL,
    Message,
    Notice,
    PasswordRequest,
    Recipient,
)
from notifications.texts import admin_url, one_line, text_of
from reviews.selectors import get_business
from reviews.timestamps import business_time_zone
from website.templatetags.review_tags import business_name

logger = logging.getLogger(__name__)

LISTED = 20  # Events that one message shows. Further events are only counted.
DIGEST_HOUR = 8
UNSUBSCRIBE = "notifications.unsubscribe"
Kind = Message.Kind
CHOSEN = (Kind.NEWS, Kind.DIGEST)  # These can be unsubscribed without a sign-in.


# --- The queue ------------------------------------------------------------------------------------


def queue_due() -> None:
    """Queue the messages that are due: links to set a password, news, digests."""
    if settings.EMAIL_ENABLED:
        _answer_password_requests()
        _bundle_notices()
        _queue_digests()


def quiet_recipients() -> list[int]:
    """Return the recipients whose quiet hours include the current time."""
    now = timezone.now().astimezone(business_time_zone()).time()
    asleep = Recipient.objects.exclude(quiet_from=None)
    return [each.pk for each in asleep if each.is_quiet(now)]


def _bundle_notices() -> None:
    """Put all notices of a recipient into one message, at most one a minute."""
    waiting = Message.objects.waiting().filter(kind=Kind.NEWS).values("recipient")
    pending = Notice.objects.filter(message=None).exclude(recipient__in=waiting)
    quiet = quiet_recipients()
    for pk in pending.exclude(recipient__in=quiet).values_list("recipient", flat=True).distinct():
        with transaction.atomic():
            recipient = Recipient.objects.select_for_update().get(pk=pk)
            last, now = recipient.last_mail_at, timezone.now()
            if last and now - last < MAIL_INTERVAL:
                continue
            notices = Notice.objects.filter(recipient=recipient, message=None)
            if notices.exists():
                message = Message.objects.create(kind=Kind.NEWS, recipient=recipient)
                notices.update(message=message)


def _queue_digests() -> None:
    """Queue the digests of this morning once."""
    local = timezone.now().astimezone(business_time_zone())
    today = local.date()
    wanted = Recipient.objects.exclude(digest=Recipient.Digest.NONE).exclude(user__email="")
    if local.hour < DIGEST_HOUR:
        return
    if today.weekday() != 0:
        wanted = wanted.filter(digest=Recipient.Digest.DAILY)
    wanted = wanted.filter(user__is_active=True, user__is_staff=True)
    for recipient in wanted.exclude(digested_on__gte=today).exclude(pk__in=quiet_recipients()):
        with transaction.atomic():
            mine = Recipient.objects.filter(pk=recipient.pk).exclude(digested_on__gte=today)
            if mine.update(digested_on=today) and recipient.user.has_perm("reviews.view_review"):
                Message.objects.create(kind=Kind.DIGEST, recipient=recipient)


def _answer_password_requests() -> None:
    for request in PasswordRequest.objects.order_by("pk")[:100]:
        users = User.objects.filter(email__iexact=request.email, is_active=True)
        for user in users:
            if user.has_usable_password():
                queue_for(user, Kind.PASSWORD)
        request.delete()


def queue_for(user: User, kind: Message.Kind) -> Message:
    """Queue a message of this kind, or return the one that is waiting."""
    recipient, _is_new = Recipient.objects.get_or_create(user=user)
    waiting = Message.objects.waiting().filter(recipient=recipient, kind=kind).first()
    return waiting or Message.objects.create(kind=kind, recipient=recipient)


# --- Messages -------------------------------------------------------------------------------------


class _UnfoldedHeader(str):
    """A value of `List-Unsubscribe` that is not folded.

    Python encodes a word longer than a line (RFC 2047), but mail programs expect a plain address.
    """

    __slots__ = ()
    name = "List-Unsubscribe"  # With this attribute, `email.policy` takes the object unchanged.

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


def send(message: Message, recipient: Recipient) -> None:
    """Send one message. Raises `OSError` (a base of the errors of `smtplib`) and `MailRefused`."""
    if not settings.EMAIL_ENABLED:
        raise MailRefused(_("E-mail is off. An operator has to set EMAIL_URL."))
    address = recipient.user.email
    if not address:
        raise MailRefused(_("The user has no e-mail address."), is_final=True)
    subject, text, html = compose(message, recipient, business_name(get_business()))
    host = urlsplit(settings.BASE_URL).hostname or "localhost"
    headers = {"Message-ID": f"<{message.uid}@{host}>", "Auto-Submitted": "auto-generated"}
    if message.kind in CHOSEN:
        headers["List-Unsubscribe"] = _UnfoldedHeader(f"<{unsubscribe_url(recipient)}>")
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail = EmailMultiAlternatives(subject, text, to=[address], headers=headers)
    mail.attach_alternative(html, "text/html")
    mail.send()


def compose(message: Message, recipient: Recipient, business: str) -> tuple[str, str, str]:
    kind, template = Kind(message.kind), message.kind
    context: dict[str, Any] = {
        "business": business,
        "user": recipient.user,
        "base_url": settings.BASE_URL,
        "settings_url": admin_url("notifications_recipient_changelist"),
    }
    if kind in CHOSEN:
        context["unsubscribe_url"] = unsubscribe_url(recipient)
    if kind is Kind.NEWS:
        subject = _add_news(context, message)
    elif kind is Kind.DIGEST:
        subject = _add_digest(context, message, recipient)
    else:
        subject = _(_SUBJECTS[kind]) % {"name": business}
    if kind in {Kind.PASSWORD, Kind.INVITATION}:
        template = "link"
        context["link"] = password_url(recipient.user)
        context["is_invitation"] = kind is Kind.INVITATION
    subject = context["subject"] = one_line(subject)[:200]
    text, html = (
        render_to_string(f"notifications/{template}.{form}", context) for form in ("txt", "html")
    )
    return subject, text, html


def _add_news(context: dict[str, Any], message: Message) -> str:
    """Add the events to the context, and return the subject."""
    notices = message.notices.select_related("event").order_by("pk")
    count = notices.count()
    shown = [text_of(notice.event) for notice in notices[:LISTED]]
    if more := count - len(shown):
        context["more"] = ngettext("%(more)d more", "%(more)d more", more) % {"more": more}
    context |= {"texts": shown, "inbox_url": admin_url("inbox")}
    if count == 1:
        return shown[0].title
    words = ngettext("%(count)d message of %(name)s", "%(count)d messages of %(name)s", count)
    return words % {"count": count, "name": context["business"]}


def _add_digest(context: dict[str, Any], message: Message, recipient: Recipient) -> str:
    """Add the digest to the context, and return the subject."""
    is_weekly = recipient.digest == Recipient.Digest.WEEKLY
    until = message.created_at.astimezone(business_time_zone()).date()
    context["digest"] = digest_of(until, days=7 if is_weekly else 1)
    subject = (
        _("%(name)s: reviews from the last week")
        if is_weekly
        else _("%(name)s: reviews from yesterday")
    )
    return subject % {"name": context["business"]}


_SUBJECTS = {
    Kind.TEST: gettext_noop("Test message of %(name)s"),
    Kind.PASSWORD: gettext_noop("A new password for %(name)s"),
    Kind.INVITATION: gettext_noop("Your account for the reviews of %(name)s"),
}


# --- Links ----------------------------------------------------------------------------------------


def unsubscribe_url(recipient: Recipient) -> str:
    """Return the address that unsubscribes a recipient by one POST, without a sign-in."""
    token = signing.dumps(recipient.pk, salt=UNSUBSCRIBE)
    return f"{settings.BASE_URL}{reverse('notifications:unsubscribe', args=[token])}"


def password_url(user: User) -> str:
    """Return the address to set a password. It works once, and expires after some days."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    return f"{settings.BASE_URL}{reverse('password_reset_confirm', args=[uid, token])}"


# --- Errors ---------------------------------------------------------------------------------------


class MailRefused(Exception):
    """A message that cannot be sent, with the reason. If `is_final`, a retry does not help."""

    def __init__(self, sentence: str, *, is_final: bool = False) -> None:
        super().__init__(sentence)
        self.is_final = is_final


def describe(error: Exception) -> tuple[str, bool]:
    """Return a sentence on an error of `send`, and whether the error is final."""
    if isinstance(error, MailRefused):
        return str(error), error.is_final
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, reply = next(iter(error.recipients.values()), (0, b""))
        sentence = _("The mail server refuses the address of the user: %(answer)s")
        return sentence % {"answer": _line(code, reply)}, 500 <= code < 600
    if isinstance(error, smtplib.SMTPResponseException) and not isinstance(error, _NAMED):
        answer = _line(error.smtp_code, error.smtp_error)
        return _("The mail server refuses the message: %(answer)s") % {"answer": answer}, False
    return str(next(words for kind, words in _SENTENCES.items() if isinstance(error, kind))), False


_NAMED = (smtplib.SMTPAuthenticationError, smtplib.SMTPSenderRefused)
_SENTENCES: dict[type[Exception], Any] = {
    smtplib.SMTPAuthenticationError: gettext_lazy(
        "The mail server does not accept the user and password of EMAIL_URL."
    ),
    smtplib.SMTPSenderRefused: gettext_lazy(
        "The mail server refuses the sender, DEFAULT_FROM_EMAIL."
    ),
    ssl.SSLError: gettext_lazy("TLS with the mail server of EMAIL_URL failed."),
    TimeoutError: gettext_lazy("The mail server of EMAIL_URL did not answer in time."),
    Exception: gettext_lazy("The mail server of EMAIL_URL cannot be reached."),
}


def _line(code: int, answer: bytes | str) -> str:
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else answer
    return one_line(f"{code} {text}")[:200]
