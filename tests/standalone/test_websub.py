"""A blog whose feed is a topic, and a reader that follows it: two foreign projects."""

import hashlib
import hmac
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.guarded_http.tls import Authority
from tests.processes import reserved_port
from tests.standalone.conftest import Environment
from tests.waiting import wait_until
from tests.websub.sinks import Sink, start_sink

pytestmark = pytest.mark.standalone

SECRET = "between the two of us"
SETTINGS = """
import os
SECRET_KEY = "k" * 50
WEBSUB_BASE_URL = os.environ["BASE_URL"]
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "blog.urls"
INSTALLED_APPS = ["blog", "websub"]
MIDDLEWARE = ["websub.middleware.HubLinkMiddleware"]
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
WEBSUB_ALLOW_HTTP = True
WEBSUB_CA_BUNDLE = os.environ.get("CA_BUNDLE", "")
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
from datetime import UTC, datetime
from django.conf import settings
from django.contrib.syndication.views import Feed
from django.utils.feedgenerator import Atom1Feed
from blog.models import Post
from websub.syndication import FeedTopic

URL = f"{settings.WEBSUB_BASE_URL}/feed.xml"

class LatestPosts(Feed):
    feed_type = Atom1Feed
    title, link = "Blog", "/"

    def items(self):
        return Post.objects.order_by("-pk")[:20]

    def item_title(self, post):
        return post.title

    def item_link(self, post):
        return f"/{post.pk}"

    def item_updateddate(self, post):
        return datetime(2026, 1, post.pk, tzinfo=UTC)

def topics():
    return [FeedTopic(LatestPosts(), URL)]
"""
URLS = """
from django.urls import include, path
from blog.topics import LatestPosts

urlpatterns = [path("feed.xml", LatestPosts()), path("websub/", include("websub.urls"))]
"""
POST = """
import sys, django
django.setup()
import websub
from blog.models import Post
from blog.topics import URL
Post.objects.create(title=sys.argv[1])
websub.notify(URL)
"""
SERVERS = """
import os
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application
asgi, wsgi = get_asgi_application(), get_wsgi_application()
"""
READER = """
import os
SECRET_KEY = "r" * 50
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "reader.urls"
INSTALLED_APPS = ["websub.subscriber"]
USE_TZ = True
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "reader.sqlite3"}}
WEBSUB_BASE_URL = os.environ["BASE_URL"]
WEBSUB_ALLOWED_NETWORKS = ["127.0.0.0/8"]
"""
READER_URLS = """
from django.dispatch import receiver
from django.urls import include, path
from websub.subscriber import content_received

@receiver(content_received)
def store(subscription, body, **kwargs):
    with open("received.xml", "ab") as file:
        file.write(body)

urlpatterns = [path("callbacks/", include("websub.subscriber.urls"))]
"""
FOLLOW = """
from websub.subscriber.services import {0}
{0}("{1}")
"""


class Project:
    """A foreign project, its server and its worker."""

    def __init__(self, name: str, project: Environment, port: int, bundle: str) -> None:
        self.project = project
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self.settings = {
            "DJANGO_SETTINGS_MODULE": f"{name}.settings",
            "PYTHONPATH": ".",
            "BASE_URL": self.address,
            "CA_BUNDLE": bundle,
        }

    def manage(self, *arguments: str, **values: str) -> str:
        return self.project.run("-m", "django", *arguments, **self.settings, **values)

    def started(
        self, *arguments: str, port: int | None = None
    ) -> AbstractContextManager[subprocess.Popen[str]]:
        return self.project.started("-m", *arguments, port=port, **self.settings)

    def serving(self, *server: str) -> AbstractContextManager[subprocess.Popen[str]]:
        command = server or ("django", "runserver", "--noreload", "--skip-checks", str(self.port))
        return self.started(*command, port=self.port)

    def write_post(self, title: str) -> None:
        self.project.run("post.py", title, **self.settings)

    def ask(self, mode: str, callback: str, **fields: str) -> int:
        fields = {"mode": mode, "callback": callback, "topic": f"{self.address}/feed.xml"} | fields
        form = urlencode({f"hub.{name}": value for name, value in fields.items()}).encode()
        try:
            with urlopen(Request(f"{self.address}/websub/hub", form)) as response:
                return response.status
        except HTTPError as refused:
            return refused.code


@pytest.fixture
def sink(tmp_path) -> Iterator[tuple[Sink, str]]:
    authority = Authority.make(tmp_path)
    with start_sink(authority.context("127.0.0.1")) as sink:
        yield sink, authority.bundle


@pytest.fixture
def projects(installed, sink) -> tuple[Project, Project]:
    """Create the blog, and a reader with the subscriber alone."""
    project = installed("websub", "gunicorn", "uvicorn", with_ours=("guarded_http",))
    for name, content in (
        ("blog/settings", SETTINGS),
        ("blog/models", MODELS),
        ("blog/migrations/__init__", ""),
        ("blog/migrations/0001_initial", MIGRATION),
        ("blog/topics", TOPICS),
        ("blog/urls", URLS),
        ("post", POST),
        ("servers", SERVERS),
        ("reader/settings", READER),
        ("reader/urls", READER_URLS),
    ):
        project.write(f"{name}.py", content)
    with reserved_port() as first, reserved_port() as second:
        ports = first, second
    blog = Project("blog", project, ports[0], sink[1])
    reader = Project("reader", project, ports[1], "")
    for each in (blog, reader):
        each.manage("migrate", "-v0")
    return blog, reader


@pytest.fixture
def blog(projects) -> Project:
    return projects[0]


def test_subscriber_of_blog_is_verified_pushed_and_unsubscribed(blog, sink):
    subscriber = sink[0]
    callback = subscriber.url()
    with blog.serving(), blog.started("django", "websub_worker") as worker:
        assert blog.ask("subscribe", "https://10.0.0.1/private") == 400
        assert blog.ask("subscribe", callback, secret=SECRET, lease_seconds="7200") == 202
        wait_until(lambda: subscriber.gets(callback, "subscribe"))

        blog.write_post("First")
        wait_until(lambda: subscriber.posts(callback))
        blog.write_post("Second")
        wait_until(lambda: len(subscriber.posts(callback)) == 2)

        assert blog.ask("unsubscribe", callback) == 202
        wait_until(lambda: subscriber.gets(callback, "unsubscribe"))
        other = subscriber.url()
        assert blog.ask("subscribe", other) == 202
        wait_until(lambda: subscriber.gets(other, "subscribe"))
        blog.write_post("Third")
        wait_until(lambda: subscriber.posts(other))
        with urlopen(f"{blog.address}/feed.xml") as response:
            feed, link = response.read(), response.headers["Link"]

        worker.send_signal(signal.SIGTERM)
        printed, _ = worker.communicate(timeout=20)

    query = subscriber.gets(callback, "subscribe")[0].query
    assert (query["hub.topic"], query["hub.lease_seconds"]) == (f"{blog.address}/feed.xml", "7200")
    first, second = subscriber.posts(callback)
    assert b"<title>First</title>" in first.body
    assert second.body.index(b"Second") < second.body.index(b"First")
    digest = hmac.new(SECRET.encode(), second.body, hashlib.sha256).hexdigest()
    assert second.headers["X-Hub-Signature"] == f"sha256={digest}"
    assert second.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    assert (
        second.headers["Link"]
        == link
        == (f'<{blog.address}/websub/hub>; rel="hub", <{blog.address}/feed.xml>; rel="self"')
    )
    [third] = subscriber.posts(other)
    assert third.body == feed
    assert "X-Hub-Signature" not in third.headers
    assert worker.returncode == 0
    assert "The hub's worker has ended." in printed


def test_reader_without_hub_follows_blog(projects):
    blog, reader = projects
    received = reader.project.folder / "received.xml"
    feed = f"{blog.address}/feed.xml"
    with blog.serving(), reader.serving(), blog.started("django", "websub_worker"):
        reader.manage("shell", "-v0", "-c", FOLLOW.format("subscribe", feed))
        shown = "from websub.subscriber.models import Subscription as S; print(S.objects.values())"
        wait_until(lambda: "'last_error': ''" in reader.manage("shell", "-v0", "-c", shown))
        blog.write_post("First")
        wait_until(received.exists)
        reader.manage("shell", "-v0", "-c", FOLLOW.format("unsubscribe", feed))
        wait_until(lambda: reader.manage("shell", "-v0", "-c", shown).strip() == "<QuerySet []>")

    assert b"<title>First</title>" in received.read_bytes()
    assert reader.manage("renew_subscriptions").strip() == "0 requests were sent."
    assert "no issues" in reader.manage("check")


@pytest.mark.parametrize(
    "server",
    [
        ("gunicorn", "servers:wsgi", "--bind"),
        ("uvicorn", "servers:asgi", "--port"),
        ("uvicorn", "servers:wsgi", "--interface", "wsgi", "--port"),
    ],
)
def test_chunked_request_is_accepted_if_server_ends_it(blog, server):
    port = str(blog.port)
    address = f"127.0.0.1:{port}" if server[0] == "gunicorn" else port
    form = {"mode": "subscribe", "callback": "http://127.0.0.1:9999/", "topic": ""}
    form["topic"] = f"{blog.address}/feed.xml"
    body = urlencode({f"hub.{name}": value for name, value in form.items()}).encode()
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    with blog.serving(*server, address):
        request = Request(f"{blog.address}/websub/hub", iter([body[:9], body[9:]]), kind)
        try:
            status = urlopen(request).status
        except HTTPError as refused:
            status = refused.code

    # uvicorn's WSGI does not declare that it ends a body.
    assert status == (411 if "wsgi" in server else 202)


def test_checks_name_missing_parts_of_hub(blog):
    found = blog.manage("shell", "-v0", "-c", CHECKED)
    with_deferred = blog.manage("shell", "-v0", "-c", CHECKED, MODE="DEFERRED")

    assert found.split() == ["websub.W001", "websub.W004"]
    assert with_deferred.split() == ["websub.W001", "websub.W004", "websub.W005"]


CHECKED = """
from django.core.checks import run_checks
found = run_checks(databases=["default"], include_deployment_checks=True)
print(*sorted(each.id for each in found if each.id.startswith("websub")))
"""
