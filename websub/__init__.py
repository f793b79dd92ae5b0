"""A WebSub hub for any topic, as a Django app; see README.md."""

__version__ = "1.0.0"


def notify(topic_url: str) -> None:
    """Have subscribers of the topic sent its newest content, once the transaction is committed.

    A lost call does no harm: the next sweep compares versions and delivers. Logs a warning for a
    URL that is none of the topics.
    """
    from websub.enqueue import deliver_topic  # noqa: PLC0415  (models load after the apps)

    deliver_topic(topic_url)
