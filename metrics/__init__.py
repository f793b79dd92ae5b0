"""Numbers about the service for Prometheus; installed only where METRICS_TOKEN is set.

Every process writes its numbers to files in `FOLDER`; the one that is asked adds up those of all.
"""

import contextlib
import os

from django.conf import settings

FOLDER = settings.STATE_DIR / "metrics"
with contextlib.suppress(OSError):  # Where it cannot be made, `metrics.meters` says so.
    FOLDER.mkdir(parents=True, exist_ok=True)
# prometheus-client decides by this when it is imported.
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(FOLDER)
