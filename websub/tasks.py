"""Nudges: each works off what is due and may run twice or never."""

from django.conf import settings

from core.celery.nudge import NudgeTask, nudge_task
from websub import cleanup, delivery, verification
from websub.claims import FAST, SLOW, QueueConfig


@nudge_task
def verify_due() -> None:
    run = verification.verify()
    if run.settled:
        deliver_due.nudge()  # Whoever is new is sent what has changed since it asked.
    if run.is_cut_short:
        verify_due.nudge()
    elif (seconds := verification.seconds_to_next(settings.WEBSUB_SWEEP_SECONDS)) is not None:
        verify_due.nudge_in(seconds)


@nudge_task
def deliver_due() -> None:
    """The first lane."""
    _deliver(FAST, deliver_due)


@nudge_task
def deliver_slow_due() -> None:
    _deliver(SLOW, deliver_slow_due)


def _deliver(speed: QueueConfig, bell: NudgeTask) -> None:
    """Rings for both lanes when something is to come: who waits may be in either by then."""
    if delivery.deliver(speed).is_cut_short:
        bell.nudge()
    elif (seconds := delivery.seconds_to_next(settings.WEBSUB_SWEEP_SECONDS)) is not None:
        deliver_due.nudge_in(seconds)
        deliver_slow_due.nudge_in(seconds)


@nudge_task
def sweep_up() -> None:
    """What the clock is for: it rings for everything whose own bell was lost."""
    cleanup.sweep()
    verify_due.nudge()
    deliver_due.nudge()
    deliver_slow_due.nudge()
