"""Custom topics: their contract with the hub, and violations of it."""

import datetime as dt

import pytest
from django.contrib.syndication.views import Feed as SyndicationFeed
from django.http import HttpResponse
from django.urls import include, path
from django.utils.feedgenerator import Atom1Feed

import websub
from tests.websub.deliveries import deliver_all
from tests.websub.rows import make_subscription
from websub.cleanup import run_cleanup
from websub.middleware import hub_links
from websub.models import Subscription
from websub.syndication import FeedTopic
from websub.topics import versions

BLOG = "https://blog.example/feed.xml"


class Feed:
    """A topic of a foreign project with the required members."""

    url = BLOG
    media_type = "application/atom+xml"
    newest = 1

    def version(self) -> int:
        return self.newest

    def content(self) -> tuple[int, bytes]:
        return self.newest, f"<feed>{self.newest}</feed>".encode()


class Broken(Feed):
    url = "https://blog.example/broken.xml"

    def version(self) -> int:
        raise KeyError("no table of ours")


feed = Feed()


def blog_topic() -> list[Feed]:
    return [Broken(), feed]


def test_topic_of_other_project_is_delivered(db, sink, settings, monkeypatch):
    settings.WEBSUB_TOPICS = "tests.websub.test_topics.blog_topic"
    monkeypatch.setattr(feed, "newest", 7)
    callback = sink.url()
    make_subscription(callback=callback, topic=BLOG)

    assert deliver_all() == 1

    [post] = sink.posts(callback)
    assert post.body == b"<feed>7</feed>"
    assert post.headers["Content-Type"] == "application/atom+xml"
    assert post.headers["Link"].endswith(f'<{BLOG}>; rel="self"')
    assert Subscription.objects.get().acknowledged_version == 7


def test_topic_with_failing_version_is_logged_and_skipped(db, settings, caplog):
    settings.WEBSUB_TOPICS = "tests.websub.test_topics.blog_topic"

    assert versions() == {BLOG: 1}

    assert f"The version of {Broken.url} cannot be read" in caplog.text


# --- Feeds of django.contrib.syndication ----------------------------------------------------------

NEWS = "https://reviews.example/news/7/feed"
posts = {}


class News(SyndicationFeed):
    title, link, description = "News", "/news/", "News of the blog."

    def get_object(self, request, number):
        return number

    def items(self, number):
        return sorted(posts)

    def item_title(self, title):
        return title

    def item_link(self, title):
        return f"/news/{title}"


class DatedNews(News):
    feed_type = Atom1Feed

    def item_updateddate(self, title):
        return posts[title]


news = News()


def serve_news(request, **values):
    return news(request, **values)


urlpatterns = [
    path("news/<int:number>/feed", hub_links(serve_news)),
    path("other", hub_links(lambda request: HttpResponse("no topic"))),
    path("api/websub/", include("websub.urls")),
]


def feed_topics():
    return [FeedTopic(news, NEWS, number=7)]


@pytest.fixture
def feed_of(settings, monkeypatch):
    """Serve a class of feeds as the topic NEWS."""

    def feed_of(kind):
        settings.WEBSUB_TOPICS = "tests.websub.test_topics.feed_topics"
        settings.ALLOWED_HOSTS = ["reviews.example"]
        monkeypatch.setattr(f"{__name__}.news", kind())
        monkeypatch.setattr(f"{__name__}.posts", {"first": dt.datetime(2026, 5, 1, tzinfo=dt.UTC)})

    return feed_of


@pytest.mark.parametrize("kind", [News, DatedNews])
def test_feed_is_delivered_as_served_after_changes_only(  # noqa: PLR0917
    db, sink, feed_of, clock, kind, django_capture_on_commit_callbacks
):
    feed_of(kind)
    callback = sink.url()
    make_subscription(callback=callback, topic=NEWS, acknowledged_version=versions()[NEWS])
    clock.shift(10)
    run_cleanup()  # The feed without dates contains the current time.
    assert deliver_all() == 0

    posts["second"] = dt.datetime(2026, 5, 2, tzinfo=dt.UTC)
    with django_capture_on_commit_callbacks(execute=True):
        websub.notify(NEWS)
    deliver_all()
    del posts["first"]  # As after an unannounced change.
    run_cleanup()
    clock.shift(10)
    deliver_all()

    added, removed = sink.posts(callback)
    assert b"https://reviews.example/news/second" in added.body
    assert b"second" in removed.body
    assert b"first" not in removed.body
    assert added.headers["Content-Type"] == kind.feed_type.content_type


# --- Discovery ------------------------------------------------------------------------------------


def test_topic_response_names_hub_and_topic(db, feed_of, client, settings):
    settings.ROOT_URLCONF = __name__
    feed_of(DatedNews)

    answer = client.get("/news/7/feed", secure=True, headers={"host": "reviews.example"})

    hub = "https://reviews.example/api/websub/hub"
    assert answer["Link"] == f'<{hub}>; rel="hub", <{NEWS}>; rel="self"'
    run_cleanup()
    assert feed_topics()[0].content() == (1, answer.content)
    for other in ("/other", "/news/7/feed?page=2", "/news/8/feed"):
        assert "Link" not in client.get(other, secure=True, headers={"host": "reviews.example"})
