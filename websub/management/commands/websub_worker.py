"""`manage.py websub_worker`: the hub's worker for projects without Celery."""

import signal
from typing import Any

from django.core.management.base import BaseCommand

from websub.worker import Worker


class Command(BaseCommand):
    help = (
        "Verify requests, deliver new versions and clean up, until SIGTERM or Ctrl-C. "
        "Needs no Celery; several may run."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        worker = Worker()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: worker.stop())
        self.stdout.write("The hub's worker runs; SIGTERM or Ctrl-C ends it.")
        self.stdout.flush()
        worker.run()
        self.stdout.write("The hub's worker has ended.")
