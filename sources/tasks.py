"""Nudges: look at the sources that are due, import what is stored."""

from core.celery.nudge import nudge_task
from sources import maintenance, polling, runs


@nudge_task
def look_at_due() -> None:
    polling.look_at_due()


@nudge_task
def import_stored() -> None:
    runs.import_stored()


@nudge_task
def sweep() -> None:
    """Find the work of lost messages; import before looking, since that is quick."""
    maintenance.follow_batches()
    runs.import_stored()
    polling.look_at_due()


@nudge_task
def purge_runs() -> None:
    maintenance.purge_runs()
