"""Valid rows of the hub."""

import datetime as dt
import itertools
from urllib.parse import urlsplit

from django.utils import timezone

from websub import secrets
from websub.models import Attempt, Subscription, Verification, pair_key

TOPIC = "https://reviews.example/feed.xml"

_numbers = itertools.count(1)


def _pair(callback, topic):
    callback = callback or f"https://hooks-{next(_numbers)}.example/cb"
    return {
        "key": pair_key(callback, topic),
        "callback": callback,
        "callback_host": urlsplit(callback).hostname,
        "topic": topic,
    }


def make_subscription(*, callback="", topic=TOPIC, secret="", **fields) -> Subscription:
    values = {
        "encrypted_secret": secrets.encrypt(secret),
        "lease_seconds": 864_000,
        "expires_at": timezone.now() + dt.timedelta(days=10),
    }
    return Subscription.objects.create(**_pair(callback, topic) | values | fields)


def make_verification(*, callback="", topic=TOPIC, **fields) -> Verification:
    values = {"mode": "subscribe", "topic_as_sent": topic, "lease_seconds": 864_000}
    return Verification.objects.create(**_pair(callback, topic) | values | fields)


def make_attempt(*, subscription=None, **fields) -> Attempt:
    subscription = subscription or make_subscription()
    values = {
        "callback_host": subscription.callback_host,
        "topic": subscription.topic,
        "version": 3,
        "result": Attempt.Result.ACKNOWLEDGED,
        "status": 204,
        "seconds": 0.1,
    }
    return Attempt.objects.create(subscription=subscription, **values | fields)
