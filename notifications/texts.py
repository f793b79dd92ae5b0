"""Texts of events for chats and e-mail."""

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from imports.templatetags.sentences import translated
from notifications.models import Event, EventType
from reviews.sites import source_name

MAX_CHARACTERS = 1_000


class EventText(NamedTuple):
    """A title of one line, a text, and a link with its label."""

    title: str
    body: str
    url: str = ""
    link: str = ""


def text_of(event: Event) -> EventText:
    return _TEXTS[EventType(event.type)](event)


def _failed_source(event: Event) -> EventText:
    title = _("The source “%(name)s” is failing") % {"name": event.data["name"]}
    page = admin_url("sources_sourceconnection_change", event.data["id"])
    return EventText(title, translated(event.data["error"]), page, _("Open the source"))


def _waiting_run(event: Event) -> EventText:
    title = _("“%(name)s” needs your approval") % {"name": event.data["name"]}
    page = admin_url("sources_sourceconnection_change", event.data["source"])
    reasons = " ".join(map(translated, event.data["reasons"]))
    return EventText(title, reasons, page, _("Open the source"))


def _removed_subscriber(event: Event) -> EventText:
    title = _("The subscriber %(host)s was removed") % {"host": event.data["host"]}
    page = admin_url("websub_subscription_changelist")
    body = f"{event.data['topic']}\n{event.data['reason']}"
    return EventText(title, body, page, _("See the subscribers"))


def _disabled_webhook(event: Event) -> EventText:
    title = _("The webhook “%(name)s” was disabled") % {"name": event.data["name"]}
    page = admin_url("notifications_endpoint_change", event.data["id"])
    return EventText(title, event.data["reason"], page, _("Open the webhook"))


def _refused_reply(event: Event) -> EventText:
    page = admin_url("inbox_review", "all", event.data["id"])
    return EventText(
        _("A reply was refused"), translated(event.data["problem"]), page, _("Open the review")
    )


def _failed_backup(event: Event) -> EventText:
    page = admin_url("index")
    return EventText(
        _("The backup failed"), event.data["error"], page, _("Go to the administration")
    )


def _locked_account(event: Event) -> EventText:
    title = _("Too many wrong passwords for %(name)s") % {"name": event.data["name"]}
    if network := event.data["network"]:
        body = _("Sign-ins from the network %(network)s are blocked for a while.") % {
            "network": network
        }
    else:
        body = _(
            "Sign-ins from networks that the user has not used lately are blocked for a while."
        )
    page = admin_url("axes_accessfailurelog_changelist")
    return EventText(one_line(title), body, page, _("See the failed sign-ins"))


def _test(event: Event) -> EventText:
    body = _("This is a test: messages arrive here.")
    return EventText(_("Test"), body, settings.BASE_URL, _("Open the page"))


def _removed_review(event: Event) -> EventText:
    return EventText(_("A review was removed"), event.data["id"])


def _review_text(event: Event) -> EventText:
    data = event.data
    stars = ngettext("%(stars)d star", "%(stars)d stars", data["rating"]) % {
        "stars": data["rating"]
    }
    words = {"stars": stars, "author": data["author"], "site": source_name(data["source"])}
    if event.type == EventType.REVIEW_CREATED:
        title = _("New review: %(stars)s by %(author)s on %(site)s") % words
    else:
        title = _("Changed review: %(stars)s by %(author)s on %(site)s") % words
    body = Truncator(data["text"] or _("Without words.")).chars(MAX_CHARACTERS)
    return EventText(one_line(title), body, review_url(data["id"]), _("Read the review"))


def one_line(text: str) -> str:
    """Collapse white space, as subjects and headers need it."""
    return " ".join(text.split())


def review_url(ulid: str) -> str:
    return f"{settings.BASE_URL}{reverse('website:review', args=[ulid])}"


def admin_url(name: str, *args: object) -> str:
    """Return the absolute address of a page of the admin."""
    return f"{settings.BASE_URL}{reverse(f'admin:{name}', args=args)}"


_TEXTS: dict[EventType, Callable[[Event], EventText]] = {
    EventType.REVIEW_CREATED: _review_text,
    EventType.REVIEW_UPDATED: _review_text,
    EventType.REVIEW_REMOVED: _removed_review,
    EventType.SOURCE_FAILED: _failed_source,
    EventType.RUN_WAITING: _waiting_run,
    EventType.SUBSCRIPTION_REMOVED: _removed_subscriber,
    EventType.WEBHOOK_DISABLED: _disabled_webhook,
    EventType.REPLY_REFUSED: _refused_reply,
    EventType.BACKUP_FAILED: _failed_backup,
    EventType.ACCOUNT_LOCKED: _locked_account,
    EventType.TEST: _test,
}
