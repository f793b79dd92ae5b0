"""`manage.py demo_subscriber`: see subscribe, verify and push from the subscriber's side."""

import http.client
import secrets
import signal
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.core.management.base import BaseCommand, CommandError

from websub import conf
from websub.addresses import is_this_machine
from websub.demo_certificates import make_certificate
from websub.demo_subscriber import Listener, PortTaken, Subscriber
from websub.protocol import FORM

VERIFIED_WITHIN_SECONDS = 20.0
UNSUBSCRIBED_WITHIN_SECONDS = 8.0


class Command(BaseCommand):
    help = (
        "Subscribe to a topic of the installation on this machine and say what the hub sends. "
        "Ctrl-C unsubscribes."
    )
    requires_system_checks = ()

    # A project may tell more of itself in a command of the same name.
    documentation = "the README of websub"
    topic = "/feed.xml"
    change = ""
    start = "manage.py runserver"

    def remedy(self, authority: Path) -> str:
        """The sentence for a hub that does not trust this subscriber."""
        return (
            "Let the hub trust this machine, and it alone, in the settings:\n"
            f'  HUB_CA_BUNDLE = "{authority}"\n  HUB_ALLOW_NETS = ["127.0.0.0/8"]'
        )

    def worker(self) -> str:
        return "run Celery's, or `manage.py websub_worker`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--topic", default=self.topic, help="URL or path of the topic (%(default)s)"
        )
        parser.add_argument(
            "--secret", help="for signatures; made at random unless given, '' for none"
        )
        parser.add_argument(
            "--port", type=int, default=0, help="where to listen on 127.0.0.1; 0 takes a free one"
        )

    def handle(self, *args: Any, topic: str, secret: str | None, port: int, **options: Any) -> None:
        base_url = conf.get("BASE_URL")
        if not is_this_machine(urlsplit(base_url).hostname or ""):
            raise CommandError(
                f"BASE_URL is {base_url}. The demo subscriber is for an installation at a "
                f"loopback address; {self.documentation} shows how to subscribe to a public one."
            )
        files = make_certificate(Path(conf.get("STATE_DIR")))
        remedy = self.remedy(files.authority.absolute())
        subscriber = Subscriber(
            topic=topic if "://" in topic else f"{base_url}/{topic.removeprefix('/')}",
            secret=secrets.token_urlsafe(24) if secret is None else secret,
            say=self._say,
        )
        try:
            listener = Listener(subscriber, files.certificate, port)
        except PortTaken as taken:
            raise CommandError(f"{taken} Choose another --port, or leave it out.") from None
        listener.start()
        with _stop_signal() as stop:
            try:
                self._subscribe(listener, stop, remedy)
                stop.wait()
                self._unsubscribe(listener)
            finally:
                listener.shutdown()
                listener.server_close()

    def _subscribe(self, listener: Listener, stop: threading.Event, remedy: str) -> None:
        subscriber = listener.subscriber
        self._say(f"Asking the hub for {subscriber.topic}, to be sent to {listener.callback}")
        subscriber.wanted = "subscribe"
        status, sentence = self._request("subscribe", listener)
        if status != 202:
            needs_trust = "public internet" in sentence
            raise CommandError(
                f"The hub refused with {status}: {sentence}"
                + (f"\n{remedy}" if needs_trust else "")
            )
        self._say("The hub answered 202 and will verify that we mean it.")
        subscriber.answered.set()
        waited = 0.0
        while not subscriber.confirmed.wait(0.1) and not stop.is_set():
            waited += 0.1
            if subscriber.has_refused_us.is_set():
                raise CommandError(f"The hub does not trust our certificate.\n{remedy}")
            if waited > VERIFIED_WITHIN_SECONDS:
                raise CommandError(
                    f"The hub did not come back to verify. Its worker does that: {self.worker()}"
                )
        if not stop.is_set():
            self._say(f"Waiting for changes; Ctrl-C unsubscribes.{self.change}")

    def _unsubscribe(self, listener: Listener) -> None:
        subscriber = listener.subscriber
        self._say("Unsubscribing.")
        subscriber.confirmed.clear()
        subscriber.wanted = "unsubscribe"
        try:
            status, sentence = self._request("unsubscribe", listener)
        except CommandError as gone:
            self._say(f"{gone} The hub will give up on us by itself.")
            return
        if status != 202:
            self._say(f"The hub refused with {status}: {sentence}")
        elif subscriber.confirmed.wait(UNSUBSCRIBED_WITHIN_SECONDS):
            self._say("Unsubscribed.")
        else:
            self._say("The hub did not come back to verify; it will give up on us by itself.")

    def _request(self, mode: str, listener: Listener) -> tuple[int, str]:
        """Status and sentence of the hub for a request (WebSub 5.1)."""
        subscriber = listener.subscriber
        fields = {
            "hub.mode": mode,
            "hub.topic": subscriber.topic,
            "hub.callback": listener.callback,
        }
        if subscriber.secret and mode == "subscribe":
            fields["hub.secret"] = subscriber.secret
        hub = urlsplit(conf.hub_url())
        kind = http.client.HTTPSConnection if hub.scheme == "https" else http.client.HTTPConnection
        connection = kind(hub.netloc, timeout=10)
        try:
            connection.request("POST", hub.path, urlencode(fields), {"Content-Type": FORM})
            response = connection.getresponse()
            return response.status, response.read(10_000).decode(errors="replace").strip()
        except (OSError, http.client.HTTPException) as error:
            raise CommandError(
                f"No answer from {conf.get('BASE_URL')}: {error}. Is `{self.start}` running?"
            ) from None
        finally:
            connection.close()

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


@contextmanager
def _stop_signal() -> Iterator[threading.Event]:
    """Set by Ctrl-C and SIGTERM."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # Signals belong to the main thread.
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: stop.set()) for number in numbers]
    try:
        yield stop
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
