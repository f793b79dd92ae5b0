"""An analyser that is watched, and whether a dataset was announced."""

import pytest

from insights import refresh as refreshing
from insights import selectors
from insights.backends import ReviewResult, RulesAnalyser
from insights.signals import insights_refreshed


@pytest.fixture
def announced():
    heard = []

    def hear(**kwargs):
        heard.append(True)

    insights_refreshed.connect(hear)
    yield heard
    insights_refreshed.disconnect(hear)


class Watched(RulesAnalyser):
    """The built-in analyser, which tells what it was asked to read."""

    model_id = "watched/1"

    def __init__(self):
        super().__init__()
        self.read = []
        self.unreadable = ""
        self.before_reading = lambda: None

    def analyse(self, batch, taxonomy, roster):
        self.before_reading()
        if self.unreadable and any(self.unreadable in review.text for review in batch):
            raise RuntimeError("Beyond me.")
        self.read += [review.text for review in batch]
        results = super().analyse(batch, taxonomy, roster)
        return [ReviewResult(each.reading, self.model_id) for each in results]


@pytest.fixture
def watched(monkeypatch):
    analyser = Watched()
    monkeypatch.setattr(selectors, "analyser", lambda: analyser)
    monkeypatch.setattr(refreshing, "_code_digests_seen", set())
    return analyser
