"""The pages for people, which show the rows and use no cookie."""

from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.http.response import HttpResponsePermanentRedirect
from django.shortcuts import redirect
from django.utils.text import Truncator
from django.views.generic import TemplateView
from rest_framework.exceptions import Throttled

from core.http.headers import POLICY_WITH_PHOTOS, service_desc_link
from core.http.rate_limit import try_again
from insights.documents import insights
from mcp_server import handshake, server
from mcp_server.methods import MODERN
from mcp_server.registry import registry
from publishing.selectors import sizes as published_sizes
from reviews.api.views import SearchReviewsView
from reviews.models import Business, Logo, Review
from reviews.models.business import Photos
from reviews.search.result_cache import current_rating
from reviews.selectors import get_business, get_review, logo_of, newest_reviews, withheld
from reviews.stars import STARS
from reviews.ulids import is_ulid
from website import structured_data
from website.assistants import assistants, by_hand
from website.contact import contact
from website.interfaces import date_to_ask, interfaces
from website.listing import (
    FIRST,
    IN_ORDER,
    SORTED_AT_FIRST,
    Listed,
    PositionError,
    ReviewFilter,
    count,
    found,
    is_search,
    page,
    without_empty,
)
from website.opinions import opinions
from websub import formatting
from websub.topics import topics

NEWEST = 10


class Page(TemplateView):
    """A public page: cacheable, the same for everybody, pointing to the interface description.

    Its context is plain data, which its template for Markdown shows too.
    """

    http_method_names = ["get", "head", "options"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        public = f"public, max-age={settings.CACHE_MAX_AGE_SECONDS}"
        response.headers.setdefault("Cache-Control", public)
        response["Link"] = service_desc_link(settings.BASE_URL)
        business = (getattr(response, "context_data", None) or {}).get("business")
        if business is not None and business.photos == Photos.IMAGES:
            response["Content-Security-Policy"] = POLICY_WITH_PHOTOS
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        business = get_business()
        logo = logo_of(business)
        context = super().get_context_data(
            base_url=settings.BASE_URL,
            canonical=f"{settings.BASE_URL}{self.request.path}",
            business=business,
            logo=logo,
            schema_type=structured_data.schema_type(business),
            **kwargs,
        )
        if business and (data := self.structured_data(business, logo, context)):
            context["structured_data"] = structured_data.script_text(data)
        return context

    def structured_data(
        self, business: Business, logo: Logo | None, context: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        """JSON-LD of what the page shows; None for pages that are about something else."""
        return None


def without_slash(request: HttpRequest) -> HttpResponsePermanentRedirect:
    """Lead to the address without its last slash."""
    address, mark, query = request.get_full_path().partition("?")
    return HttpResponsePermanentRedirect(f"{address.removesuffix('/')}{mark}{query}")


class HomeView(Page):
    template_name = "website/home.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        known = insights()
        context = super().get_context_data(
            **rating_context(),
            reviews=newest_reviews(NEWEST),
            summary=known.get("summary"),
            opinions=opinions(known),
            **kwargs,
        )
        business = context["business"]
        return context | {"contact": contact(business) if business else None}

    def structured_data(
        self, business: Business, logo: Logo | None, context: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        return structured_data.page_data(
            business,
            settings.BASE_URL,
            logo=logo,
            rating=context["aggregate"],
            reviews=context["reviews"],
        )


class ReviewListView(Page):
    template_name = "website/reviews.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if (query := without_empty(request.GET).urlencode()) != request.GET.urlencode():
            return redirect(f"{request.path}{'?' if query else ''}{query}", permanent=True)
        reviews = ReviewFilter(request.GET, queryset=Review.objects.visible())
        listed, status = Listed(), 400
        if reviews.is_valid():
            try:
                if is_search(reviews.form.cleaned_data):
                    # What the search answers spends the budget of the search interface.
                    SearchReviewsView().check_throttles(request)  # type: ignore[arg-type]  # Django's own will do.
                listed, status = self._listed(reviews), 200
            except Throttled as error:
                return self._refused(reviews, getattr(error, "wait", None) or 1)
            except PositionError:
                reviews.form.add_error(None, "No page continues from there; start with the newest.")
        return self._page(reviews, listed, status)

    def _listed(self, reviews: ReviewFilter) -> Listed:
        after, before = self.request.GET.get("after", ""), self.request.GET.get("before", "")
        parameters = reviews.form.cleaned_data
        if not is_search(parameters):
            listed = page(reviews.qs, after=after, before=before)
            is_narrowed = any(value for name, value in parameters.items() if name != "sort")
            return replace(listed, matched=count(parameters)) if is_narrowed else listed
        if before and not after:
            raise PositionError
        return found(parameters, after=after)

    def _refused(self, reviews: ReviewFilter, seconds: int) -> HttpResponse:
        sentence = f"Too many searches from your address. {try_again(seconds)}"
        reviews.form.add_error(None, sentence)
        response = self._page(reviews, Listed(), 429)
        response["Retry-After"] = str(seconds)
        response["Cache-Control"] = "no-store"  # It is for this address alone.
        return response

    def _page(self, reviews: ReviewFilter, listed: Listed, status: int) -> HttpResponse:
        set_filters = reviews.set_filters()
        sort = str(reviews.form.data.get("sort") or "")
        context = self.get_context_data(
            form=reviews.form,
            first_fields=[field for field in reviews.form if field.name in FIRST],
            more_fields=[field for field in reviews.form if field.name not in FIRST],
            is_more_open=any(each.name not in FIRST for each in set_filters),
            page=listed,
            set_filters=set_filters,
            order=IN_ORDER.get(sort, IN_ORDER[SORTED_AT_FIRST]),
            is_filtered=bool(set_filters) or sort not in {"", SORTED_AT_FIRST},
            first_page=reviews.address() if self.request.GET.get("after") else "",
            **rating_context(),
        )
        return self.render_to_response(context, status=status)

    def structured_data(
        self, business: Business, logo: Logo | None, context: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        return structured_data.page_data(
            business,
            settings.BASE_URL,
            logo=logo,
            rating=context["aggregate"],
            reviews=context["page"].reviews,
        )


class ReviewView(Page):
    """The permalink of a review, which its feed items carry as their id."""

    template_name = "website/review.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        ulid: str = kwargs["ulid"]
        if not is_ulid(ulid):
            return self._canonical_spelling(ulid)
        if (review := get_review(ulid)) is None:
            raise Http404
        return self.render_to_response(
            self.get_context_data(
                review=review, aggregate=current_rating(), beginning=_beginning(review)
            )
        )

    def structured_data(
        self, business: Business, logo: Logo | None, context: Mapping[str, Any]
    ) -> dict[str, Any] | None:
        return structured_data.review_data(context["review"], business, settings.BASE_URL, logo)

    def _canonical_spelling(self, ulid: str) -> HttpResponsePermanentRedirect:
        # The ULID specification reads both cases; each review has one address all the same.
        if not (ulid.isascii() and is_ulid(ulid.upper())):
            raise Http404
        return redirect("website:review", ulid=ulid.upper(), permanent=True)


def _beginning(review: Review) -> str:
    """The first words of a review, for the description of its page."""
    return Truncator(" ".join(review.customer_text.split())).chars(150)


class DevelopersView(Page):
    template_name = "website/developers.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        since = date_to_ask(newest_reviews(NEWEST))
        return super().get_context_data(
            interfaces=interfaces(settings.BASE_URL, since),
            since=since,
            topics=_topic_sizes(),
            **kwargs,
        )


def _topic_sizes() -> list[tuple[str, str]]:
    """URL and current size of the topics that are published, smallest first."""
    found = published_sizes(*(url.removeprefix(settings.BASE_URL) for url in topics()))
    by_size = sorted(found.items(), key=itemgetter(1))
    return [(f"{settings.BASE_URL}{path}", formatting.format_size(size)) for path, size in by_size]


class AssistantsView(Page):
    template_name = "website/assistants.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            address=server.address(settings.BASE_URL),
            assistants=assistants(settings.BASE_URL),
            by_hand=by_hand(settings.BASE_URL),
            is_https=settings.IS_HTTPS,
            modern=MODERN,
            older=handshake.REVISIONS,
            tools=registry.tools.values(),
            **kwargs,
        )


def rating_context() -> dict[str, Any]:
    """The rating as pages show it: in numbers, as bars, and how many reviews are withheld."""
    aggregate = current_rating()
    bars = [(stars, aggregate.distribution[stars]) for stars in reversed(STARS)]
    return {"aggregate": aggregate, "bars": bars, "withheld": withheld()}
