"""The pages people see. Each shows the rows as they are; none reads or sets a cookie."""

import re
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.http.response import HttpResponsePermanentRedirect
from django.shortcuts import redirect, render
from django.views.generic import TemplateView

from mcp_server import handshake, server
from mcp_server.methods import MODERN
from mcp_server.tools import TOOLS
from publishing.answers import link
from reviews.models import Review
from reviews.selectors import aggregate_rating, get_business, get_review, newest_reviews
from website.assistants import assistants, by_hand
from website.interfaces import ANY_DATE, interfaces
from website.listing import Page as ListingPage
from website.listing import PositionError, ReviewFilter, page

NEWEST = 10
ULID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}", re.ASCII)


class Page(TemplateView):
    """A public page: cacheable, the same for everybody, pointing to the interface description."""

    http_method_names = ["get", "head", "options"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        response["Cache-Control"] = f"public, max-age={settings.CACHE_MAX_AGE_SECONDS}"
        response["Link"] = link()
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            base_url=settings.BASE_URL,
            canonical=f"{settings.BASE_URL}{self.request.path}",
            business=get_business(),
            **kwargs,
        )


class HomeView(Page):
    template_name = "website/home.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        newest = newest_reviews(NEWEST)
        return super().get_context_data(
            **_rating(),
            reviews=newest,
            interfaces=interfaces(settings.BASE_URL, _since(newest)),
            **kwargs,
        )


class ReviewListView(Page):
    template_name = "website/reviews.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        reviews = ReviewFilter(request.GET, queryset=Review.objects.visible())
        listed, status = ListingPage([], None, None), 400
        if reviews.is_valid():
            after, before = request.GET.get("after", ""), request.GET.get("before", "")
            try:
                listed, status = page(reviews.qs, after=after, before=before), 200
            except PositionError:
                reviews.form.add_error(None, "No page continues from there; start with the newest.")
        context = self.get_context_data(
            form=reviews.form,
            page=listed,
            is_filtered=any(reviews.form.data.get(name) for name in reviews.filters),
            **_rating(),
        )
        return self.render_to_response(context, status=status)


class ReviewView(Page):
    """The permalink of a review, which its feed items carry as their id."""

    template_name = "website/review.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        ulid: str = kwargs["ulid"]
        if not ULID.fullmatch(ulid):
            return self._canonical_spelling(ulid)
        if (review := get_review(ulid)) is None:
            raise Http404
        return self.render_to_response(self.get_context_data(review=review))

    def _canonical_spelling(self, ulid: str) -> HttpResponsePermanentRedirect:
        # The ULID specification reads both cases; each review has one address all the same.
        if not (ulid.isascii() and ULID.fullmatch(ulid.upper())):
            raise Http404
        return redirect("website:review", ulid=ulid.upper(), permanent=True)


class DevelopersView(Page):
    template_name = "website/developers.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        since = _since(newest_reviews(NEWEST))
        return super().get_context_data(
            interfaces=interfaces(settings.BASE_URL, since), since=since, **kwargs
        )


class AssistantsView(Page):
    template_name = "website/assistants.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            address=server.address(),
            assistants=assistants(settings.BASE_URL),
            by_hand=by_hand(settings.BASE_URL),
            is_https=settings.IS_HTTPS,
            modern=MODERN,
            older=handshake.REVISIONS,
            tools=TOOLS.values(),
            **kwargs,
        )


def _rating() -> dict[str, Any]:
    aggregate = aggregate_rating()
    bars = [(stars, aggregate.distribution[stars]) for stars in (5, 4, 3, 2, 1)]
    return {"aggregate": aggregate, "bars": bars}


def _since(newest: list[Review]) -> str:
    return newest[-1].date.isoformat() if newest else ANY_DATE


def locked_out(
    request: HttpRequest, _response: HttpResponse | None, _credentials: dict[str, Any] | None
) -> HttpResponse:
    """Too many wrong passwords: when to come back, on a page and as a header."""
    seconds = int(settings.AXES_COOLOFF_TIME * 3600)
    context = admin.site.each_context(request) | {
        "minutes": max(1, -(-seconds // 60)),
        "failures": settings.AXES_FAILURE_LIMIT,
    }
    response = render(request, "admin/locked_out.html", context, status=429)
    response["Retry-After"] = str(seconds)
    return response
