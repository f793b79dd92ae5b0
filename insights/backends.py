"""Protocol of analysers, and the built-in analyser.

The setting `INSIGHTS_ANALYSER` names the class. If its `model_id` changes, all reviews are analysed
again.
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
    text: str  # Empty for a rating without words.
    rating: int
    date: dt.date


class ReviewResult(NamedTuple):
    reading: Reading
    model: str  # Model of this result, since an analyser may fall back to another.
    complaints: tuple[Complaint, ...] = ()  # Complaints that the taxonomy lacks.


class ReviewAnalyser(Protocol):
    """An analyser. Each process creates one, and uses it in one thread at a time."""

    batch_size: int  # Reviews.
    batch_seconds: float  # Longest time of a batch.

    @property
    def model_id(self) -> str:
        """Name, version and settings that can change a result."""

    def remaining_today(self) -> int:
        """Number of reviews that its daily budget still allows."""

    def analyse(
        self, batch: Sequence[ReviewInput], taxonomy: Taxonomy, roster: Roster
    ) -> list[ReviewResult]:
        """Return the results in the order of the batch."""


class RulesAnalyser:
    """Analyse by rules, a lexicon and a linear model, with the same results everywhere."""

    batch_size = 200
    batch_seconds = 20.0
    model_id = MODEL

    def __init__(self) -> None:
        self._compiled: tuple[Taxonomy, Roster, Analyser] | None = None
        self._second_model: PolarityModel | None = None

    def remaining_today(self) -> int:
        return 0

    def analyse(
        self, batch: Sequence[ReviewInput], taxonomy: Taxonomy, roster: Roster
    ) -> list[ReviewResult]:
        compiled = self._compiled
        if compiled is None or compiled[0] is not taxonomy or compiled[1] is not roster:
            compiled = self._compiled = taxonomy, roster, self.compile(taxonomy, roster)
        analyser = compiled[2]
        return [
            ReviewResult(analyser.read(text, rating, date), self.model_id)
            for text, rating, date in batch
        ]

    def compile(self, taxonomy: Taxonomy, roster: Roster) -> Analyser:
        return Analyser(taxonomy, roster, self._second_model)
