"""The roster in the database, and mentions that follow it."""

from contextlib import suppress
from unittest.mock import Mock

import pytest
from django.db import transaction

from reviews import receivers, roster
from reviews.models import Mention, Revision, Service, ServiceArea, Technician
from reviews.roster import rematch_all, rematch_due
from tests.factories import make_review

pytestmark = pytest.mark.django_db


@pytest.fixture
def nudges(monkeypatch):
    """Collect the requests to match mentions."""
    heard: list[str] = []
    monkeypatch.setattr(receivers.tasks.match_mentions, "delay", lambda: heard.append("nudged"))
    return heard


def add_mark(**fields):
    return Technician.objects.create(**({"slug": "mark-dunn", "name": "Mark Dunn"} | fields))


def mentioned():
    return sorted(Mention.objects.values_list("review__ulid", "kind", "subject"))


def test_rematching_adds_new_and_removes_old_mentions():
    first = make_review(text="Mark was kind.", technicians=["somebody-gone"])
    second = make_review(text="", named_technicians=["mark dunn"], named_services=["Drains"])
    make_review(text="Nobody in particular.")
    add_mark()
    Service.objects.create(slug="drains", label="Drains")

    assert rematch_all() == 4

    assert mentioned() == sorted(
        [
            (first.ulid, "technician", "mark-dunn"),
            (second.ulid, "technician", "mark-dunn"),
            (second.ulid, "service", "drains"),
        ]
    )


@pytest.mark.django_db(transaction=True)
def test_rematching_increases_revision_only_if_mentions_change(nudges):
    make_review(text="Mark was kind.")
    add_mark()
    rematch_all()
    before = Revision.objects.current(Revision.REVIEWS)

    assert rematch_all() == 0
    assert Revision.objects.current(Revision.REVIEWS) == before

    Technician.objects.all().delete()
    assert rematch_all() == 1
    assert Revision.objects.current(Revision.REVIEWS) == before + 2


def test_mentions_are_due_after_any_change_of_roster():
    make_review(text="Mark was kind, Tess too.")
    add_mark()

    assert rematch_due() == 1
    assert rematch_due() == 0
    Technician.objects.filter(slug="mark-dunn").update(name="Tess Quill")
    assert rematch_due() == 0  # One mention of the same technician by another name.
    Technician.objects.bulk_create([Technician(slug="ana", name="Mark Ana")])
    assert rematch_due() == 1


def test_roster_change_reverted_during_matching_has_no_effect(monkeypatch):
    """Even if the matching process was killed."""
    first, _ = make_review(text="Mark was kind."), make_review(text="Mark was late.")
    rematch_due()
    add_mark()
    monkeypatch.setattr(roster, "BATCH", 1)
    with monkeypatch.context() as dying, suppress(KeyboardInterrupt):
        dying.setattr(roster, "checkpoint", Mock(side_effect=[None, KeyboardInterrupt]))
        rematch_due()
    assert mentioned() == [(first.ulid, "technician", "mark-dunn")]

    Technician.objects.all().delete()
    rematch_due()

    assert mentioned() == []


@pytest.mark.django_db(transaction=True)
def test_matching_is_enqueued_once_after_commit(nudges):
    with transaction.atomic():
        technician = add_mark()
        Service.objects.create(slug="drains", label="Drains")
        ServiceArea.objects.create(slug="alder-bay", name="Alder Bay")
        assert nudges == []
    assert nudges == ["nudged"]

    technician.delete()
    assert nudges == ["nudged"] * 2

    Service.objects.all().delete()
    assert nudges == ["nudged"] * 3
