from typing import Any

from django.core.management.base import BaseCommand

from websub.subscriber.services import renew


class Command(BaseCommand):
    help = "Renew subscriptions at hubs and repeat failed requests. Run it every few minutes."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{renew()} requests were sent.")
