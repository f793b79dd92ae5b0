"""Documents follow the data: a new version exactly if the bytes change."""

import datetime as dt
import gzip
import json
import logging
from dataclasses import replace
from itertools import pairwise

import brotli
import pytest
import zstandard
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils import timezone

from insights.refresh import refresh
from publishing import publisher
from publishing.models import Document
from publishing.publisher import Outcome, publish_due
from publishing.registry import registry
from publishing.signals import document_published
from reviews.models import Review
from tests.documents import registered_paths, replace_document
from tests.factories import make_business, make_review, make_technician
from tests.threads import run_concurrently

# A revision increases once per transaction, and announcements wait for the commit.
commits = pytest.mark.django_db(transaction=True)

REVIEWS = "/reviews.json"


@pytest.fixture
def announced():
    """Return the `document_published` signals so far."""
    heard = []

    def hear(path, version, **kwargs):
        heard.append((path, version))

    document_published.connect(hear)
    yield heard
    document_published.disconnect(hear)


def validators():
    return set(Document.objects.values_list("path", "version", "digest", "changed_at"))


@pytest.mark.django_db
def test_average_rating_is_rounded_half_up():
    for rating in (5, 5, 5, 5, 5, 5, 5, 4):  # 4.875
        make_review(rating=rating)
    publish_due()

    rating = json.loads(Document.objects.get(path=REVIEWS).identity)["aggregate_rating"]
    assert rating["rating_value"] == 4.88
    assert rating["distribution"] == {"1": 0, "2": 0, "3": 0, "4": 1, "5": 7}


@pytest.mark.django_db
def test_codings_hold_same_bytes():
    make_review(text="Größe 😀 \u2028")
    publish_due()

    for document in Document.objects.all():
        body = document.identity
        assert gzip.decompress(document.gzip) == body
        assert brotli.decompress(bytes(document.br)) == body
        assert zstandard.ZstdDecompressor().decompress(document.zstd) == body
        assert document.digest == publisher.digest(body)
    assert "Größe 😀".encode() in Document.objects.get(path=REVIEWS).identity


@pytest.mark.django_db
def test_large_document_is_stored_plain_and_as_gzip_only(monkeypatch, client):
    monkeypatch.setattr(publisher, "LARGE", 100)
    make_review()
    publish_due()

    assert list(Document.objects.get(path=REVIEWS).bodies()) == ["identity", "gzip"]
    answer = client.get(REVIEWS, headers={"Accept-Encoding": "br, zstd, gzip;q=0.5"})
    assert (answer.status_code, answer["Content-Encoding"]) == (200, "gzip")


@commits
def test_edit_makes_new_version_of_affected_documents(announced):
    review = make_review()
    publish_due()
    announced.clear()

    review.text = "Better than I first wrote."
    review.save()
    refresh()
    published = publish_due()

    bounded = ["/api/feed.json", "/feed.xml", "/embed.json"]
    assert published == [*bounded, REVIEWS, "/reviews.csv", "/insights.json"]
    assert announced == [(path, 2) for path in published]


@commits
def test_invisible_changes_keep_documents(announced):
    make_business()
    review = make_review()
    hidden = make_review(hidden=True)
    technician = make_technician()
    refresh()
    publish_due()
    before = validators()
    announced.clear()

    review.save()
    hidden.text = "Still hidden."
    hidden.save()
    technician.aliases = ["Maz"]
    technician.save()
    refresh()

    assert publish_due() == []
    assert announced == []
    assert validators() == before
    assert not any(state.is_outdated() for state in publisher.states())


@commits
def test_hidden_review_is_in_no_document():
    review = make_review(author="Wilhelmina")
    refresh()
    publish_due()

    review.hidden = True
    review.save()
    refresh()
    publish_due()

    for document in Document.objects.all():
        assert b"Wilhelmina" not in document.identity
        assert review.ulid.encode() not in document.identity


@commits
def test_last_modified_increases_with_every_version():
    review = make_review()
    publish_due()
    seen = [Document.objects.get(path=REVIEWS).changed_at]

    for number in range(5):
        review.text = f"Edit {number}"
        review.save()
        publish_due()
        seen.append(Document.objects.get(path=REVIEWS).changed_at)

    assert all(later - earlier >= dt.timedelta(seconds=1) for earlier, later in pairwise(seen))
    assert all(at.microsecond == 0 for at in seen)


@commits
def test_new_base_url_rebuilds_documents_that_name_it(announced):
    make_review()
    publish_due()
    announced.clear()
    publisher._seen_fingerprints.clear()  # As in a process that starts with the new URL.

    with override_settings(BASE_URL="https://moved.example"):
        published = publish_due()

    assert published == ["/api/feed.json", "/feed.xml", "/embed.js", "/.well-known/openapi.json"]
    assert b"https://moved.example/feed.xml" in Document.objects.get(path="/feed.xml").identity
    assert [path for path, _ in announced] == published


@pytest.mark.django_db
def test_processes_with_different_settings_do_not_rewrite_each_other(monkeypatch):
    make_review()
    publish_due()
    # Another process with other settings has stored its version after ours.
    Document.objects.update(fingerprint="theirs")

    assert publish_due() == []
    assert set(Document.objects.values_list("fingerprint", flat=True)) == {"theirs"}
    assert registry[REVIEWS].full_fingerprint() != "theirs"


@commits
def test_concurrent_publishing_makes_one_version(announced):
    review = make_review()
    publish_due()
    announced.clear()
    review.text = "Edited once."
    review.save()
    results = []

    run_concurrently(*4 * [lambda: results.append(publish_due())])

    changed = ["/api/feed.json", "/embed.json", "/feed.xml", "/reviews.csv", REVIEWS]
    assert len(results) == 4
    assert sorted(path for paths in results for path in paths) == changed
    assert sorted(announced) == [(path, 2) for path in changed]


@pytest.mark.django_db
@pytest.mark.parametrize(("seconds", "is_built"), [(9, False), (-1, True)])
def test_claimed_document_is_left_until_claim_expires(seconds, is_built):
    make_review()
    claimed_until = timezone.now() + dt.timedelta(seconds=seconds)
    Document.objects.create(path=REVIEWS, claimed_until=claimed_until)

    assert (REVIEWS in publish_due()) is is_built
    assert Document.objects.get(path=REVIEWS).version == is_built


@commits
@pytest.mark.parametrize(
    ("text", "seen", "version"),
    [("Second edit.", Outcome.NEW, 2), ("Taken back.", Outcome.UNCHANGED, 1)],
)
def test_slow_builder_does_not_overwrite_newer_version(monkeypatch, announced, text, seen, version):
    review = make_review(text="Taken back.")
    publish_due()
    review.text = "First edit."
    review.save()
    resource = registry[REVIEWS]
    slow = publisher.encode

    def overtaken(body):
        monkeypatch.setattr(publisher, "encode", slow)
        Document.objects.filter(path=REVIEWS).update(claimed_until=None)  # As if it had expired.
        review.text = text
        review.save()
        assert publisher.publish(resource) is seen
        return slow(body)

    monkeypatch.setattr(publisher, "encode", overtaken)

    assert publisher.publish(resource) is Outcome.SKIPPED
    document = Document.objects.get(path=REVIEWS)
    assert document.version == version
    assert text.encode() in document.identity


@pytest.mark.django_db
def test_failing_document_does_not_stop_others(monkeypatch, caplog):
    make_review()

    def broken(changed_at):
        raise ValueError("a row from hell")

    feed = replace(registry["/feed.xml"], build=broken)

    with replace_document(feed), caplog.at_level(logging.ERROR):
        published = publish_due()

    assert set(published) == set(registered_paths()) - {"/feed.xml"}
    assert Document.objects.get(claimed_until__isnull=False).path == "/feed.xml"
    assert "/feed.xml cannot be built" in caplog.text
    with pytest.raises(CommandError, match=r"Not up to date: /feed\.xml"):
        call_command("publish_documents")


@pytest.mark.django_db
def test_command_reports_published_documents(capsys):
    make_review()

    call_command("publish_documents")
    assert "Published a new version of /reviews.json" in capsys.readouterr().out

    call_command("publish_documents")
    assert capsys.readouterr().out == "Every document is up to date.\n"


@commits
def test_commit_enqueues_publishing(monkeypatch):
    rung = []
    monkeypatch.setattr("publishing.tasks.publish_due.delay", lambda: rung.append(True))

    make_review()
    Review.objects.update(text="Edited in bulk.")

    assert rung == [True, True]
