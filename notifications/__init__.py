"""Notifications of people and programs: e-mail, webhooks and digests.

Rows are the queue. An `Event` is recorded once, each `Message` is one delivery to one address, and
an `DeliveryAttempt` is one try of it.
"""
