"""Protocol of analysers, and the built-in one.

The setting `INSIGHTS_ANALYSER` names the class. Its identity is `model_id`: with another one all
reviews are read again.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from insights.findings import Complaint
from review_analysis import MODEL
from review_analysis.analyser import Analyser
from review_analysis.ensemble import PolarityModel
from review_analysis.name_matching import Roster
from review_analysis.reading import Reading

Taxonomy = Mapping[str, Any]


class ReviewInput(NamedTuple):
    text: str  # Empty for stars alone.
    rating: int
    date: dt.date


class ReviewResult(NamedTuple):
    reading: Reading
    model: str  # Who read this one; an analyser may leave a review to another.
    complaints: tuple[Complaint, ...] = ()  # With labels that no taxonomy has.


class ReviewAnalyser(Protocol):
    """Made once in each process, and used by one thread at a time."""

    batch_size: int  # Reviews that are read together.
    batch_seconds: float  # What a batch may take at most.

    @property
    def model_id(self) -> str:
        """Name and version, with everything that can make a difference to a reading."""

    def left_today(self) -> int:
        """Reviews that it may read today, of those that it has left to the rules."""

    def analyse(
        self, batch: Sequence[ReviewInput], taxonomy: Taxonomy, roster: Roster
    ) -> list[ReviewResult]:
        """One result for each review of the batch, in its order."""


class RulesAnalyser:
    """Rules, a lexicon and a linear model; no network, the same results everywhere."""

    batch_size = 200
    batch_seconds = 20.0
    model_id = MODEL

    def __init__(self) -> None:
        self._compiled: tuple[Taxonomy, Roster, Analyser] | None = None
        self._second_model: PolarityModel | None = None

    def left_today(self) -> int:
        return 0

    def analyse(
        self, batch: Sequence[ReviewInput], taxonomy: Taxonomy, roster: Roster
    ) -> list[ReviewResult]:
        held = self._compiled
        if held is None or held[0] is not taxonomy or held[1] is not roster:
            held = self._compiled = taxonomy, roster, self.compiled(taxonomy, roster)
        analyser = held[2]
        return [
            ReviewResult(analyser.read(text, rating, date), self.model_id)
            for text, rating, date in batch
        ]

    def compiled(self, taxonomy: Taxonomy, roster: Roster) -> Analyser:
        """The analyser of a taxonomy and a roster, which reads review after review."""
        return Analyser(taxonomy, roster, self._second_model)
