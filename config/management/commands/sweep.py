"""`manage.py sweep`: do everything that is due, without worker, scheduler or broker."""

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand

import notifications.tasks
from insights.services import refresh_few
from publishing import publisher
from sources import polling, replies, runs
from sources.tasks import follow_batches
from websub import clock, delivery, dispatcher, verification
from websub.claims import FAST, SLOW
from websub.cleanup import run_cleanup

MAX_RUNS = 100  # Of one queue. A queue that fills faster needs a worker.


class Command(BaseCommand):
    help = (
        "Publish, verify, deliver and tidy up whatever is due, as the worker does every few "
        "seconds; insights of many reviews are left to `refresh_insights`. Does nothing when "
        "nothing is due."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        if not self._process_due():
            self.stdout.write("Nothing was due.")

    def _process_due(self) -> bool:
        began = clock.now()
        arrived = follow_batches() + runs.import_stored() + polling.poll_due()
        refresh_few()
        published = publisher.publish_due()
        for path in published:
            self.stdout.write(f"Published a new version of {path}")
        cleaned = run_cleanup()
        counts = {
            "looks at sources and imports from them": arrived,
            "replies were tried": replies.send_due(),
            "subscriptions have expired and were removed": cleaned.expired,
            "requests could not be verified in time": cleaned.timed_out,
            "old log entries were deleted": cleaned.deleted,
            "deliveries were tried": _run(lambda: delivery.deliver(FAST, since=began)),
            "deliveries were tried in the slow queue": _run(
                lambda: delivery.deliver(SLOW, since=began)
            ),
            # After the deliveries, which may end subscriptions.
            "callbacks were verified, or informed of an end": _run(verification.verify),
            # At the end, since they report failures of the steps before.
            "messages to webhooks and people were tried": notifications.tasks.record_and_deliver(),
        }
        for what, count in counts.items():
            if count:
                self.stdout.write(f"{count} {what}")
        return bool(published) or any(counts.values())


def _run(work: Callable[[], dispatcher.RunResult]) -> int:
    processed = 0
    for _ in range(MAX_RUNS):
        run = work()
        processed += run.processed
        if not run.is_cut_short:
            break
    return processed
