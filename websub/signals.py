from django.dispatch import Signal

# Sent after the results of a batch are stored. `attempts` holds (result, seconds) pairs.
deliveries_attempted = Signal()
