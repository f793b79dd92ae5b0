"""`manage.py up`: from an empty folder to a running service, in one process tree."""

import http.client
import os
import secrets
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from io import StringIO
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS, connections

from config import local
from config.celery import LEAST_CONCURRENCY
from config.env import BASE_DIR
from config.supervisor import Supervisor, Voice, wants_colour
from insights.services import refresh_few
from reviews.models import Business, Review

PAGES = {
    "Home": "/",
    "Admin": "/admin/",
    "Reviews": "/reviews.json",
    "Insights": "/insights.json",
    "JSON Feed": "/api/feed.json",
    "Atom feed": "/feed.xml",
    "Search": "/api/reviews/search?min_rating=4&limit=5",
    "Assistants": "/developers/mcp",
    "OpenAPI": "/.well-known/openapi.json",
    "Status": "/status",
    "Health": "/readyz",
}
# granian counts connections, idle ones too: a client beyond waits until another one leaves. Few
# enough for the 1024 open files that a process usually may have.
WEB_BACKPRESSURE = 512
SLOW_START_SECONDS = 60.0
ERRAND = "reader"  # Without a worker, reads the reviews that are due, and ends.


class Command(BaseCommand):
    help = "Prepare the database, load the demo into an empty one, and run web, worker and beat."
    # The others load every URL, which would make each start half a second longer.
    requires_system_checks = (Tags.security,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port",
            type=local.port_number,
            default=local.DEFAULT_PORT,
            help="where to listen; the next free port is taken if this one is not (%(default)s)",
        )
        parser.add_argument(
            "--no-demo", action="store_true", help="leave an empty database without demo data"
        )
        parser.add_argument(
            "--no-worker", action="store_true", help="run the web server alone, no Celery"
        )

    def handle(self, *args: Any, port: int, no_demo: bool, no_worker: bool, **options: Any) -> None:
        address = local.prepare(["--port", str(port)]).address
        voice = Voice(sys.stdout, width=6, coloured=wants_colour(sys.stdout))
        if address.port != address.wanted:
            voice.say(f"Port {address.wanted} is taken; listening on {address.port} instead.")
        try:
            with local.exclusive(settings.STATE_DIR / "setup.lock"):
                insights_follow = _set_up(voice, with_demo=not no_demo)
        except KeyboardInterrupt:
            sys.exit(130)
        connections.close_all()
        commands = _commands(address, with_worker=not no_worker)
        if no_worker and not insights_follow:
            voice.say("Many reviews are due to be read, which goes on beside what is served.")
            commands[ERRAND] = [sys.executable, str(BASE_DIR / "manage.py"), "refresh_insights"]
        supervisor = Supervisor(commands, voice, errands={ERRAND})
        sys.exit(supervisor.run(on_tick=_Welcome(address, voice).tell_when_ready))


def _set_up(voice: Voice, *, with_demo: bool) -> bool:
    """Whether the insights follow the reviews; many are not read before anything is served."""
    call_command("migrate", verbosity=0)
    call_command("check", tags=[Tags.database], databases=[DEFAULT_DB_ALIAS], stdout=StringIO())
    _make_admin(voice)
    if with_demo and not Business.objects.exists() and not Review.objects.exists():
        voice.say("The database is empty: loading the demo.")
        call_command("make_demo", stdout=StringIO())
    insights_follow = refresh_few()
    call_command("publish_documents", stdout=StringIO())
    return insights_follow


def _make_admin(voice: Voice) -> None:
    users = get_user_model()._default_manager
    if users.filter(is_superuser=True).exists():
        return
    name = "admin"
    while users.filter(username=name).exists():
        name = f"admin-{secrets.token_hex(2)}"
    password = secrets.token_urlsafe(12)
    get_user_model().objects.create_superuser(username=name, email="", password=password)
    voice.say(f"Made the administrator {name!r} with the password {password}")
    voice.say(f"It is not shown again. `manage.py changepassword {name}` sets another.")


def _commands(address: local.Address, *, with_worker: bool) -> dict[str, Sequence[str]]:
    python = sys.executable
    web = [python, "-m", "granian", "config.wsgi:application", "--interface", "wsgi"]
    web += ["--host", address.host, "--port", str(address.port), "--http", "1", "--no-ws"]
    web += ["--workers", str(settings.WEB_WORKERS), "--workers-kill-timeout", "5"]
    web += ["--blocking-threads", str(settings.WEB_THREADS)]
    web += ["--backpressure", str(WEB_BACKPRESSURE), "--log-level", "warning"]
    web += ["--working-dir", str(BASE_DIR)]
    if not with_worker:
        return {"web": web}
    celery = [python, "-m", "celery", "-A", "config", "-q", "--workdir", str(BASE_DIR)]
    name = f"up-{os.getpid()}@%h"  # Several installations may share one machine.
    worker = [*celery, "worker", "--pool", "threads", "-n", name]
    worker += ["--concurrency", str(LEAST_CONCURRENCY)]
    return {"web": web, "worker": worker, "beat": [*celery, "beat"]}


class _Welcome:
    """Prints the addresses once the service answers."""

    def __init__(self, address: local.Address, voice: Voice) -> None:
        self._address = address
        self._voice = voice
        self._started_at = monotonic()
        self._is_told = False
        self._has_warned = False

    def tell_when_ready(self) -> None:
        if self._is_told:
            return
        if _is_ready(self._address.url):
            self._is_told = True
            self._voice.say("Ready:")
            for title, path in PAGES.items():
                self._voice.say(f"  {title:<10} {self._address.url}{path}")
            if self._address.url != settings.BASE_URL:
                self._voice.say(f"Published links start with {settings.BASE_URL}")
            self._voice.say("Ctrl-C stops everything.")
        elif not self._has_warned and monotonic() - self._started_at > SLOW_START_SECONDS:
            self._has_warned = True
            self._voice.say("Not ready after a minute. /readyz says what is missing; still trying.")


def _is_ready(url: str) -> bool:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
