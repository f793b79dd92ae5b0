"""Runs that are held for a decision, and limits of hiding missing reviews."""

import orjson
import pytest

from imports import services as import_services
from imports.models import ImportBatch, ImportOptions, ImportUpload
from reviews import services as review_services
from reviews.models import Review
from reviews.models.review import HiddenReason
from sources import runs, services
from sources.models import SourceConnection, SourceRun
from sources.selectors import alarms, unreleased_reviews, waiting_runs
from tests.reviews.imports import load
from tests.sources.rows import entries, entry, make_connection, make_url_connection, post
from tests.sources.servers import Reply, in_sequence


def table(*rows):
    heading = "id;author;rating;date;text\n"
    return (heading + "".join(f"{';'.join(map(str, row))}\n" for row in rows)).encode()


def visible() -> int:
    return Review.objects.visible().count()


def fewer():
    return [alarm for alarm in alarms() if alarm.code == "fewer"]


def held(connection) -> list[str]:
    """Return the reasons of the single held run."""
    run = waiting_runs().get()
    assert run.connection == connection
    assert run.batch.state in {ImportBatch.State.PREVIEWED, ImportBatch.State.CONFIRMING}
    return run.reasons


def rows(*numbers, **values):
    return [entry(number, **values) for number in numbers]


OTHER = entry(3, id="id-1", author="Somebody Else", text="Quite another text.")


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ([], rows(0, 1, rating="eleven") + rows(*range(2, 10)), "2 of 10 rows cannot be read, mo"),
        (
            rows(0, place_id="ChIJours"),
            rows(1, place_id="ChIJother"),
            "whose name is not that of the business: ChIJother (1)",
        ),
        (
            rows(0, 1, 2),
            table((1, "Ann", 5, "2026-01-02", "Fine work.")),
            "The format is generic; last time it was own_or_generic_json.",
        ),
        (rows(0, 1, 2), [*rows(0, 2, 9), OTHER], "1 known ids now have another author"),
        (
            rows(*range(40)),
            rows(*range(40)) + rows(*range(40, 50), rating=1),
            "The mean of all reviews would move from 5.0 to 4.2 stars within a day.",
        ),
    ],
)
def test_run_waits_for_approval_with_reasons(maker, fetch_due, before, after, reason):
    connection = make_url_connection(maker)
    for content in filter(None, (before, after)):
        maker.reply = Reply(content if isinstance(content, bytes) else orjson.dumps(content))
        fetch_due()

    assert reason in " ".join(held(connection))
    assert visible() == len(before)


def test_few_rejected_rows_are_reported_with_import(maker, fetch_due):
    make_url_connection(maker)
    rows = [entry(0, rating="eleven"), *(entry(number) for number in range(1, 20))]
    maker.reply = Reply(orjson.dumps(rows))

    fetch_due()

    assert SourceRun.objects.get().error.startswith("1 of 20 rows cannot be read.")
    assert visible() == 19


def test_new_reviews_without_source_wait_for_its_name(maker, fetch_due):
    connection = make_url_connection(maker, source="")
    maker.reply = Reply(entries(3))
    fetch_due()
    assert "Open the import and say" in held(connection)[0]

    SourceConnection.objects.update(import_options={"accept": True, "source": "google"})
    services.approve(waiting_runs().get(), by=None)
    runs.import_stored()

    assert set(Review.objects.values_list("source", flat=True)) == {"google"}


def test_question_of_file_waits_and_its_answer_is_stored(maker, fetch_due):
    make_url_connection(maker)
    first = table((1, "Ann", 5, "04/05/2026", "Fine work."))
    second = first + b"2;Bob;5;06/07/2026;Good work.\n"
    maker.reply = in_sequence(Reply(first), Reply(second))
    fetch_due()
    run = waiting_runs().get()
    assert "Open the import and say" in " ".join(run.reasons)

    options = ImportOptions.from_json({**run.batch.options, "date_order": "dmy"})
    import_services.read_again(run.batch, options)
    services.approve(run, by=None)
    runs.import_stored()
    fetch_due()

    assert [str(r.date) for r in Review.objects.order_by("date")] == ["2026-05-04", "2026-07-06"]


@pytest.fixture
def waiting(maker, fetch_due):
    """Return a run held for its format, of a source with three reviews."""
    connection = make_url_connection(maker)
    rows = table((7, "Ann", 5, "2026-01-02", "Fine work."))
    maker.reply = in_sequence(Reply(entries(3)), Reply(rows))
    fetch_due()
    fetch_due()
    assert held(connection)
    return waiting_runs().get()


def test_source_is_not_fetched_while_a_run_waits(waiting, fetch_due, maker):
    fetch_due()

    assert len(maker.requests) == 2


def test_approved_run_is_imported_and_sets_format(waiting, fetch_due, maker, admin_user):
    services.approve(waiting, by=admin_user)
    runs.import_stored()

    waiting.refresh_from_db()
    assert (waiting.state, waiting.new, waiting.decided_by) == ("imported", 1, admin_user)
    waiting.connection.refresh_from_db()
    assert waiting.connection.last_format == "generic"
    assert visible() == 4


def test_rejected_run_is_not_fetched_again(waiting, fetch_due, maker, admin_user):
    services.reject(waiting, by=admin_user)

    fetch_due()

    waiting.refresh_from_db()
    assert (waiting.state, waiting.batch.state) == ("rejected", "cancelled")
    assert len(maker.requests) == 3
    assert SourceRun.objects.count() == 2
    assert visible() == 3


def test_run_follows_decision_on_import_page(waiting):
    from sources.tasks import follow_batches

    import_services.apply(waiting.batch)
    assert follow_batches() == 1

    waiting.refresh_from_db()
    assert (waiting.state, waiting.new) == ("imported", 1)


def test_approval_after_purge_of_upload_imports_stored_content(waiting):
    ImportUpload.objects.all().delete()

    services.approve(waiting, by=None)
    runs.import_stored()

    waiting.refresh_from_db()
    assert (waiting.state, visible()) == ("imported", 4)


@pytest.mark.parametrize("is_accepted", [True, False])
def test_shrinking_source_hides_nothing_and_has_alarm(maker, fetch_due, is_accepted):
    connection = make_url_connection(maker)
    maker.reply = in_sequence(Reply(entries(50)), Reply(entries(5)), Reply(entries(51)))
    fetch_due()

    fetch_due()

    assert visible() == 50
    (alarm,) = fewer()
    assert "lists 5 reviews; it has listed 50" in alarm.sentence
    if is_accepted:
        services.accept_size(connection)
    else:
        fetch_due()
    assert fewer() == []


def test_complete_source_hides_few_and_shows_them_again(maker, fetch_due):
    make_url_connection(maker, is_complete=True)
    without = [entry(number) for number in range(40) if number != 4]
    maker.reply = in_sequence(Reply(entries(40)), Reply(orjson.dumps(without)), Reply(entries(40)))
    fetch_due()

    fetch_due()
    hidden = Review.objects.get(hidden=True)
    assert (hidden.external_id, hidden.hidden_reason) == ("id-4", HiddenReason.ABSENT)

    fetch_due()
    assert visible() == 40


def test_complete_source_keeps_reviews_of_other_origins(maker, fetch_due):
    make_url_connection(maker, is_complete=True)
    load(entries(46), options=ImportOptions(accept=True, source="google"))
    fresh = [entry(number) for number in range(46, 50)]
    maker.reply = in_sequence(Reply(orjson.dumps(fresh)), Reply(orjson.dumps(fresh[1:])))

    fetch_due()
    assert (visible(), SourceRun.objects.get().state) == (50, "imported")
    fetch_due()

    assert "lacks 1 of 4 reviews" in waiting_runs().get().reasons[0]
    services.approve(waiting_runs().get(), by=None)
    runs.import_stored()
    assert Review.objects.get(hidden=True).external_id == "id-46"


def test_complete_source_missing_many_waits_and_approval_hides_previewed(maker, fetch_due):
    connection = make_url_connection(maker, is_complete=True)
    maker.reply = in_sequence(Reply(entries(40)), Reply(entries(37)))
    fetch_due()
    fetch_due()
    assert "lacks 3 of 40 reviews" in held(connection)[0]
    assert visible() == 40
    run = waiting_runs().get()
    later = ImportOptions(accept=True, source="google", origin=connection.origin)
    load(orjson.dumps([entry(41)]), options=later)

    services.approve(run, by=None)
    runs.import_stored()

    hidden = Review.objects.filter(hidden=True).values_list("external_id", flat=True)
    assert set(hidden) == {"id-37", "id-38", "id-39"}


def test_deletion_without_site_keeps_same_id_of_other_origins(allow_local_sources, client, db):
    load(orjson.dumps([entry(7)]), options=ImportOptions(accept=True, source="yelp"))
    event = {"eventName": "service-review-deleted", "eventData": {"id": "id-7"}}

    post(client, make_connection("push", source=""), {"events": [event]})
    runs.import_stored()

    assert visible() == 1


def test_many_deletions_of_a_push_wait_for_approval(allow_local_sources, fetch_due, client):
    connection = make_connection("push")
    post(client, connection, entries(40))
    runs.import_stored()
    events = [
        {"eventName": "service-review-deleted", "eventData": {"id": f"id-{number}"}}
        for number in range(3)
    ]

    post(client, connection, {"events": events})
    runs.import_stored()

    assert "3 of 40 reviews were deleted" in waiting_runs().get().reasons[0]
    assert visible() == 40
    services.approve(waiting_runs().get(), by=None)
    runs.import_stored()
    assert visible() == 37


def test_new_reviews_stay_hidden_until_released(maker, fetch_due):
    make_url_connection(maker, holds_new=True)
    maker.reply = in_sequence(Reply(entries(2)), Reply(entries(2) + b"\n"))
    fetch_due()
    fetch_due()
    assert (visible(), unreleased_reviews().count()) == (0, 2)

    review_services.hide(unreleased_reviews(), hidden=False)

    assert (visible(), unreleased_reviews().count()) == (2, 0)


@pytest.mark.parametrize("is_released", [False, True])
def test_undo_deletes_reviews_that_waited_for_release(maker, fetch_due, is_released):
    make_url_connection(maker, holds_new=True)
    maker.reply = Reply(entries(2))
    fetch_due()
    if is_released:
        review_services.hide(unreleased_reviews(), hidden=False)
    batch = ImportBatch.objects.get()

    import_services.undo(batch)
    import_services.run_now(batch)

    assert not Review.objects.exists()
    assert ImportBatch.objects.get().state == ImportBatch.State.UNDONE
