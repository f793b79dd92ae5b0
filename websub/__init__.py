"""A WebSub hub for any topic, as a Django app; see README.md."""

__version__ = "1.0.0"


def notify(topic_url: str) -> None:
    """Deliver the topic's newest content to its subscribers after the commit.

    A lost call does no harm: the next sweep compares versions and delivers. Logs a warning if the
    hub has no such topic.
    """
    from websub.enqueue import deliver_topic  # noqa: PLC0415  (models load after the apps)

    deliver_topic(topic_url)
