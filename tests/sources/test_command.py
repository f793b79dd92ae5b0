"""`manage.py sources`: list, check and run."""

import datetime as dt

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from reviews.models import Review
from sources.models import SourceConnection
from tests.sources.rows import entries, make_url_connection
from tests.sources.servers import Reply, conditional

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def output(capsys):
    def output(*arguments) -> str:
        call_command("sources", *arguments)
        return capsys.readouterr().out

    return output


def test_run_imports_what_is_new(maker, output):
    connection = make_url_connection(maker)
    maker.reply = conditional(entries(3))

    assert output("run", connection.pk) == "Imported: 3 rows, 3 new, 0 changed, 0 hidden.\n"
    assert output("run", connection.pk) == "Nothing new.\n"
    assert Review.objects.count() == 3


def test_check_imports_nothing_and_leaves_a_run_to_approve(maker, output):
    connection = make_url_connection(maker, state="paused")
    maker.reply = Reply(entries(3))

    shown = output("check", connection.pk)

    assert shown.startswith("Waiting for your approval: 3 rows, 3 new")
    assert not Review.objects.exists()
    listed = output()
    assert "Sheet (Address of a file), paused, last look" in listed
    assert "Waits for approval: Sheet" in listed


def test_failure_is_the_error_of_the_command(maker, output):
    connection = make_url_connection(maker)
    maker.reply = Reply(status=500)

    with pytest.raises(CommandError, match="HTTP 500"):
        output("run", connection.pk)
    assert "HTTP 500" in output()


def test_unknown_number_is_refused_with_its_remedy(output):
    with pytest.raises(CommandError, match="by its number"):
        output("run", "77")


def test_source_whose_run_waits_is_not_looked_at_and_the_command_says_so(maker, output):
    connection = make_url_connection(maker)
    maker.reply = Reply(entries(3))
    output("check", connection.pk)
    maker.reply = Reply(status=401)

    for action in ("check", "run"):
        with pytest.raises(CommandError) as refused:
            output(action, connection.pk)

        assert str(refused.value) == (
            "The source was not looked at: a run waits for approval. "
            "Decide on it in the administration under Sources."
        )


def test_source_that_a_worker_has_claimed_is_not_looked_at(maker, output):
    connection = make_url_connection(maker)
    claimed_until = timezone.now() + dt.timedelta(minutes=1)
    SourceConnection.objects.update(claimed_until=claimed_until, claim_token="look-1")

    with pytest.raises(CommandError, match=r"not looked at: a worker is busy with it\."):
        output("run", connection.pk)
