"""System checks of the registered documents and the settings."""

from collections.abc import Iterator
from typing import Any

from django.core.checks import CheckMessage, Error, Warning, register  # noqa: A004  (Django's own)
from django.utils.module_loading import import_string

from publishing import conf
from publishing.models import Document
from publishing.registry import registry

MAX_PATH_LENGTH = Document._meta.get_field("path").max_length or 0


@register("publishing")
def check_documents(**kwargs: Any) -> list[CheckMessage]:
    return [*_paths(), *_topics(), *_callables()]


def _paths() -> Iterator[CheckMessage]:
    for spec in registry:
        if not spec.path.startswith("/") or len(spec.path) > MAX_PATH_LENGTH:
            yield Error(
                f"The path of a document is {spec.path!r}.",
                hint=f"Begin it with a slash; it may have {MAX_PATH_LENGTH} characters.",
                id="publishing.E001",
            )


def _topics() -> Iterator[CheckMessage]:
    topics = [spec.path for spec in registry if spec.is_topic]
    if topics and not conf.get("BASE_URL"):
        yield Warning(
            f"There is no BASE_URL, so that {', '.join(topics)} cannot be followed as topics.",
            hint='Set BASE_URL to the public address, as "https://example.org".',
            id="publishing.W001",
        )


def _callables() -> Iterator[CheckMessage]:
    for setting in ("PUBLISHING_HEADERS", "PUBLISHING_ERROR_HINT", "PUBLISHING_CLIENT"):
        path = conf.get(setting)
        try:
            is_callable = not path or callable(import_string(path))
        except ImportError:
            is_callable = False
        if not is_callable:
            yield Error(
                f"{setting} is {path!r}, which cannot be called.",
                hint="Set it to the dotted path of a function, or leave it out.",
                id="publishing.E002",
            )
