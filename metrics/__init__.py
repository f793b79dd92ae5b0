"""Metrics for Prometheus, installed if `METRICS_TOKEN` is set.

Each process writes its metrics to files in `FOLDER`. A process that responds to `/metrics` adds up
the files of all processes.
"""

import contextlib
import os

from django.conf import settings

FOLDER = settings.STATE_DIR / "metrics"
with contextlib.suppress(OSError):  # `metrics.meters` logs the failure.
    FOLDER.mkdir(parents=True, exist_ok=True)
# prometheus-client reads this when it is imported.
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(FOLDER)
