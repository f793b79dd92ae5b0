"""`manage.py up`: prepare the database, and run web and worker in one process tree."""

import datetime as dt
import http.client
import os
import secrets
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from io import StringIO
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from celery.beat import Scheduler, Service
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.checks import Tags
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS, connections
from django.urls import get_resolver
from django.utils import timezone

from config import env, run
from config.celery import MIN_CONCURRENCY, app
from demo.loading import NEW_REVIEWS
from insights.services import refresh_few
from publishing.registry import registry
from reviews.models import Business, Review
from sources.connectors import folder
from sources.models import SourceConnection

# Maximum number of connections, including idle ones. Further clients wait. It stays below the usual
# limit of 1024 open files.
WEB_BACKPRESSURE = 512


class Command(BaseCommand):
    help = "Prepare the database, load the demo into an empty one, and run web and worker."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port",
            type=run.port_number,
            default=run.DEFAULT_PORT,
            help="where to listen; the next free port is taken if this one is not (%(default)s)",
        )
        parser.add_argument(
            "--no-demo", action="store_true", help="leave an empty database without demo data"
        )
        parser.add_argument(
            "--no-worker", action="store_true", help="run the web server alone, no Celery"
        )

    def handle(self, *args: Any, port: int, no_demo: bool, no_worker: bool, **options: Any) -> None:
        address = run.prepare(port)
        if address.port != port:
            run.write(f"Port {port} is taken; listening on {address.port} instead.")
        with run.exclusive(settings.STATE_DIR / "setup.lock"):
            _run_forked(partial(_set_up, with_demo=not no_demo))
        children = [run.Child("web", lambda: _run_web(address))]
        if not no_worker:
            children.append(run.Child("worker", _run_worker))
        lines = _ready_lines(address)

        confirmed = env.confirmed_address()

        def on_tick() -> None:
            if lines and _is_ready(address):
                run.write("\n".join(lines))
                lines.clear()
            if env.MAY_CONFIRM_ADDRESS and env.confirmed_address() != confirmed:
                raise run.RestartNeeded

        # Load before the fork what both processes need, but do not share connections.
        get_resolver().url_patterns  # noqa: B018
        app.loader.import_default_modules()
        connections.close_all()
        try:
            run.Supervisor(*children).run(on_tick)
        except run.RestartNeeded:
            run.restart()


def _run_web(address: run.Address) -> None:
    from granian.cli import cli  # noqa: PLC0415

    web = ["config.wsgi:application", "--interface", "wsgi", "--http", "1", "--no-ws"]
    web += ["--host", address.host, "--port", str(address.port), "--log-level", "warning"]
    web += ["--workers", str(settings.WEB_WORKERS), "--workers-kill-timeout", "5"]
    web += ["--blocking-threads", str(settings.WEB_THREADS)]
    web += ["--backpressure", str(WEB_BACKPRESSURE)]
    cli(web, auto_envvar_prefix="GRANIAN")


def _run_worker() -> None:
    # Celery would run the system checks again, which load 28 MB.
    os.environ["CELERY_SKIP_CHECKS"] = "1"
    name = f"up-{os.getpid()}@%h"  # Several installations may share one machine.
    # Celery's `--beat` would fork the scheduler, which takes as much memory as the worker. The
    # default scheduler class would store a file in the working folder.
    beat = Service(app, scheduler_cls=Scheduler)  # type: ignore[arg-type]  # Not in its stubs.
    Thread(target=beat.start, name="beat", daemon=True).start()
    worker = ["-q", "worker", "--pool", "threads", "-n", name]
    app.start([*worker, "--concurrency", str(MIN_CONCURRENCY)])


def _run_forked(work: Callable[[], object]) -> None:
    """Run `work` in a forked process, whose end frees its memory."""
    try:
        if not (process := os.fork()):
            work()
            sys.exit()  # Like an error, this ends the forked process at the end of the command.
        _, status = os.waitpid(process, 0)
    except KeyboardInterrupt:
        sys.exit(130)
    if status:
        sys.exit(1)


def _set_up(*, with_demo: bool) -> None:
    call_command("migrate", verbosity=0)
    call_command("check", tags=[Tags.database], databases=[DEFAULT_DB_ALIAS], stdout=StringIO())
    _make_admin()
    if with_demo and not Business.objects.exists() and not Review.objects.exists():
        run.write("The database is empty: loading the demo.")
        # Yesterday by UTC is not in the future in any time zone.
        yesterday = timezone.now().date() - dt.timedelta(days=1)
        call_command("make_demo", end=yesterday.isoformat(), stdout=StringIO())
    if not refresh_few():  # Analysing many reviews would delay the start.
        advice = "by the worker, or by `manage.py refresh_insights`"
        run.write(f"Many reviews are due for analysis: they are read {advice}.")
    call_command("publish_documents", stdout=StringIO())


def _make_admin() -> None:
    users = User.objects
    if users.filter(is_superuser=True).exists():
        return
    name = "admin"
    while users.filter(username=name).exists():
        name = f"admin-{secrets.token_hex(2)}"
    given = env.text("ADMIN_PASSWORD")
    password = given or secrets.token_urlsafe(12)
    try:
        validate_password(password, users.model(username=name))
    except ValidationError as error:
        env.refuse("ADMIN_PASSWORD", f"is too weak ({' '.join(error.messages)})", "Set another.")
    users.create_superuser(username=name, email="", password=password)
    if given:
        run.write(f"Made the administrator {name!r} with the password of ADMIN_PASSWORD")
        return
    run.write(f"Made the administrator {name!r} with the password {password}")
    run.write(f"It is not shown again. `manage.py changepassword {name}` sets another.")


def _is_ready(address: run.Address) -> bool:
    connection = http.client.HTTPConnection(urlsplit(address.url).netloc, timeout=2)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _ready_lines(address: run.Address) -> list[str]:
    found = _addresses()
    width = max(map(len, found))
    lines = [
        "Ready:",
        *(f"  {title:<{width}} {address.url}{path}" for title, path in found.items()),
    ]
    if address.url != settings.BASE_URL:
        lines.append(f"Published links start with {settings.BASE_URL}")
    if env.MAY_CONFIRM_ADDRESS and not env.confirmed_address():
        lines.append(
            f"BASE_URL is not set: published links start with {settings.BASE_URL}, and every host "
            "name is answered. Sign in to the administration under the public address and confirm "
            "it there, or set BASE_URL=https://reviews.example.com."
        )
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
