"""The registry, revisions and system checks of published documents."""

from dataclasses import replace

import pytest
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured

from publishing.models import Document, Revision
from publishing.publisher import publish_due
from publishing.registry import RevisionState, registry
from tests.documents import replace_document

SPEC = registry["/reviews.json"]


def messages():
    return [message.id for message in run_checks(tags=["publishing"])]


def test_second_document_at_path_is_refused():
    with pytest.raises(ImproperlyConfigured, match=r"/reviews\.json"):
        registry.register(SPEC)


@pytest.mark.django_db
@pytest.mark.parametrize("is_named", [True, False])
def test_document_follows_named_revision_or_callable(is_named):
    bodies = [b"first", b"second"]
    states = []

    def change():
        Revision.raise_("notes")
        states.append(Revision.state("notes"))

    def latest() -> RevisionState | None:
        return states[-1] if states else None

    spec = replace(
        SPEC,
        revision="notes" if is_named else latest,
        build=lambda changed_at: bodies[Revision.state("notes").number - 1],
    )
    with replace_document(spec):
        change()
        publish_due()
        assert publish_due() == []
        change()
        assert publish_due() == [SPEC.path]
    document = Document.objects.get(path=SPEC.path)
    assert (document.version, document.revision, document.identity) == (2, 2, b"second")


def test_topic_without_base_url_is_reported(settings):
    settings.BASE_URL = ""
    assert messages() == ["publishing.W001"]


@pytest.mark.parametrize("path", ["no.such.function", "config.documents.FILE"])
def test_uncallable_setting_is_reported(settings, path):
    settings.PUBLISHING_HEADERS = path
    assert messages() == ["publishing.E002"]


def test_path_without_slash_is_reported():
    with replace_document(SPEC):
        registry._specs[SPEC.path] = replace(SPEC, path="reviews.json")
        assert messages() == ["publishing.E001"]
