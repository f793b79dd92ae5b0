"""The tests' settings with the database of a running test."""

import os

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES

DATABASES["default"]["NAME"] = os.environ["KILLED_DATABASE"]
INSIGHTS_ANALYSER = "tests.insights.stuck_analyser.StuckAnalyser"
