"""Changes the data from a process of its own, as the admin does, and says when each was committed.

`python -m tools.chaos.editor` reads commands as lines of JSON, and answers each with one.
`python -m tools.chaos.editor 7` makes edit 7 and dies between its commit and everything after.
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

DIED = 9  # The exit code of the process that crashes on purpose.


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if sys.argv[1:]:
        _add(int(sys.argv[1]), after_commit=_say_and_die)
        sys.exit("The process should have ended with its commit.")
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps(_insist(COMMANDS[name], *arguments)), flush=True)


def add(number: int) -> dict[str, Any]:
    """Time of the edit's commit, and seconds that its save took."""
    started = time.time()
    committed: list[float] = []
    _add(number, after_commit=lambda: committed.append(time.time()))
    return {"committed_at": committed[0], "seconds": time.time() - started}


def subscriptions() -> dict[str, Any]:
    from websub.models import Subscription

    return {"active": Subscription.objects.active().count()}


def forget() -> dict[str, Any]:
    from websub.models import Subscription

    return {"deleted": Subscription.objects.all().delete()[0]}


def enrol(topic: str, *crowd: tuple[str, str]) -> dict[str, Any]:
    """A subscription for each callback and secret; all have what is published."""
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
        for callback, secret in crowd
    ]
    return {"enrolled": len(Subscription.objects.bulk_create(rows))}


COMMANDS = {command.__name__: command for command in (add, subscriptions, forget, enrol)}


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
        # Registered first, so it runs before any message is sent.
        transaction.on_commit(after_commit)
        services.add_review(review)


def _say_and_die() -> None:
    print(time.time(), flush=True)
    os._exit(DIED)


def _insist(work: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """Repeat it while the database is away, as a person whose save failed does."""
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
