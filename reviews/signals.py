"""Signals of the reviews."""

from django.dispatch import Signal

# Sent once after each commit that raised the revision `reviews`, without arguments: receivers
# compare revisions.
reviews_changed = Signal()

# Sent in the transaction that forgets an author, with `review_ids` (list of int) and `names` (list
# of str). Receivers remove the names from their own data.
author_forgotten = Signal()

# Sent in the transaction that queues a reply for its site, without arguments: the row is the queue.
reply_waiting = Signal()
