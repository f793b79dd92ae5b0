"""A WebSub subscriber in one file, with the app `websub.subscriber`; see README.md beside it."""

import os
import sys

from django.conf import settings
from django.core.management import call_command
from django.urls import include, path

ADDRESS, TOPIC = sys.argv[1:]

settings.configure(
    SECRET_KEY=os.environ["SECRET_KEY"],
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["websub.subscriber"],
    USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "subscriber.sqlite3"}},
    WEBSUB_BASE_URL=ADDRESS,
    WEBSUB_ALLOWED_NETWORKS=["127.0.0.0/8"],  # Leave it out for topics on the internet.
)
urlpatterns = [path("callbacks/", include("websub.subscriber.urls"))]


def print_length(subscription, body, content_type, **kwargs):
    """Put the content into a queue of yours here."""
    print("Received", len(body), "bytes of", content_type, flush=True)


def subscribe():
    from websub.subscriber import content_received
    from websub.subscriber.services import subscribe

    content_received.connect(print_length)
    subscription = subscribe(TOPIC)
    subscription.refresh_from_db()
    print(subscription.last_error or "Subscribed", flush=True)


if __name__ == "__main__":
    import threading

    import django

    sys.modules["subscriber"] = sys.modules[__name__]
    django.setup()
    call_command("migrate", verbosity=0)
    threading.Timer(1, subscribe).start()  # Once the callback answers.
    call_command("runserver", ADDRESS.partition("://")[2], "--noreload")
