"""Secrets of all apps under a new `SECRET_KEY`."""

import sign_in.services
import sources.services
import websub.services


def reencrypt() -> tuple[int, int]:
    """Encrypt all secrets again: numbers of those done, and of those that no key opens."""
    results = [app.services.reencrypt_secrets() for app in (websub, sources, sign_in)]
    return sum(done for done, _ in results), sum(lost for _, lost in results)
