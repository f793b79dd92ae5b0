"""The demo: deterministic, with every feature, and labels that the matcher confirms."""

import dataclasses
import datetime as dt
import hashlib

import pytest
from django.core.management import CommandError, call_command

import demo
from demo import loading
from imports.models import ImportChange
from reviews.models import Business, Review, Revision, Service, ServiceArea, Technician
from reviews.roster import load_roster
from tests.factories import make_business, make_review
from tools import demo_reviews
from tools.demo_reviews.__main__ import main

DEFAULT = list(demo_reviews.generate())


def digest(reviews):
    described = "\n".join(repr(dataclasses.astuple(review)) for review in reviews)
    return hashlib.sha256(described.encode()).hexdigest()


@pytest.mark.parametrize(
    ("reviews", "sha256"),
    [
        (demo.showcase(), "75e9d4c577efdfdcbd6beea9f0aec6653d5a1867a408c4efc0d13956e4daa006"),
        (DEFAULT, "8a0b36a86b5edfd8ccadcc56f92b7848d9a07e0284afbea9abfeda6dba7dec2f"),
        (
            demo_reviews.generate(50, seed=7, end=dt.date(2024, 2, 29)),
            "72756887d9d648ed4088290ba4ac6f1b2193607488a96cab79b1b755834e2a9f",
        ),
    ],
    ids=["showcase", "default", "other"],
)
def test_demo_is_deterministic(reviews, sha256):
    assert digest(reviews) == sha256


@pytest.mark.parametrize("end", [demo.END, dt.date(2027, 2, 28), dt.date(2031, 3, 1)])
def test_showcase_moves_with_its_end_and_keeps_its_ids(end):
    reviews = list(demo.showcase(end))
    start, last = demo.span(end)

    assert [review.ulid for review in reviews] == [review.ulid for review in demo.showcase()]
    assert start <= reviews[0].date < reviews[-1].date == last - dt.timedelta(days=1)
    for review in reviews:
        assert review.reply_date is None or review.date < review.reply_date <= end
        assert "Maren" not in review.text or review.date < last - dt.timedelta(days=200)


def make_demo(capsys, **options):
    call_command("make_demo", **options)
    return capsys.readouterr().out


def generate(**options):
    main([f"--{name}={value}" for name, value in options.items()])


@pytest.mark.django_db(transaction=True)
def test_demo_is_loaded_as_one_change():
    generate(reviews=312)

    assert Business.objects.get().slug == "tern-hollow"
    counts = [model.objects.count() for model in (Technician, Service, ServiceArea, Review)]
    assert counts == [6, 9, 7, 312]
    stored_roster, made = load_roster(), demo.roster(*demo.span())
    assert stored_roster.people == made.people
    assert stored_roster.services == made.services
    assert stored_roster.areas == made.areas
    assert Revision.objects.current(Revision.REVIEWS) == 1
    stored = {review.ulid: review for review in Review.objects.all()}
    for review in DEFAULT:
        row = stored[review.ulid]
        assert (row.date, row.rating, row.author) == (review.date, review.rating, review.author)
        assert (row.text, row.reply_text, row.source) == (
            review.text,
            review.reply_text,
            review.source,
        )


@pytest.mark.django_db
def test_command_loads_the_showcase_with_its_logo(capsys, client):
    assert make_demo(capsys).startswith("Loaded 128 reviews of Tern Hollow Home Services, up to ")

    assert Review.objects.count() == 128
    assert client.get("/logo.png").status_code == 200
    assert Business.objects.get().review_links
    assert make_demo(capsys).startswith("Nothing to do")


@pytest.mark.django_db
def test_demo_of_earlier_version_is_updated():
    generate(reviews=5)
    earlier = Review.objects.exclude(text="").earliest("pk")
    Review.objects.filter(pk=earlier.pk).update(text="As it was worded before.")

    generate(reviews=5)

    assert Review.objects.get(pk=earlier.pk).fragment == earlier.fragment
    assert not ImportChange.objects.exists()


@pytest.mark.django_db
def test_command_refuses_a_database_with_other_reviews(capsys):
    make_demo(capsys)
    make_review()

    with pytest.raises(CommandError, match="holds 1 review that is not the demo's"):
        make_demo(capsys)

    assert Review.objects.count() == 129


@pytest.mark.django_db
def test_command_refuses_the_database_of_another_business(capsys):
    make_business(slug="acme", name="Acme Plumbing")

    with pytest.raises(CommandError, match="This database belongs to Acme Plumbing"):
        make_demo(capsys)

    assert not Review.objects.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"end": "2026-02-30"}, "--end '2026-02-30' is not a date .* Write it like 2026-10-31"),
        ({"end": "31.10.2026"}, "is not a date"),
        ({"end": "0001-01-01"}, "is not a date from 1980-01-01"),
    ],
)
def test_bad_arguments_are_named_with_remedy(options, message):
    with pytest.raises(CommandError, match=message):
        call_command("make_demo", **options)


@pytest.mark.django_db
def test_inbox_sample_is_imported_without_question():
    make_business()
    loading.add_inbox()

    call_command("import_reviews", loading.NEW_REVIEWS)

    assert Review.objects.filter(source="google").count() == 2
