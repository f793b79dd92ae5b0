"""The languages of the pages: the business's at the plain address, each other below its tag."""

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
    """The patterns of a page: its address, and the same below the tag of a language."""
    prefixed = f"<language:language>/{route}".removesuffix("/")
    return [path(route, view, kwargs, name=name), path(prefixed, view, kwargs, name=name)]


def language_of(business: Business | None) -> str:
    """The language of the pages at their plain addresses."""
    primary = business.language.partition("-")[0].lower() if business else ""
    return primary if primary in LANGUAGES else settings.LANGUAGE_CODE


def language_tag(business: Business | None, language: str) -> str:
    """The tag of a language, with the region that the business states for its own."""
    own = business.language if business else ""
    return own if own.partition("-")[0].lower() == language else language


def language_of_path(path: str) -> str:
    """The language below whose tag a page stands; empty at a plain address."""
    first = path[1:].partition("/")[0]
    return first if first in LANGUAGES else ""


def language_context(business: Business | None, language: str) -> dict[str, Any]:
    """The tag of a page's language, and the prefix of the paths of its links."""
    prefix = "" if language == language_of(business) else f"/{language}"
    return {"language_tag": language_tag(business, language), "prefix": prefix}


def translations(business: Business | None, path: str) -> list[tuple[str, str, str]]:
    """The languages of a page: tag, name, and path."""
    plain, default = plain_path(path), language_of(business)
    return [
        (tag, name, plain if tag == default else f"/{tag}{plain}".removesuffix("/"))
        for tag, name in LANGUAGES.items()
    ]


def plain_path(path: str) -> str:
    """The path of a page in the business's language."""
    language = language_of_path(path)
    return path.removeprefix(f"/{language}") or "/" if language else path
