"""Files that do not say where their reviews are from."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from reviews.models import ImportBatch, Review
from tests.administration import shown
from tests.factories import make_business

pytestmark = pytest.mark.django_db

FILE = b"id,author,rating,date,text\n1,Ann,5,2026-03-14,Quick.\n2,Bob,4,2026-03-13,Good.\n"


@pytest.fixture
def upload(admin_client):
    def upload(content=FILE):
        file = SimpleUploadedFile("r.csv", content)
        return admin_client.post("/admin/reviews/importbatch/add/", {"file": file}, follow=True)

    return upload


def press(client, name, **fields):
    batch = ImportBatch.objects.latest("id")
    return client.post(
        reverse(f"admin:reviews_importbatch_{name}", args=[batch.pk]), fields, follow=True
    )


def test_preview_asks_where_the_reviews_are_from(admin_client, upload):
    page = shown(upload())

    assert "Nothing in the file says where 2 new reviews are from." in page
    assert "Import the 2 good rows" not in page
    assert "say first where these reviews are from" in shown(press(admin_client, "apply"))
    assert not Review.objects.exists()


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ({"known": "google"}, "google"),
        ({"other": "Google My Business"}, "google"),
        ({"other": "Our survey"}, "our-survey"),
        ({"known": "yelp", "other": "Word of mouth"}, "word-of-mouth"),
        ({"known": "unknown"}, "import"),
    ],
)
def test_answer_is_the_source(admin_client, upload, answer, source):
    upload()

    page = shown(press(admin_client, "source", **answer))
    assert "Import the 2 good rows" in page
    press(admin_client, "apply")

    assert set(Review.objects.values_list("source", flat=True)) == {source}


@pytest.mark.parametrize("answer", [{}, {"known": "nowhere"}, {"other": "★★"}])
def test_answer_that_is_none_is_asked_again(admin_client, upload, answer):
    upload()

    page = shown(press(admin_client, "source", **answer))

    assert "Nothing in the file says" in page
    assert not Review.objects.exists()


def test_stored_reviews_are_not_asked_about_again(admin_client, upload):
    upload()
    press(admin_client, "source", known="unknown")
    press(admin_client, "apply")

    page = shown(upload(FILE.replace(b"Good", b"Better")))

    assert "Nothing in the file says" not in page
    press(admin_client, "apply")
    assert Review.objects.filter(text="Better.").count() == 1


def test_command_imports_with_a_warning_and_visitors_never_read_import(tmp_path, capsys, client):
    make_business()
    file = tmp_path / "r.csv"
    file.write_bytes(FILE)

    call_command("import_reviews", str(file))

    said = capsys.readouterr().out
    assert "Nothing says where 2 new reviews are from" in said
    assert "--source google" in said
    for address in ("/", "/reviews", f"/reviews/{Review.objects.first().ulid}"):
        page = shown(client.get(address))
        assert "Source not stated" in page
        assert "> Import" not in page
    call_command("import_reviews", str(file))
    assert "Nothing says where" not in capsys.readouterr().out
