"""`manage.py demo_subscriber` in the words of this service."""

from pathlib import Path

from django.conf import settings

from websub.management.commands import demo_subscriber


class Command(demo_subscriber.Command):
    topic = "/reviews.json"
    documentation = "docs/subscribers.md"
    start = "make up"
    change = (
        " To make one, run in another shell:\n"
        "  .venv/bin/python manage.py add_review --rating 5 --text 'On time.'"
    )

    def remedy(self, authority: Path) -> str:
        return (
            "Start the installation so that its hub trusts this machine, and it alone:\n"
            f"  HUB_CA_BUNDLE={authority} HUB_ALLOW_NETS=127.0.0.0/8 make up"
        )

    def worker(self) -> str:
        return f"{settings.BASE_URL}/status tells whether one is at work."
