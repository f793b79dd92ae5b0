"""The built-in analyser, stuck after its first batch, for runs that a test kills."""

import time
from collections.abc import Sequence

from insights.backends import ReviewInput, ReviewResult, RulesAnalyser, Taxonomy
from review_analysis.name_matching import Roster

STUCK_SECONDS = 120  # Longer than a test waits for the first batch.


class StuckAnalyser(RulesAnalyser):
    """Reads one batch and no more."""

    def __init__(self) -> None:
        super().__init__()
        self._has_read = False

    def analyse(
        self, batch: Sequence[ReviewInput], taxonomy: Taxonomy, roster: Roster
    ) -> list[ReviewResult]:
        if self._has_read:
            time.sleep(STUCK_SECONDS)
        self._has_read = True
        return super().analyse(batch, taxonomy, roster)
