"""Analyse the reviews that are due, then compute and store the dataset.

Reviews are due by a comparison of their rows, so an interrupted run continues where it stopped.
The dataset changes when every public review has been analysed with the current inputs, and never
mixes the results of two sets of inputs.
"""

import datetime as dt
import logging
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import partial

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from core.celery import checkpoint
from core.claims import is_free
from insights import selectors, taxonomy
from insights.dataset import DatasetBuilder
from insights.models import AnalysisRun, Artifact, ReviewAnalysis
from insights.running_totals import ReviewsDue, RunningTotals
from insights.selectors import AnalysisInputs
from insights.signals import insights_refreshed
from insights.store_findings import analyse_reviews, digest_of
from publishing.snapshot import read_snapshot
from review_analysis import MODEL
from reviews.models import Review, Revision
from reviews.selectors import get_business

logger = logging.getLogger(__name__)

# Limits of the work outside a worker, some three seconds each: due reviews, and reviews to count.
FEW = 2_000
FEW_COUNTED = 20_000
RUN = 100  # New or changed reviews from which an `AnalysisRun` is stored.
WAIT_SECONDS = 0.5
BUILD_SECONDS = 60.0  # Longest time to build the dataset of 100,000 reviews.

Progress = Callable[[int, int], None]

_computing = threading.Lock()  # Guards the totals of this process.
_totals_cache: list[RunningTotals] = []
_code_digests_seen: set[str] = set()


def refresh(
    *, everything: bool = False, wait: bool = False, on_progress: Progress = lambda *_: None
) -> bool:
    """Bring the insights up to date; False if nothing was due or another refresh is running.

    With `everything`, all reviews are analysed again. With `wait`, it waits for another refresh.
    """
    if everything:
        ReviewAnalysis.objects.update(basis="")
        Artifact.objects.update(shape="")
    has_refreshed = False
    while is_due():
        with _claimed() as has_claim:
            if has_claim:
                _refresh(on_progress, is_requested=everything)
                has_refreshed = True
        if not has_claim:
            if not wait:
                break
            time.sleep(WAIT_SECONDS)
    return has_refreshed


def mark_left_to_rules() -> int:
    """Make reviews due that were left to the rules, within the model's daily budget.

    The oldest analyses come first, so that a review without an answer does not block the rest.
    """
    left = ReviewAnalysis.objects.filter(model=MODEL).exclude(text_sha256=digest_of(""))
    count = selectors.analyser().remaining_today()
    keys = list(left.order_by("analysed_at").values_list("pk", flat=True)[:count])
    if keys:
        ReviewAnalysis.objects.filter(pk__in=keys).update(basis="")
        Artifact.objects.update(shape="")
    return len(keys)


def warm_up() -> None:
    """Load the totals into memory, so that the next edit is fast.

    For 100,000 reviews this takes a new process 15 seconds.
    """
    if _totals_cache or not _computing.acquire(blocking=False):
        return
    try:
        with read_snapshot(), suppress(ReviewsDue):
            _dataset_builder(selectors.current_inputs()).members()
    finally:
        _computing.release()


def is_due() -> bool:
    """Whether reviews or code have changed since the dataset was built; makes two queries."""
    artifact = Artifact.objects.only("revision", "shape").first()
    if artifact is None:
        return Revision.objects.current(Revision.REVIEWS) > 0
    ours = selectors.code_digest()
    if artifact.shape == ours:
        _code_digests_seen.add(ours)
        return artifact.revision != Revision.objects.current(Revision.REVIEWS)
    # If another version has replaced ours, an old process must not take it back.
    return not artifact.shape or ours not in _code_digests_seen


def has_many_reviews() -> bool:
    """Whether counting all reviews takes too long outside a worker."""
    return Review.objects.visible()[FEW_COUNTED:].exists()


def has_many_due() -> bool:
    """Whether analysing the due reviews takes too long outside a worker."""
    return selectors.due_reviews(selectors.current_inputs().digest)[FEW:].exists()


# --- The claim, which expires by itself -----------------------------------------------------------


@contextmanager
def _claimed() -> Iterator[bool]:
    """Claim the refresh for this thread, and yield whether that succeeded."""
    if not _computing.acquire(blocking=False):
        yield False
        return
    try:
        Artifact.objects.get_or_create(pk=Artifact.THE_ONE)
        free = Artifact.objects.filter(is_free(timezone.now()))
        has_claim = bool(_extend_claim(selectors.analyser().batch_seconds, free))
        try:
            yield has_claim
        finally:
            if has_claim:
                Artifact.objects.update(claimed_until=None)
    finally:
        _computing.release()


def _extend_claim(seconds: float, rows: QuerySet[Artifact] | None = None) -> int:
    rows = Artifact.objects.all() if rows is None else rows
    return rows.update(claimed_until=timezone.now() + dt.timedelta(seconds=seconds))


def _refresh(on_progress: Progress, *, is_requested: bool) -> None:
    if _stored().shape != selectors.code_digest():
        # New code changes the data, so the documents must follow.
        Revision.objects.raise_reviews()
    is_built = False
    while not is_built:
        inputs = selectors.current_inputs()
        _analyse_due(inputs, on_progress, is_requested=is_requested)
        _extend_claim(BUILD_SECONDS)
        is_built = _build(inputs)


def _stored() -> Artifact:
    return Artifact.objects.only("number", "basis", "shape").get()


# --- Analysing ------------------------------------------------------------------------------------


def _analyse_due(inputs: AnalysisInputs, on_progress: Progress, *, is_requested: bool) -> None:
    keys = list(selectors.due_reviews(inputs.digest).order_by("pk").values_list("pk", flat=True))
    stored, analyser = _stored(), selectors.analyser()
    reason = AnalysisRun.Reason.REVIEWS
    if is_requested:
        reason = AnalysisRun.Reason.REQUESTED
    elif stored.number and stored.basis != inputs.digest:
        reason = AnalysisRun.Reason.BASIS
    unfinished = AnalysisRun.objects.filter(finished_at=None)
    unfinished.exclude(basis=inputs.digest).update(
        finished_at=timezone.now(), error="Another run has taken its place."
    )
    run = unfinished.filter(basis=inputs.digest)
    # An interrupted run continues.
    is_noted = keys and (len(keys) >= RUN or reason != AnalysisRun.Reason.REVIEWS)
    if is_noted and not run.update(total=F("done") + len(keys)):
        AnalysisRun.objects.create(
            basis=inputs.digest,
            reason=reason,
            model=analyser.model_id,
            taxonomy=f"{inputs.taxonomy['id']} {inputs.taxonomy['version']}",
            total=len(keys),
        )
    try:
        for start in range(0, len(keys), analyser.batch_size):
            checkpoint()
            batch = keys[start : start + analyser.batch_size]
            analyse_reviews(list(Review.objects.filter(pk__in=batch).order_by("pk")), inputs)
            run.update(done=F("done") + len(batch))
            _extend_claim(analyser.batch_seconds)
            on_progress(start + len(batch), len(keys))
    except Exception as error:
        run.update(error=str(error) or type(error).__name__)
        raise
    run.update(finished_at=timezone.now(), error="")


# --- Building -------------------------------------------------------------------------------------


def _build(inputs: AnalysisInputs) -> bool:
    """Compute and store the dataset; False if something has become due in the meantime."""
    previous = _stored()
    with read_snapshot():
        revision = Revision.objects.get(name=Revision.REVIEWS)
        if selectors.current_inputs().digest != inputs.digest:
            return False
        try:
            builder = _dataset_builder(inputs)
        except ReviewsDue:
            return False
        body = builder.members()
        version = taxonomy.version()
    with transaction.atomic():
        is_stored = Artifact.objects.filter(number=previous.number).update(
            number=previous.number + 1,
            revision=revision.number,
            basis=inputs.digest,
            shape=selectors.code_digest(),
            taxonomy_version=version,
            body=zlib.compress(body, 1),
            texts={
                **asdict(builder.written),
                "published": asdict(builder.shown),
                "translated": builder.translated(),
                # Offered to administrators as new aspects.
                "themes": [
                    {
                        "label": theme.subject.label,
                        "reviews": theme.subject.count,
                        "positive": theme.subject.totals.positive,
                        "negative": theme.subject.totals.negative,
                        "terms": theme.keywords,
                    }
                    for theme in builder.themes
                ],
            },
            months=builder.months,
            built_at=timezone.now(),
        )
        if is_stored:
            Revision.objects.update_or_create(
                name=Revision.INSIGHTS,
                defaults={"number": revision.number, "changed_at": revision.changed_at},
            )
            announce = partial(insights_refreshed.send_robust, sender=Revision)
            transaction.on_commit(announce, robust=True)
    if is_stored:
        logger.info("Insights follow the reviews up to revision %d", revision.number)
    return True  # If another process has stored one first, `is_due` says whether that is enough.


def _dataset_builder(inputs: AnalysisInputs) -> DatasetBuilder:
    """Return a builder for the reviews of the open snapshot. Raises `ReviewsDue`."""
    totals = _totals(inputs)
    business = get_business()
    return DatasetBuilder(
        totals.aggregate,
        totals.nouns,
        selectors.analyser().model_id,
        business_name=business.name if business else "",
        has_vertical=business is not None and business.has_vertical,
        decisions=selectors.decisions(),
        entries=totals.entries,
    )


def _totals(inputs: AnalysisInputs) -> RunningTotals:
    """Update the totals of this process, or create new ones for other inputs."""
    if not _totals_cache or _totals_cache[0].inputs.digest != inputs.digest:
        _totals_cache[:] = [RunningTotals(inputs)]
    try:
        _totals_cache[0].update()
    except ReviewsDue:
        raise  # The totals are unchanged.
    except Exception:
        _totals_cache.clear()  # The totals may be incomplete.
        raise
    return _totals_cache[0]
