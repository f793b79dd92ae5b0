"""The built-in analyser, blocking after its first batch, for runs that a test kills."""

import time
from typing import Any

from insights.backends import ReviewResult, RulesAnalyser

STUCK_SECONDS = 120  # Longer than a test waits for the first batch.


class StuckAnalyser(RulesAnalyser):
    """Analyse one batch and block."""

    def analyse(self, *args: Any) -> list[ReviewResult]:
        if self._compiled:
            time.sleep(STUCK_SECONDS)
        return super().analyse(*args)
