"""Small documents for programs at well-known URLs."""

import datetime as dt
import hashlib
import re
from functools import lru_cache
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.http import require_safe

from insights.documents import insights
from reviews.models import Review, Revision
from reviews.selectors import get_business, newest_reviews
from website.interfaces import DEFAULT_DATE, example_date, interfaces
from website.pages import rating_context
from website.views import NEWEST

SITEMAP_URLS = 50_000  # The limit of sitemaps.org for one file.
_BLANK_LINES = re.compile(r"\n{3,}")
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


class SitePage(NamedTuple):
    """A page in the sitemap and, if it has a title, in `llms.txt`."""

    data: str  # The revision that the page depends on, if any.
    title: str = ""
    content: str = ""


PAGES = {
    "/": SitePage(Revision.REVIEWS, "Overview", "the rating, a summary and the newest reviews."),
    "/reviews": SitePage(
        Revision.REVIEWS, "Reviews", "all of them, by stars, words, source and date."
    ),
    "/insights": SitePage(
        Revision.INSIGHTS, "Insights", "what they praise and blame, with the evidence."
    ),
    "/developers": SitePage("", "Developers", "every interface with examples."),
    "/developers/mcp": SitePage(
        "", "Connect an assistant", "MCP, step by step for each assistant."
    ),
    "/status": SitePage(""),
}
API_CATALOG = "/.well-known/api-catalog"
API_CATALOG_PROFILE = "https://www.rfc-editor.org/info/rfc9727"


def _answer(body: str | bytes, content_type: str, **headers: str) -> HttpResponse:
    response = HttpResponse(body, content_type=content_type, headers=headers)
    patch_cache_control(response, public=True, max_age=settings.CACHE_MAX_AGE_SECONDS)
    return response


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Allow crawlers everything but the administration (RFC 9309)."""
    lines = ["User-agent: *", "Allow: /", "Disallow: /admin/", ""]
    lines.append(f"Sitemap: {settings.BASE_URL}/sitemap.xml")
    return _answer("\n".join([*lines, ""]), "text/plain; charset=utf-8")


@require_safe
def llms(request: HttpRequest) -> HttpResponse:
    """Serve rating, summary, newest reviews and links for language models (llmstxt.org)."""
    newest = newest_reviews(NEWEST)
    context = {
        **rating_context(),
        "base_url": settings.BASE_URL,
        "business": get_business(),
        "summary": insights().get("summary"),
        "interfaces": interfaces(settings.BASE_URL, example_date(newest[:1])),
        "pages": [(path, page.title, page.content) for path, page in PAGES.items() if page.title],
        "reviews": newest,
    }
    body = _BLANK_LINES.sub("\n\n", render_to_string("website/llms.txt", context))
    return _answer(f"{body.strip()}\n", "text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponseBase:
    """List the pages and the permalinks of the newest reviews."""
    changes = Revision.objects.values_list("name", "number", "changed_at")
    document, etag = _sitemap_of(tuple(changes.order_by("name")), settings.BASE_URL)
    answer = _answer(document, "application/xml", ETag=etag)
    return get_conditional_response(request, etag=etag, response=answer) or answer


@lru_cache(maxsize=1)  # 50,000 URLs are 5 MB, and take 0.1 s.
def _sitemap_of(
    changes: tuple[tuple[str, int, dt.datetime], ...], base_url: str
) -> tuple[bytes, str]:
    """Build the document; return it with its strong ETag."""
    days = {name: changed_at.date() for name, _, changed_at in changes}
    addresses = [
        f"<url><loc>{escape(base_url + path)}</loc>"
        + (f"<lastmod>{days[page.data]}</lastmod>" if page.data in days else "")
        + "</url>"
        for path, page in PAGES.items()
    ]
    permalink = escape(f"{base_url}/reviews/")
    newest = Review.objects.visible().newest_first()[: SITEMAP_URLS - len(PAGES)]
    addresses += [
        f"<url><loc>{permalink}{ulid}</loc>"
        f"<lastmod>{modified_at.date() if modified_at else date}</lastmod></url>"
        for ulid, date, modified_at in newest.values_list("ulid", "date", "modified_at").iterator()
    ]
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SITEMAP}">'
    document = f"{head}{''.join(addresses)}</urlset>".encode()
    return document, f'"{hashlib.sha256(document).hexdigest()[:32]}"'


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """State where to report vulnerabilities (RFC 9116)."""
    lines = [
        f"Contact: {_security_contact()}",
        f"Expires: {_security_expires(timezone.now().date())}",
        f"Canonical: {settings.BASE_URL}/.well-known/security.txt",
        "",
    ]
    return _answer("\n".join(lines), "text/plain; charset=utf-8")


def _security_contact() -> str:
    contact: str = settings.SECURITY_CONTACT
    if not contact:
        contact = business.email if (business := get_business()) else ""
    if not contact:
        return f"{settings.BASE_URL}/"
    return contact if re.match(r"(https|mailto|tel):", contact) else f"mailto:{contact}"


def _security_expires(today: dt.date) -> str:
    """Return a date within a year (RFC 9116 2.5.5) that changes once a month."""
    months = today.year * 12 + today.month - 1 + 11
    return f"{months // 12}-{months % 12 + 1:02}-01T00:00:00Z"


@require_safe
def api_catalog(request: HttpRequest) -> HttpResponse:
    """List the interfaces of this origin (RFC 9727) as a linkset (RFC 9264)."""
    base = settings.BASE_URL
    catalog = f"{base}{API_CATALOG}"
    entries = [
        _catalog_entry(f"{base}/", f"{base}/developers"),
        *(
            _catalog_entry(
                interface["address"],
                f"{base}/developers#{interface['anchor']}",
                is_described=interface["is_described"],
            )
            for interface in interfaces(base, DEFAULT_DATE)
            if interface["is_catalogued"]
        ),
    ]
    items = [{"href": entry["anchor"]} for entry in entries]
    linkset = [{"anchor": catalog, "item": items}, *entries]
    return _answer(
        orjson.dumps({"linkset": linkset}),
        f'application/linkset+json; profile="{API_CATALOG_PROFILE}"',
        # HEAD requests get the relation from the header (RFC 9727 2).
        Link=f'<{catalog}>; rel="api-catalog"',
    )


def _catalog_entry(anchor: str, page: str, *, is_described: bool = True) -> dict[str, Any]:
    base = settings.BASE_URL
    description = {"href": f"{base}/.well-known/openapi.json", "type": "application/json"}
    return {
        "anchor": anchor,
        **({"service-desc": [description]} if is_described else {}),
        "service-doc": [{"href": page, "type": "text/html"}],
        "status": [{"href": f"{base}/readyz", "type": "application/json"}],
    }
