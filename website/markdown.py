"""The pages in Markdown: the same context in a template of its own.

The address of a page with `.md` answers Markdown; so does its own address to a client that
prefers `text/markdown` (RFC 7763, RFC 9110 12.5.1).
"""

import re
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.cache import patch_vary_headers
from django.utils.encoding import iri_to_uri

from website.pages import Page

HTML, MARKDOWN = "text/html", "text/markdown"
BREAK = "\n\n"
_BLANK_LINES = re.compile(r"\n{3,}")


def paired(
    route: str, page: type[Page], template: str, name: str, extra: Mapping[str, str] | None = None
) -> list[URLPattern]:
    """Addresses of a page in Markdown and in HTML.

    Markdown comes first, since the route of the HTML may match its address too.
    """
    kwargs = dict(extra or {})
    as_html = page.as_view()
    as_markdown = page.as_view(
        template_name=f"website/markdown/{template}.md", content_type=f"{MARKDOWN}; charset=utf-8"
    )

    def negotiated(request: HttpRequest, **parameters: Any) -> HttpResponseBase:
        is_markdown = request.get_preferred_type([HTML, MARKDOWN]) == MARKDOWN
        response = (as_markdown if is_markdown else as_html)(request, **parameters)
        patch_vary_headers(response, ["Accept"])
        if is_markdown:
            return _tidied(response)
        alternate = _address(request, markdown_path(request.path))
        _add_link(response, alternate, f'"alternate"; type="{MARKDOWN}"')
        return response

    def in_markdown(request: HttpRequest, **parameters: Any) -> HttpResponseBase:
        response = as_markdown(request, **parameters)
        _add_link(response, _address(request, _page_path(request)), '"canonical"')
        return _tidied(response)

    return [
        path(f"{route or 'index'}.md", in_markdown, kwargs, name=f"{name}-markdown"),
        path(route, negotiated, kwargs, name=name),
    ]


def markdown_path(page_path: str) -> str:
    """The path at which a page answers Markdown."""
    return "/index.md" if page_path == "/" else f"{page_path}.md"


def _page_path(request: HttpRequest) -> str:
    return "/" if request.path == "/index.md" else request.path.removesuffix(".md")


def _address(request: HttpRequest, place: str) -> str:
    query = request.GET.urlencode()
    return f"{settings.BASE_URL}{iri_to_uri(place)}{'?' if query else ''}{query}"


def _add_link(response: HttpResponseBase, address: str, relation: str) -> None:
    response["Link"] = f"{response['Link']}, <{address}>; rel={relation}"


def _tidied(response: HttpResponseBase) -> HttpResponseBase:
    """The response with at most one blank line between its paragraphs."""
    if isinstance(response, TemplateResponse):
        response.add_post_render_callback(_remove_blank_lines)
    return response


def _remove_blank_lines(response: HttpResponse) -> None:
    response.content = remove_blank_lines(response.content.decode())


def remove_blank_lines(document: str) -> str:
    """The document with at most one blank line in a row."""
    return f"{_BLANK_LINES.sub(BREAK, document).strip()}\n"
