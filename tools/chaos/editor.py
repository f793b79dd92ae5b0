"""Change data in a separate process, and report the time of each commit.

`python -m tools.chaos.editor` reads commands as JSON lines, and writes a JSON line for each.
`python -m tools.chaos.editor 7` makes edit 7 and crashes right after its commit.
"""

import datetime as dt
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import django

CRASH_EXIT_CODE = 9


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if sys.argv[1:]:
        _add(int(sys.argv[1]), after_commit=_print_and_exit)
        sys.exit("The process should have ended with its commit.")
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps(_retry(COMMANDS[name], *arguments)), flush=True)


def add(number: int) -> dict[str, Any]:
    """Make an edit; return the time of its commit, and the duration of the save."""
    started = time.time()
    committed: list[float] = []
    _add(number, after_commit=lambda: committed.append(time.time()))
    return {"committed_at": committed[0], "seconds": time.time() - started}


def subscriptions() -> dict[str, Any]:
    from websub.models import Subscription

    return {"active": Subscription.objects.active().count()}


def delete_subscriptions() -> dict[str, Any]:
    from websub.models import Subscription

    return {"deleted": Subscription.objects.all().delete()[0]}


def create_subscriptions(topic: str, *subscribers: tuple[str, str]) -> dict[str, Any]:
    """Create a subscription for each callback and secret, with the newest version."""
    from publishing.models import Document
    from websub import clock
    from websub.models import Subscription, pair_key
    from websub.secrets import encrypt

    version = Document.objects.get(path="/api/feed.json").version
    now = clock.now()
    rows = [
        Subscription(
            key=pair_key(callback, topic),
            callback=callback,
            callback_host=urlsplit(callback).hostname or "",
            topic=topic,
            encrypted_secret=encrypt(secret),
            lease_seconds=864_000,
            expires_at=now + dt.timedelta(days=10),
            acknowledged_version=version,
            next_attempt_at=now,
        )
        for callback, secret in subscribers
    ]
    return {"created": len(Subscription.objects.bulk_create(rows))}


COMMANDS = {
    command.__name__: command
    for command in (add, subscriptions, delete_subscriptions, create_subscriptions)
}


def _add(number: int, after_commit: Callable[[], Any]) -> None:
    from django.db import transaction
    from django.utils import timezone

    from reviews import services
    from reviews.models import Review

    review = Review(
        source="chaos",
        external_id=f"edit-{number}",
        author="Chaos",
        rating=5,
        date=timezone.now().date(),
        text=f"Chaos edit {number}.",
    )
    with transaction.atomic():
        # Registered first, to run before any message is sent.
        transaction.on_commit(after_commit)
        services.add_review(review)


def _print_and_exit() -> None:
    print(time.time(), flush=True)
    os._exit(CRASH_EXIT_CODE)


def _retry(work: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Repeat a command until the database works, as a person would."""
    from django.db import Error, connections

    while True:
        try:
            return work(*arguments)
        except Error as error:
            print(error, file=sys.stderr)
            connections.close_all()
            time.sleep(0.2)


if __name__ == "__main__":
    main()
