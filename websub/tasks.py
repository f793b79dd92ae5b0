"""Nudges: each works off what is due and may run twice or never."""

from django.conf import settings

from reviews.doorbell import doorbell
from websub import delivery, sweep, verification
from websub.claims import FIRST, SLOW


@doorbell
def verify_due() -> None:
    if verification.verify().is_cut_short:
        verify_due.ring()
    elif (seconds := verification.seconds_to_next(settings.WEBSUB_SWEEP_SECONDS)) is not None:
        verify_due.ring_in(seconds)


@doorbell
def deliver_due() -> None:
    """The first lane. Rings for the slow one as well when something is to come in it."""
    if delivery.deliver(FIRST).is_cut_short:
        deliver_due.ring()
    elif (seconds := delivery.seconds_to_next(settings.WEBSUB_SWEEP_SECONDS)) is not None:
        deliver_due.ring_in(seconds)
        deliver_slow_due.ring_in(seconds)


@doorbell
def deliver_slow_due() -> None:
    if delivery.deliver(SLOW).is_cut_short:
        deliver_slow_due.ring()
    elif (seconds := delivery.seconds_to_next(settings.WEBSUB_SWEEP_SECONDS)) is not None:
        deliver_slow_due.ring_in(seconds)
        deliver_due.ring_in(seconds)


@doorbell
def sweep_up() -> None:
    """What the clock is for: it rings for everything whose own bell was lost."""
    sweep.sweep()
    verify_due.ring()
    deliver_due.ring()
    deliver_slow_due.ring()
