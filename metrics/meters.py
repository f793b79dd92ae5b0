"""Counters and histograms."""

from prometheus_client import CollectorRegistry, Counter, Histogram

from metrics import FOLDER, files

files.install(FOLDER)

SHORT = (0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5)
LONG = (0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900)

# Not registered anywhere: the files hold their values.
requests = Counter(
    "reviews_requests",
    "Requests answered; a 304 is status 304.",
    ["resource", "method", "status"],
    registry=None,
)
request_seconds = Histogram(
    "reviews_request_seconds",
    "Time until an answer was ready.",
    ["resource"],
    buckets=SHORT,
    registry=None,
)
documents_published = Counter(
    "reviews_documents_published",
    "New versions of published documents.",
    ["path"],
    registry=None,
)
task_seconds = Histogram(
    "reviews_task_seconds",
    "Time that a worker's tasks took: imports, analysis, publishing, verifying, delivering.",
    ["task"],
    buckets=LONG,
    registry=None,
)
task_failures = Counter(
    "reviews_task_failures",
    "Tasks that ended with an error of ours.",
    ["task"],
    registry=None,
)
deliveries = Counter(
    "reviews_deliveries",
    "Attempts to deliver a document to a subscriber.",
    ["result"],
    registry=None,
)
delivery_seconds = Histogram(
    "reviews_delivery_seconds",
    "Time that an attempt took.",
    ["result"],
    buckets=SHORT,
    registry=None,
)


def of_all_processes() -> CollectorRegistry:
    """The meters of every process that shares our STATE_DIR, added up."""
    registry = CollectorRegistry()
    registry.register(files.AllFiles(FOLDER))
    return registry
