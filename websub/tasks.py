"""Nudges: each works off what is due and may run twice or never."""

from django.conf import settings

from reviews.doorbell import Doorbell, doorbell
from websub import delivery, sweep, verification
from websub.claims import FIRST, SLOW, Speed


@doorbell
def verify_due() -> None:
    run = verification.verify()
    if run.settled:
        deliver_due.ring()  # Whoever is new is sent what has changed since it asked.
    if run.is_cut_short:
        verify_due.ring()
    elif (seconds := verification.seconds_to_next(settings.WEBSUB_SWEEP_SECONDS)) is not None:
        verify_due.ring_in(seconds)


@doorbell
def deliver_due() -> None:
    """The first lane."""
    _deliver(FIRST, deliver_due)


@doorbell
def deliver_slow_due() -> None:
    _deliver(SLOW, deliver_slow_due)


def _deliver(speed: Speed, bell: Doorbell) -> None:
    """Rings for both lanes when something is to come: who waits may be in either by then."""
    if delivery.deliver(speed).is_cut_short:
        bell.ring()
    elif (seconds := delivery.seconds_to_next(settings.WEBSUB_SWEEP_SECONDS)) is not None:
        deliver_due.ring_in(seconds)
        deliver_slow_due.ring_in(seconds)


@doorbell
def sweep_up() -> None:
    """What the clock is for: it rings for everything whose own bell was lost."""
    sweep.sweep()
    verify_due.ring()
    deliver_due.ring()
    deliver_slow_due.ring()
