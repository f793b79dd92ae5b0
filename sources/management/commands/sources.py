"""`manage.py sources`: list the sources, check one, or look at it and import what is new."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sources import services
from sources.models import SourceConnection, SourceRun
from sources.selectors import alarms, kind_label, waiting_runs


class Command(BaseCommand):
    help = "List the sources of reviews; with an action and an id, check or import one of them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "action",
            nargs="?",
            choices=["list", "check", "run"],
            default="list",
            help="list all; check one: look at it and show what would be imported; run one",
        )
        parser.add_argument("id", nargs="?", type=int, help="the number of the source in the list")

    def handle(self, *args: Any, action: str, **given: Any) -> None:
        if action == "list":
            self._list()
            return
        connection = SourceConnection.objects.filter(pk=given["id"]).first()
        if connection is None:
            raise CommandError("Name a source by its number in `manage.py sources list`.")
        known = set(connection.runs.values_list("pk", flat=True))
        last_look_at = connection.last_look_at
        services.run_now(connection, previews=action == "check")
        connection.refresh_from_db()
        found = connection.runs.exclude(pk__in=known).order_by("pk")
        if not found and connection.last_look_at == last_look_at:
            raise CommandError(f"The source was not looked at: {_obstacle(connection)}")
        self._tell(connection, found)
        if connection.last_error:
            raise CommandError(connection.last_error)

    def _list(self) -> None:
        rows = SourceConnection.objects.all()
        if not rows:
            self.stdout.write("There are no sources. Add one in the administration under Sources.")
        for connection in rows:
            looked = connection.last_look_at
            self.stdout.write(
                f"{connection.pk}  {connection.name} ({kind_label(connection)}), "
                f"{connection.get_state_display().lower()}, "
                f"{f'last look {looked:%Y-%m-%d %H:%M} UTC' if looked else 'never looked at'}"
                f"{f': {connection.last_error}' if connection.last_error else ''}"
            )
        for alarm in alarms():
            self.stdout.write(f"Alarm: {alarm.name}: {alarm.sentence}")
        for run in waiting_runs():
            self.stdout.write(f"Waits for approval: {run}: {run.reasons[0]}")

    def _tell(self, connection: SourceConnection, found: Any) -> None:
        if not found and not connection.last_error:
            self.stdout.write("Nothing new.")
        for run in found:
            self.stdout.write(_line(run))


def _line(run: SourceRun) -> str:
    counts = f"{run.rows} rows, {run.new} new, {run.changed} changed, {run.hidden} hidden"
    why = " ".join([*run.reasons, run.error]).strip()
    return f"{run.get_state_display()}: {counts}.{f' {why}' if why else ''}"


def _obstacle(connection: SourceConnection) -> str:
    if waiting_runs().filter(connection=connection).exists():
        return "a run waits for approval. Decide on it in the administration under Sources."
    return "a worker is busy with it. Try again in a moment."
