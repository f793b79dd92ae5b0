"""A language model simulated by a test, instead of the rules."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from insights import selectors
from insights.llm import client
from tests.insights.llm.chat_server import ChatServer


@pytest.fixture
def language_model(monkeypatch) -> Iterator[ChatServer]:
    """Start the model server that the settings name as the analyser."""
    monkeypatch.setattr(client.time, "sleep", lambda seconds: None)
    with (
        ChatServer() as running,
        override_settings(
            INSIGHTS_ANALYSER="insights.llm.ChatAnalyser",
            INSIGHTS_CHAT_URL=running.url,
            INSIGHTS_CHAT_KEY="the-key",
            INSIGHTS_CHAT_MODEL="small",
            INSIGHTS_CHAT_REVIEWS_PER_DAY=100,
            INSIGHTS_CHAT_TOKENS_PER_DAY=100_000,
        ),
    ):
        selectors.analyser.cache_clear()
        yield running
        selectors.analyser.cache_clear()
