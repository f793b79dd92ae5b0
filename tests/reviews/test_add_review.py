"""`manage.py add_review`: adds one review through the import."""

import datetime as dt
import io
import json

import pytest
import time_machine
from django.core.management import CommandError, call_command

from reviews.models import Review, Revision
from reviews.ulids import is_ulid
from tests.factories import make_business, make_technician

pytestmark = pytest.mark.django_db


def add(*args: str) -> str:
    out = io.StringIO()
    call_command("add_review", *args, stdout=out)
    return out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_id_is_printed_and_revision_increases_once(client):
    make_technician("Maren Holt")
    before = Revision.objects.current(Revision.REVIEWS)

    printed = add(
        "--rating", "4", "--text", "Maren was  kind.", "--author", " Dana  R. ",
        "--date", "2026-03-14", "--source", "Judge.me",
    )  # fmt: skip

    review = Review.objects.get()
    assert printed == f"{review.ulid}\n"
    assert is_ulid(review.ulid)
    assert json.loads(review.fragment) == {
        "id": review.ulid,
        "author": "Dana R.",
        "author_avatar_url": None,
        "rating": 4,
        "date": "2026-03-14",
        "text": "Maren was  kind.",
        "source": "judge-me",
        "source_url": None,
        "owner_reply": None,
        "verified": False,
    }
    assert review.mentions.get().subject == "maren-holt"
    assert Revision.objects.current(Revision.REVIEWS) == before + 1
    assert client.get("/api/reviews/search?query=was  kind").json()["matched"] == 1


@time_machine.travel(dt.datetime(2026, 3, 14, 3, 0, tzinfo=dt.UTC))
def test_date_defaults_to_today_in_zone_of_business():
    make_business(time_zone="America/Los_Angeles")

    add("--rating", "5")

    review = Review.objects.get()
    assert (str(review.date), review.author, review.text) == ("2026-03-13", "Anonymous", "")
    assert review.source == "website"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--rating", "6"], "--rating '6' is not 1, 2, 3, 4 or 5."),
        (["--rating", "4.5"], "--rating '4.5' is not 1, 2, 3, 4 or 5."),
        (["--rating", "\u0665"], "is not 1, 2, 3, 4 or 5."),
        (
            ["--rating", "5", "--date", "2026-02-30"],
            "--date must be a calendar day written as YYYY-MM-DD.",
        ),
        (
            ["--rating", "5", "--date", "2026-3-1"],
            "--date must be a calendar day written as YYYY-MM-DD.",
        ),
        (["--rating", "5", "--date", "9999-01-01"], "--date 9999-01-01 lies in the future"),
        (["--rating", "5", "--date", "0206-01-31"], "--date 0206-01-31 lies before 1900"),
        (["--rating", "5", "--source", "..."], "--source '...' has no letter or digit"),
        (["--rating", "5", "--text", "a\0b"], "--text cannot be taken in."),
        (["--rating", "5", "--text", "x" * 20_001], "--text cannot be taken in."),
        (["--text", "no stars"], "--rating"),
    ],
)
def test_bad_value_is_named_and_nothing_is_added(args, sentence):
    with pytest.raises(CommandError) as refused:
        add(*args)

    assert sentence in str(refused.value)
    assert not Review.objects.exists()


def test_unknown_time_zone_of_the_business_counts_as_utc():
    make_business(time_zone="Mars/Olympus")

    add("--rating", "4", "--date", "2024-03-14")

    assert Review.objects.get().published_at == dt.datetime(2024, 3, 14, tzinfo=dt.UTC)
