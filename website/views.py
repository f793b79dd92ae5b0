"""Public pages: home, list of reviews, single reviews, and pages for developers."""

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponsePermanentRedirect
from django.shortcuts import redirect
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from rest_framework.exceptions import Throttled

from core.http.rate_limit import try_again
from insights.documents import insights
from mcp_server import conf as mcp_conf
from mcp_server import handshake
from mcp_server.methods import MODERN
from mcp_server.registry import registry
from publishing.selectors import sizes as published_sizes
from reviews.api.views import SearchReviewsView
from reviews.current import current_rating
from reviews.selectors import get_review, newest_reviews
from reviews.ulids import is_ulid
from website import structured_data
from website.interfaces import assistants, example_date, interfaces, tool_call
from website.listing import (
    DEFAULT_SORT,
    FIRST_FIELDS,
    ListFilter,
    ListPage,
    PositionError,
    is_search,
    list_page,
    order_label,
    without_empty,
)
from website.opinions import complaints, strengths
from website.pages import Page, rating_context
from websub import formatting
from websub.topics import topics

NEWEST = 10


def without_slash(request: HttpRequest) -> HttpResponsePermanentRedirect:
    """Redirect to the URL without the trailing slash."""
    address, mark, query = request.get_full_path().partition("?")
    return HttpResponsePermanentRedirect(f"{address.removesuffix('/')}{mark}{query}")


class HomeView(Page):
    template_name = "website/home.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        document = insights()
        return super().get_context_data(
            **rating_context(),
            reviews=newest_reviews(NEWEST),
            insights=document,
            strengths=strengths(document),
            complaints=complaints(document),
            **kwargs,
        )

    def structured_data(self, context: Mapping[str, Any]) -> dict[str, Any] | None:
        return structured_data.page_data(context, context["reviews"], context["aggregate"])


class ReviewListView(Page):
    template_name = "website/reviews.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if (query := without_empty(request.GET).urlencode()) != request.GET.urlencode():
            return redirect(f"{request.path}{'?' if query else ''}{query}", permanent=True)
        reviews = ListFilter(request.GET)
        page, status = ListPage(), 400
        if reviews.is_valid():
            try:
                filters = reviews.form.cleaned_data
                if is_search(filters):
                    SearchReviewsView().check_throttles(request)  # type: ignore[arg-type]  # Needs no DRF request.
                after, before = request.GET.get("after", ""), request.GET.get("before", "")
                page, status = list_page(filters, after=after, before=before), 200
            except Throttled as error:
                return self._refused(reviews, getattr(error, "wait", None) or 1)
            except PositionError:
                reviews.form.add_error(
                    None, _("There is no page at this position. Start with the newest.")
                )
        return self._render(reviews, page, status)

    def _refused(self, reviews: ListFilter, seconds: int) -> HttpResponse:
        sentence = _("Too many searches from your address.")
        reviews.form.add_error(None, f"{sentence} {try_again(seconds)}")
        response = self._render(reviews, ListPage(), 429)
        response["Retry-After"] = str(seconds)
        response["Cache-Control"] = "no-store"  # The limit is per client.
        return response

    def _render(self, reviews: ListFilter, page: ListPage, status: int) -> HttpResponse:
        set_filters = reviews.set_filters()
        sort = str(reviews.form.data.get("sort") or "")
        context = self.get_context_data(
            form=reviews.form,
            first_fields=[field for field in reviews.form if field.name in FIRST_FIELDS],
            more_fields=[field for field in reviews.form if field.name not in FIRST_FIELDS],
            is_more_open=any(each.name not in FIRST_FIELDS for each in set_filters),
            page=page,
            set_filters=set_filters,
            order=order_label(sort),
            is_newest_first=sort in {"", DEFAULT_SORT},
            is_filtered=bool(set_filters) or sort not in {"", DEFAULT_SORT},
            first_page=reviews.address() if self.request.GET.get("after") else "",
            **rating_context(),
        )
        return self.render_to_response(context, status=status)

    def structured_data(self, context: Mapping[str, Any]) -> dict[str, Any] | None:
        return structured_data.page_data(context, context["page"].reviews, context["aggregate"])


class ReviewView(Page):
    """Permalink of a review, which is also the id of its feed items."""

    template_name = "website/review.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        ulid: str = kwargs["ulid"]
        if not is_ulid(ulid):
            # ULIDs are case-insensitive, but each review has one canonical URL.
            if not (ulid.isascii() and is_ulid(ulid.upper())):
                raise Http404
            return redirect("website:review", ulid=ulid.upper(), permanent=True)
        if (review := get_review(ulid)) is None:
            raise Http404
        beginning = Truncator(" ".join(review.customer_text.split())).chars(150)
        context = {"review": review, "aggregate": current_rating(), "beginning": beginning}
        return self.render_to_response(self.get_context_data(**context))

    def structured_data(self, context: Mapping[str, Any]) -> dict[str, Any] | None:
        return structured_data.review_data(context, context["review"])


class DevelopersView(Page):
    template_name = "website/developers.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        since = example_date(newest_reviews(NEWEST))
        return super().get_context_data(
            interfaces=interfaces(settings.BASE_URL, since),
            since=since,
            topics=_topic_sizes(),
            **kwargs,
        )


def _topic_sizes() -> list[tuple[str, str]]:
    """Return URL and current size of published topics, smallest first."""
    found = published_sizes(*(url.removeprefix(settings.BASE_URL) for url in topics()))
    by_size = sorted(found.items(), key=itemgetter(1))
    return [(f"{settings.BASE_URL}{path}", formatting.format_size(size)) for path, size in by_size]


class AssistantsView(Page):
    template_name = "website/assistants.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            address=mcp_conf.address(settings.BASE_URL),
            assistants=assistants(settings.BASE_URL),
            tool_call=tool_call(settings.BASE_URL),
            is_https=settings.IS_HTTPS,
            modern=MODERN,
            older=handshake.REVISIONS,
            tools=registry.tools.values(),
            **kwargs,
        )
