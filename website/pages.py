"""Base of all public pages, which use no cookies."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import translation
from django.views.generic import TemplateView

from core.http.headers import POLICY_WITH_PHOTOS, service_desc_link
from reviews.current import current_rating
from reviews.models.business import Photos
from reviews.selectors import get_business, logo_of, withheld
from reviews.stars import STARS
from website import structured_data
from website.contact import contact
from website.languages import language_context, language_of, plain_path, translations


class Page(TemplateView):
    """A public page: cacheable, equal for all visitors, with a link to the API description."""

    http_method_names = ["get", "head", "options"]

    def dispatch(
        self, request: HttpRequest, *args: Any, language: str = "", **kwargs: Any
    ) -> HttpResponseBase:
        self._business = get_business()
        default = language_of(self._business)
        if language == default:
            query = request.META["QUERY_STRING"]
            return redirect(f"{plain_path(request.path)}{'?' if query else ''}{query}")
        with translation.override(language or default):
            response = super().dispatch(request, *args, **kwargs)
            if isinstance(response, TemplateResponse):
                response.render()
        public = f"public, max-age={settings.CACHE_MAX_AGE_SECONDS}"
        response.headers.setdefault("Cache-Control", public)
        response["Link"] = service_desc_link(settings.BASE_URL)
        business = (getattr(response, "context_data", None) or {}).get("business")
        if business is not None and business.photos == Photos.IMAGES:
            response["Content-Security-Policy"] = POLICY_WITH_PHOTOS
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        business = self._business
        context = super().get_context_data(
            base_url=settings.BASE_URL,
            canonical=f"{settings.BASE_URL}{self.request.path}",
            **language_context(business, translation.get_language()),
            page_path=plain_path(self.request.path),
            translations=translations(business, self.request.path),
            business=business,
            contact=contact(business) if business else None,
            logo=logo_of(business),
            schema_type=structured_data.schema_type(business),
            **kwargs,
        )
        if business and (data := self.structured_data(context)):
            context["structured_data"] = structured_data.script_text(data)
        return context

    def structured_data(self, context: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the page's JSON-LD, None for pages that are not about reviews."""
        return None


def rating_context() -> dict[str, Any]:
    """Return the rating, its distribution as bars, and the number of withheld reviews."""
    aggregate = current_rating()
    bars = [(stars, aggregate.distribution[stars]) for stars in reversed(STARS)]
    return {"aggregate": aggregate, "bars": bars, "withheld": withheld()}
