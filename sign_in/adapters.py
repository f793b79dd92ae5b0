"""Adapters of django-allauth for networks, messages, encrypted secrets and passkeys."""

import logging
import secrets
import time
from base64 import b32encode
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext

from core.http.rate_limit import client_network
from core.secrets import SecretLost
from sign_in.services import SECRETS

logger = logging.getLogger(__name__)

STARTED_AT = "started_at"  # Session key of the time of the sign-in, in seconds.
FRESH_SECONDS = 300


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # It has no types.
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the network, which the limits of wrong codes count by."""
        return client_network(request) or "::"

    def login(self, request: HttpRequest, user: User) -> None:
        super().login(request, user)
        request.session[STARTED_AT] = int(time.time())

    def is_reauthentication_required(self, *args: Any, **kwargs: Any) -> bool:
        """Ask for the password again, unless the sign-in was within the last five minutes."""
        started_at = context.request.session.get(STARTED_AT, 0)
        is_fresh = 0 <= time.time() - started_at < FRESH_SECONDS
        return not is_fresh and super().is_reauthentication_required(*args, **kwargs)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Add messages on changes. Signing in or out is visible without a message."""
        if message_template not in {
            "account/messages/logged_in.txt",
            "account/messages/logged_out.txt",
        }:
            super().add_message(request, level, message_template, *args, **kwargs)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # It has no types.
    def get_totp_issuer(self) -> str:
        """Return the name of the account in an authenticator app."""
        return f"Reviews ({urlsplit(settings.BASE_URL).hostname})"

    def _get_user_identifier(self, user: Any) -> str:
        name: str = user.get_username()
        return name

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002  (allauth's)
        """Propose a name for a new passkey."""
        count = Authenticator.objects.filter(user=user, type=type).count()
        return gettext("Passkey {number}").format(number=count + 1)

    def encrypt(self, text: str) -> str:
        return SECRETS.encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret. If no key decrypts it, return a random one, which no code matches."""
        try:
            return SECRETS.decrypt(encrypted_text.encode()).decode()
        except SecretLost:
            logger.error(
                "The secret of a second factor cannot be read: add the former SECRET_KEY to "
                "SECRET_KEY_FALLBACKS, or run `manage.py reset_second_factor` for the user."
            )
            return b32encode(secrets.token_bytes(20)).decode()
