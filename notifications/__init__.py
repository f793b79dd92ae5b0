"""Notify people and programs by e-mail, webhooks and digests.

The database is the queue. An `Event` is recorded once, a `Message` is one delivery to one address,
and a `DeliveryAttempt` is one attempt to deliver it.
"""
