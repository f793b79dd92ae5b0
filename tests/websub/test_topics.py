"""Topics of a project: their contract with the hub, and what happens where they break it."""

from tests.websub.deliveries import deliver_all
from tests.websub.rows import make_subscription
from websub.cleanup import sweep
from websub.models import Subscription
from websub.topics import versions

BLOG = "https://blog.example/feed.xml"


class Feed:
    """A topic of a foreign project, with the members that the contract asks for."""

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


def of_a_blog() -> list[Feed]:
    return [Broken(), feed]


def test_topic_of_another_project_is_delivered(db, sink, settings, monkeypatch):
    settings.WEBSUB_TOPICS = "tests.websub.test_topics.of_a_blog"
    monkeypatch.setattr(feed, "newest", 7)
    callback = sink.url()
    make_subscription(callback=callback, topic=BLOG)

    assert deliver_all() == 1

    [post] = sink.posts(callback)
    assert post.body == b"<feed>7</feed>"
    assert post.headers["Content-Type"] == "application/atom+xml"
    assert post.headers["Link"].endswith(f'<{BLOG}>; rel="self"')
    assert Subscription.objects.get().acknowledged_version == 7


def test_topic_whose_version_cannot_be_read_is_logged_and_left_out(db, settings, caplog):
    settings.WEBSUB_TOPICS = "tests.websub.test_topics.of_a_blog"

    assert versions() == {BLOG: 1}

    assert f"The version of {Broken.url} cannot be read" in caplog.text


def test_version_that_falls_is_logged_once_and_delivers_nothing(db, sink, settings, caplog):
    settings.WEBSUB_TOPICS = "tests.websub.test_topics.of_a_blog"
    callback = sink.url()
    make_subscription(callback=callback, topic=BLOG, acknowledged_version=3)

    assert deliver_all() == 0
    sweep()
    sweep()

    assert sink.posts(callback) == []
    warned = [line for line in caplog.messages if "has fallen to 1" in line]
    assert len(warned) == 1
