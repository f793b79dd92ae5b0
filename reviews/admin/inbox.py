"""The inbox: tabs of reviews, and one open review beside the list.

Each state has an address, `inbox/TAB/ID/`, and each action is a form, so that the page works
without JavaScript. After an action the same review stays open if it remains in the tab, else the
next one is opened.
"""

import datetime as dt
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from core.admin.dashboard import Panel, contributions
from reviews import inbox
from reviews.admin.dashboard import NEW_DAYS
from reviews.admin.forms import HidingForm
from reviews.admin.inbox_actions import ACTIONS, RedactionForm, ReplyForm, act
from reviews.models import Reply, Review, SavedAnswer
from reviews.models.review import HiddenReason
from reviews.models.visit import previous_visit
from reviews.replies import channel_of
from reviews.sites import reply_page, review_page

HISTORY = 20


def urls(site: admin.AdminSite) -> list[URLPattern]:
    """URL patterns of the inbox, below those of the administration."""
    view = site.admin_view(page)
    return [
        path("inbox/", view, name="inbox"),
        path("inbox/<slug:tab>/", view, name="inbox_tab"),
        path("inbox/<slug:tab>/<slug:ulid>/", view, name="inbox_review"),
    ]


def address(tab: str, ulid: str = "") -> str:
    """Address of a tab, or of a review that is open in it."""
    if ulid:
        return reverse("admin:inbox_review", args=[tab, ulid])
    return reverse("admin:inbox_tab", args=[tab])


# --- The page -------------------------------------------------------------------------------------


def page(request: HttpRequest, tab: str = "new", ulid: str = "") -> HttpResponse:
    """Show a tab and the open review; a POST acts on this review."""
    if not request.user.has_perm("reviews.view_review"):
        raise PermissionDenied
    if tab not in inbox.TABS:
        raise Http404
    opened = get_object_or_404(_reviews(), ulid=ulid) if ulid else None
    forms: dict[str, Any] = {}
    if opened and request.method == "POST":
        action = ACTIONS.get(request.POST.get("action", ""))
        if action is None:
            raise Http404
        permission, function = action
        if not request.user.has_perm(permission):
            raise PermissionDenied
        position = inbox.find_position(opened, inbox.TABS[tab].reviews())
        forms = act(request, opened, function)
        if not forms:
            return HttpResponseRedirect(_next(tab, opened, position))
    return TemplateResponse(
        request, "admin/reviews/inbox/inbox.html", _context(request, tab, opened, forms)
    )


def _reviews() -> Any:
    return Review.objects.select_related("answer__written_by", "hidden_by")


def _next(tab: str, review: Review, position: inbox.Position) -> str:
    remains = inbox.TABS[tab].reviews().filter(pk=review.pk).exists()
    return address(tab, review.ulid if remains else position.older or position.newer)


def _context(
    request: HttpRequest, tab: str, opened: Review | None, forms: dict[str, Any]
) -> dict[str, Any]:
    reviews, counts = inbox.TABS[tab].reviews(), inbox.counts()
    position = inbox.find_position(opened, reviews) if opened else None
    listed = inbox.listed(reviews, position.page if position else request.GET.get("page", ""))
    shown = opened or (_reviews().get(pk=listed[0].pk) if listed else None)
    if shown and not position:
        position = inbox.find_position(shown, reviews)
    now = timezone.now()
    since = previous_visit(request.user, now) or now - dt.timedelta(days=NEW_DAYS)
    context = {
        **admin.site.each_context(request),
        "title": _("Inbox"),
        "tab": tab,
        "tabs": [
            (each.label, counts[name], address(name), name == tab)
            for name, each in inbox.TABS.items()
        ],
        "nothing": inbox.TABS[tab].nothing,
        "listed": [(each, list(_marks(each, since)), address(tab, each.ulid)) for each in listed],
        "page": listed.number,
        "pages": listed.paginator.num_pages,
        "is_opened": opened is not None,
        "review": shown,
        "marks": list(_marks(shown, since)) if shown else [],
        "tab_address": address(tab),
        "list_address": f"{address(tab)}?page={listed.number}",
    }
    if shown and position:
        context |= _review_context(request, tab, shown, position, forms)
    return context


def _review_context(
    request: HttpRequest, tab: str, review: Review, position: inbox.Position, forms: dict[str, Any]
) -> dict[str, Any]:
    may = request.user.has_perm
    answer = getattr(review, "answer", None)
    is_answered = answer is not None and answer.state != Reply.State.DRAFT
    history = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(Review), object_id=str(review.pk)
    )
    entries = contributions("inbox_panels", request, review)
    return {
        "action_address": address(tab, review.ulid),
        "public_address": f"{settings.BASE_URL}/reviews/{review.ulid}",
        "newer": address(tab, position.newer) if position.newer else "",
        "older": address(tab, position.older) if position.older else "",
        "panels": [entry for entry in entries if isinstance(entry, Panel)],
        "may_hide": may("reviews.hide_review"),
        "may_change": may("reviews.change_review"),
        "hiding": HidingForm(),
        "redaction": RedactionForm(),
        "reply_form": ReplyForm(initial={"text": answer.text if answer else review.reply_text}),
        "answer": answer,
        "channel": channel_of(review),
        "reply_page": reply_page(review),
        "review_page": review_page(review),
        "history": history.select_related("user").order_by("-action_time")[:HISTORY],
        "is_reply_open": "reply_form" in forms or not (review.has_reply or is_answered),
        "has_saved": SavedAnswer.objects.exists(),
        "may_save": may("reviews.view_savedanswer"),
        **forms,
    }


def _marks(review: Review, since: dt.datetime) -> Iterator[tuple[str, str]]:
    """Labels for the state of a review, each with its style."""
    if review.published_at and review.published_at > since:
        yield _("New"), "new"
    if review.is_held:
        yield _("Waiting for release"), "warn"
    elif review.hidden:
        label = HiddenReason(review.hidden_reason or HiddenReason.OTHER).label
        yield _("Hidden: %(reason)s") % {"reason": label}, "warn"
    if review.is_rewritten:
        yield _("Edited"), "quiet"
    elif review.alteration:
        yield _("Redacted"), "quiet"
    answer = getattr(review, "answer", None)
    if answer and answer.problem and answer.state == Reply.State.DRAFT:
        yield _("Reply not sent"), "warn"
    elif answer and answer.state != Reply.State.SENT:
        yield answer.get_state_display(), "quiet"
    if review.has_reply:
        yield _("Replied"), "good"
