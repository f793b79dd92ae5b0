from typing import Any

from django.core.management.base import BaseCommand, CommandError

from publishing import publisher


class Command(BaseCommand):
    help = "Bring every published document up to date. Does nothing when nothing is due."

    def handle(self, *args: Any, **options: Any) -> None:
        published = publisher.publish_due()
        for path in published:
            self.stdout.write(f"Published a new version of {path}")
        left = [state.spec.path for state in publisher.states() if state.is_outdated()]
        if left:
            raise CommandError(
                f"Not up to date: {', '.join(left)}. Another process is building them, or the log "
                "above says why they cannot be built; run the command again in a few seconds."
            )
        if not published:
            self.stdout.write("Every document is up to date.")
