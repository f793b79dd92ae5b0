"""A blog whose Atom feed is a topic: subscribed, verified, pushed, signed and unsubscribed."""

import hashlib
import hmac
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.guarded_http.tls import Authority
from tests.standalone.conftest import SERVICE_SETTINGS, Environment
from tests.websub.sinks import Sink, listening

pytestmark = pytest.mark.standalone

SECRET = "between the two of us"
SETTINGS = """
import os
SECRET_KEY = "k" * 50
BASE_URL = os.environ["BASE_URL"]
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "blog.urls"
INSTALLED_APPS = ["blog", "websub"]
USE_TZ = True
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": "blog.sqlite3",
        "OPTIONS": {"transaction_mode": os.environ.get("MODE", "IMMEDIATE"), "timeout": 20},
    }
}
WEBSUB_TOPICS = "blog.topics.topics"
WEBSUB_SWEEP_SECONDS = 1.0
WEBSUB_ALLOWED_NETWORKS = ["127.0.0.0/8"]
WEBSUB_CA_BUNDLE = os.environ["CA_BUNDLE"]
"""
MODELS = """
from django.db import models

class Post(models.Model):
    title = models.CharField(max_length=100)
"""
MIGRATION = """
from django.db import migrations, models

class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel(
            "Post",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("title", models.CharField(max_length=100)),
            ],
        )
    ]
"""
TOPICS = """
from django.conf import settings
from blog.models import Post

class Feed:
    url = f"{settings.BASE_URL}/feed.xml"
    media_type = "application/atom+xml"

    def version(self):
        return Post.objects.order_by("-pk").values_list("pk", flat=True).first() or 0

    def content(self):
        posts = list(Post.objects.order_by("-pk")[:20])
        entries = "".join(f"<entry><title>{post.title}</title></entry>" for post in posts)
        feed = f'<feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'
        return posts[0].pk if posts else 0, feed.encode()

def topics():
    return [Feed()]
"""
URLS = """
from django.http import HttpResponse
from django.urls import include, path
from blog.topics import Feed

def feed(request):
    return HttpResponse(Feed().content()[1], content_type=Feed.media_type)

urlpatterns = [path("feed.xml", feed), path("websub/", include("websub.urls"))]
"""
POST = """
import sys, django
django.setup()
import websub
from blog.models import Post
from blog.topics import Feed
Post.objects.create(title=sys.argv[1])
websub.notify(Feed.url)
"""


class Blog:
    """The foreign project, its server and its worker."""

    def __init__(self, project: Environment, port: int, bundle: str) -> None:
        self.project = project
        self.address = f"http://127.0.0.1:{port}"
        self.settings = {
            "DJANGO_SETTINGS_MODULE": "blog.settings",
            "PYTHONPATH": ".",
            "BASE_URL": self.address,
            "CA_BUNDLE": bundle,
        }

    def manage(self, *arguments: str, **values: str) -> str:
        return self.project.run("-m", "django", *arguments, **self.settings, **values)

    @contextmanager
    def started(self, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        kept = {name: value for name, value in os.environ.items() if name not in SERVICE_SETTINGS}
        with subprocess.Popen(
            [self.project.python, "-m", "django", *arguments],
            cwd=self.project.folder,
            env={**kept, **self.settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def write_post(self, title: str) -> None:
        self.project.run("post.py", title, **self.settings)

    def feed(self) -> bytes:
        with urlopen(f"{self.address}/feed.xml") as response:
            return response.read()

    def ask(self, mode: str, callback: str, **fields: str) -> int:
        fields = {"mode": mode, "callback": callback, "topic": f"{self.address}/feed.xml"} | fields
        form = urlencode({f"hub.{name}": value for name, value in fields.items()}).encode()
        try:
            with urlopen(Request(f"{self.address}/websub/hub", form)) as response:
                return response.status
        except HTTPError as refused:
            return refused.code


def wait_for(happened: Callable[[], object]) -> None:
    until = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.05)


@pytest.fixture
def sink(tmp_path) -> Iterator[tuple[Sink, str]]:
    authority = Authority.make(tmp_path)
    with listening(authority.context("127.0.0.1")) as sink:
        yield sink, authority.bundle


@pytest.fixture
def blog(installed, sink) -> Blog:
    project = installed("websub", with_ours=("guarded_http",))
    for name, content in (
        ("__init__", ""),
        ("settings", SETTINGS),
        ("models", MODELS),
        ("migrations/__init__", ""),
        ("migrations/0001_initial", MIGRATION),
        ("topics", TOPICS),
        ("urls", URLS),
    ):
        project.write(f"blog/{name}.py", content)
    project.write("post.py", POST)
    with socket.socket() as claim:
        claim.bind(("127.0.0.1", 0))
        port = claim.getsockname()[1]
    blog = Blog(project, port, sink[1])
    blog.manage("migrate", "-v0")
    return blog


def test_subscriber_of_a_blog_is_verified_pushed_and_unsubscribed(blog, sink):
    subscriber = sink[0]
    callback = subscriber.url()
    port = blog.address.rpartition(":")[2]
    server = blog.started("runserver", "--noreload", "--skip-checks", port)
    with server, blog.started("websub_worker") as worker:
        wait_for(lambda: _listens(int(port)))
        assert blog.ask("subscribe", "https://10.0.0.1/private") == 400
        assert blog.ask("subscribe", callback, secret=SECRET, lease_seconds="7200") == 202
        wait_for(lambda: subscriber.gets(callback, "subscribe"))

        blog.write_post("First")
        wait_for(lambda: subscriber.posts(callback))
        blog.write_post("Second")
        wait_for(lambda: len(subscriber.posts(callback)) == 2)

        assert blog.ask("unsubscribe", callback) == 202
        wait_for(lambda: subscriber.gets(callback, "unsubscribe"))
        other = subscriber.url()
        assert blog.ask("subscribe", other) == 202
        wait_for(lambda: subscriber.gets(other, "subscribe"))
        blog.write_post("Third")
        wait_for(lambda: subscriber.posts(other))
        feed = blog.feed()

        worker.send_signal(signal.SIGTERM)
        printed, _ = worker.communicate(timeout=20)

    query = subscriber.gets(callback, "subscribe")[0].query
    assert (query["hub.topic"], query["hub.lease_seconds"]) == (f"{blog.address}/feed.xml", "7200")
    first, second = subscriber.posts(callback)
    assert b"<title>First</title>" in first.body
    assert second.body.index(b"Second") < second.body.index(b"First")
    digest = hmac.new(SECRET.encode(), second.body, hashlib.sha256).hexdigest()
    assert second.headers["X-Hub-Signature"] == f"sha256={digest}"
    assert second.headers["Content-Type"] == "application/atom+xml"
    assert second.headers["Link"] == (
        f'<{blog.address}/websub/hub>; rel="hub", <{blog.address}/feed.xml>; rel="self"'
    )
    [third] = subscriber.posts(other)
    assert third.body == feed
    assert "X-Hub-Signature" not in third.headers
    assert worker.returncode == 0
    assert "The hub's worker has ended." in printed


def test_checks_tell_what_a_hub_is_missing(blog):
    found = blog.manage("shell", "-v0", "-c", CHECKED)
    with_deferred = blog.manage("shell", "-v0", "-c", CHECKED, MODE="DEFERRED")

    assert found.split() == ["websub.W001", "websub.W004"]
    assert with_deferred.split() == ["websub.W001", "websub.W004", "websub.W005"]


CHECKED = """
from django.core.checks import run_checks
found = run_checks(databases=["default"], include_deployment_checks=True)
print(*sorted(each.id for each in found if each.id.startswith("websub")))
"""


def _listens(port: int) -> bool:
    with closing(socket.socket()) as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
