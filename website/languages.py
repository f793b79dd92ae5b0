"""Languages of the pages: plain paths for the business's language, prefixed paths for others."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path, register_converter
from django.urls.converters import StringConverter

from reviews.models import Business

LANGUAGES: dict[str, str] = dict(settings.LANGUAGES)
PATTERN = "|".join(LANGUAGES)


class LanguageConverter(StringConverter):
    regex = PATTERN


register_converter(LanguageConverter, "language")


def in_each_language(
    route: str, view: Callable[..., HttpResponseBase], name: str, kwargs: Any = None
) -> list[URLPattern]:
    """Return the URL patterns of a page: its path, alone and with a language prefix."""
    prefixed = f"<language:language>/{route}".removesuffix("/")
    return [path(route, view, kwargs, name=name), path(prefixed, view, kwargs, name=name)]


def language_of(business: Business | None) -> str:
    """Return the language of pages at plain paths."""
    primary = business.language.partition("-")[0].lower() if business else ""
    return primary if primary in LANGUAGES else settings.LANGUAGE_CODE


def language_tag(business: Business | None, language: str) -> str:
    """Return the language tag, with a region if it is the business's own language."""
    own = business.language if business else ""
    return own if own.partition("-")[0].lower() == language else language


def language_of_path(path: str) -> str:
    """Return the language prefix of a path, or an empty string."""
    first = path[1:].partition("/")[0]
    return first if first in LANGUAGES else ""


def language_context(business: Business | None, language: str) -> dict[str, Any]:
    """Return a page's language tag and the prefix of its links."""
    prefix = "" if language == language_of(business) else f"/{language}"
    return {"language_tag": language_tag(business, language), "prefix": prefix}


def translations(business: Business | None, path: str) -> list[tuple[str, str, str]]:
    """Return tag, name and path of each language version of a page."""
    plain, default = plain_path(path), language_of(business)
    return [
        (tag, name, plain if tag == default else f"/{tag}{plain}".removesuffix("/"))
        for tag, name in LANGUAGES.items()
    ]


def plain_path(path: str) -> str:
    """Return the path without a language prefix."""
    language = language_of_path(path)
    return path.removeprefix(f"/{language}") or "/" if language else path
