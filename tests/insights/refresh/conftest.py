"""An observed analyser, and a record of announced datasets."""

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


class ObservedAnalyser(RulesAnalyser):
    """The built-in analyser, which records the texts that it reads."""

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
def observed_analyser(monkeypatch):
    analyser = ObservedAnalyser()
    monkeypatch.setattr(selectors, "analyser", lambda: analyser)
    monkeypatch.setattr(refreshing, "_code_digests_seen", set())
    return analyser
