"""Signals of the hub."""

from django.dispatch import Signal

# Sent when the results of a batch are stored, with `attempts`: result and seconds of each.
deliveries_attempted = Signal()
