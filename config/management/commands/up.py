"""`manage.py up`: from an empty folder to a running service, in one process tree."""

import datetime as dt
import os
import secrets
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from io import StringIO
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS, connections
from django.utils import timezone

from config.celery import LEAST_CONCURRENCY
from config.env import BASE_DIR
from config.run import local_environment, supervisor
from config.run.supervisor import OUTPUT_WIDTH, Plan, PrefixedOutput, wants_colour
from demo.loading import NEW_REVIEWS
from insights.services import refresh_few
from publishing.registry import registry
from reviews.models import Business, Review
from sources.connectors import folder
from sources.models import SourceConnection

# granian counts connections, idle ones too: a client beyond waits until another one leaves. Few
# enough for the 1024 open files that a process usually may have.
WEB_BACKPRESSURE = 512
READER = "reader"  # Without a worker, analyses the reviews that are due, and ends.


class Command(BaseCommand):
    help = "Prepare the database, load the demo into an empty one, and run web and worker."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port",
            type=local_environment.port_number,
            default=local_environment.DEFAULT_PORT,
            help="where to listen; the next free port is taken if this one is not (%(default)s)",
        )
        parser.add_argument(
            "--no-demo", action="store_true", help="leave an empty database without demo data"
        )
        parser.add_argument(
            "--no-worker", action="store_true", help="run the web server alone, no Celery"
        )

    def handle(self, *args: Any, port: int, no_demo: bool, no_worker: bool, **options: Any) -> None:
        installation = local_environment.prepare(["--port", str(port)])
        address = installation.address
        output = PrefixedOutput(sys.stdout, width=OUTPUT_WIDTH, coloured=wants_colour(sys.stdout))
        if address.port != address.wanted:
            output.write(f"Port {address.wanted} is taken; listening on {address.port} instead.")
        try:
            with local_environment.exclusive(settings.STATE_DIR / "setup.lock"):
                insights_follow = _set_up(output, with_demo=not no_demo)
        except KeyboardInterrupt:
            sys.exit(130)
        connections.close_all()
        commands = _commands(address, with_worker=not no_worker)
        if no_worker and not insights_follow:
            output.write("Many reviews are due for analysis; it goes on while pages are served.")
            commands[READER] = [sys.executable, str(BASE_DIR / "manage.py"), "refresh_insights"]
        installation.keep_open()
        # Celery's worker would check the project again, and keep 28 MB of what that loads.
        os.environ["CELERY_SKIP_CHECKS"] = "1"
        supervisor.replace_process(Plan(commands, [READER], address.url, _ready_lines(address)))


def _set_up(output: PrefixedOutput, *, with_demo: bool) -> bool:
    """Prepare the database; tell whether the insights follow the reviews.

    Many reviews are not analysed before anything is served.
    """
    call_command("migrate", verbosity=0)
    call_command("check", tags=[Tags.database], databases=[DEFAULT_DB_ALIAS], stdout=StringIO())
    _make_admin(output)
    if with_demo and not Business.objects.exists() and not Review.objects.exists():
        output.write("The database is empty: loading the demo.")
        # Yesterday has ended in every time zone in which the business may be.
        yesterday = timezone.now().date() - dt.timedelta(days=1)
        call_command("make_demo", end=yesterday.isoformat(), stdout=StringIO())
    insights_follow = refresh_few()
    call_command("publish_documents", stdout=StringIO())
    return insights_follow


def _make_admin(output: PrefixedOutput) -> None:
    users = get_user_model()._default_manager
    if users.filter(is_superuser=True).exists():
        return
    name = "admin"
    while users.filter(username=name).exists():
        name = f"admin-{secrets.token_hex(2)}"
    password = secrets.token_urlsafe(12)
    get_user_model().objects.create_superuser(username=name, email="", password=password)
    output.write(f"Made the administrator {name!r} with the password {password}")
    output.write(f"It is not shown again. `manage.py changepassword {name}` sets another.")


def _commands(address: local_environment.Address, *, with_worker: bool) -> dict[str, Sequence[str]]:
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
    worker = [*celery, "worker", "--pool", "threads", "--with-beat", "-n", name]
    worker += ["--concurrency", str(LEAST_CONCURRENCY)]
    return {"web": web, "worker": worker}


def _ready_lines(address: local_environment.Address) -> list[str]:
    found = _addresses()
    width = max(map(len, found))
    lines = [
        "Ready:",
        *(f"  {title:<{width}} {address.url}{path}" for title, path in found.items()),
    ]
    if address.url != settings.BASE_URL:
        lines.append(f"Published links start with {settings.BASE_URL}")
    if SourceConnection.objects.filter(kind=folder.CONNECTOR.name, state="active").exists():
        sample, inbox = (os.path.relpath(each) for each in (NEW_REVIEWS, settings.INBOX_DIR))
        lines.append(f"See reviews arrive: cp {shlex.quote(sample)} {shlex.quote(inbox)}")
    return [*lines, "Ctrl-C stops everything."]


def _addresses() -> dict[str, str]:
    return {
        "Home": "/",
        "Admin": "/admin/",
        **{spec.title: spec.path for spec in registry},
        "Search": "/api/reviews/search?min_rating=4&limit=5",
        "Assistants": "/developers/mcp",
        "Status": "/status",
        "Health": "/readyz",
    }
