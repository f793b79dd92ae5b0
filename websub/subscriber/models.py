"""Subscriptions of this site to topics of other sites."""

import secrets

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from websub import conf

MAX_URL = 2_048


class Subscription(models.Model):
    """A topic that this site follows or unsubscribes from; active until `expires_at`."""

    url = models.CharField(max_length=conf.MAX_TOPIC_CHARACTERS, unique=True)
    topic = models.CharField(max_length=MAX_URL, blank=True)  # The URL that the hub knows.
    hub = models.CharField(max_length=MAX_URL, blank=True)
    token = models.CharField(max_length=43, unique=True, default=secrets.token_urlsafe)
    is_wanted = models.BooleanField(default=True)
    lease_seconds = models.PositiveIntegerField(default=864_000)
    expires_at = models.DateTimeField(null=True)  # None until the hub has verified a request.
    next_request_at = models.DateTimeField(default=timezone.now, db_index=True)
    received_at = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=300, blank=True)

    def __str__(self) -> str:
        return self.url

    @property
    def callback(self) -> str:
        path = reverse("websub_subscriber:callback", args=[self.token])
        return f"{conf.get('WEBSUB_BASE_URL')}{path}"

    def secrets(self) -> list[str]:
        """Derive the secrets from `SECRET_KEY` and its fallbacks; the current one is first."""
        keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        return [salted_hmac("websub", self.token, k, algorithm="sha256").hexdigest() for k in keys]
