"""Signals of this app."""

from django.dispatch import Signal

# Sent once after each commit that raised the revision `reviews`; carries nothing, since a receiver
# compares revisions instead of trusting a message.
reviews_changed = Signal()

# Sent in the transaction that forgets an author, with `review_ids` (list of int) and `names` (list
# of str): whatever else keeps the name removes it.
author_forgotten = Signal()

# Sent in the transaction that queues a reply for its site; carries nothing, since the row is the
# queue.
reply_waiting = Signal()
