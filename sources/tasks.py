"""Tasks of sources: poll due connections, import stored runs."""

from celery import shared_task

from sources import maintenance, polling, runs


@shared_task
def look_at_due() -> None:
    polling.look_at_due()


@shared_task
def import_stored() -> None:
    runs.import_stored()


@shared_task
def sweep() -> None:
    """Find the work of lost messages; import before looking, since that is quick."""
    maintenance.follow_batches()
    runs.import_stored()
    polling.look_at_due()


@shared_task
def purge_runs() -> None:
    maintenance.purge_runs()
