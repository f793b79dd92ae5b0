"""A WebSub subscriber in one file, with the app `websub.subscriber`; see README.md beside it."""

import os
import sys
import threading

import django
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
urlpatterns: list[object] = []


def print_length(body: bytes, content_type: str, **kwargs: object) -> None:
    print("Received", len(body), "bytes of", content_type, flush=True)  # Enqueue them here.


if __name__ == "__main__":
    django.setup()
    from websub.subscriber import content_received, services

    urlpatterns.append(path("callbacks/", include("websub.subscriber.urls")))
    content_received.connect(print_length)
    call_command("migrate", verbosity=0)
    threading.Timer(1, services.subscribe, [TOPIC]).start()  # Once the callback can answer.
    call_command("runserver", ADDRESS.partition("://")[2], use_reloader=False)
