"""The revision, and the rows whose every change raises it."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeVar, cast

from django.db import models, transaction
from django.utils import timezone

from publishing.registry import RevisionState
from reviews.signals import reviews_changed


def announce_reviews_changed() -> None:
    reviews_changed.send_robust(sender=Revision)


class RevisionManager(models.Manager["Revision"]):
    def raise_reviews(self) -> None:
        """Count a change of the reviews, in the change's own transaction and once in each.

        The announcement waits for the commit. A pending one means that this transaction has
        already been counted; Django drops it together with a savepoint that is rolled back.
        """
        connection = transaction.get_connection()
        if any(function is announce_reviews_changed for _, function, _ in connection.run_on_commit):
            return
        with transaction.atomic():
            row = self.filter(name=Revision.REVIEWS)
            changes = {"number": models.F("number") + 1, "changed_at": timezone.now()}
            if not row.update(**changes):
                self.get_or_create(name=Revision.REVIEWS)  # Another first change may be quicker.
                row.update(**changes)
            transaction.on_commit(announce_reviews_changed, robust=True)

    def state(self, name: str) -> RevisionState | None:
        """The last change of the data called `name`; None for never."""
        row = self.filter(name=name).values_list("number", "changed_at").first()
        return RevisionState(*row) if row else None

    def current(self, name: str) -> int:
        """How often the data called `name` has changed; 0 for never."""
        return self.filter(name=name).values_list("number", flat=True).first() or 0


class Revision(models.Model):
    """Counts the changes of the data, so that "has anything changed?" is one tiny query."""

    REVIEWS = "reviews"
    INSIGHTS = "insights"  # The reviews revision up to which insights have been computed.

    name = models.CharField(max_length=20, primary_key=True)
    number = models.PositiveBigIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[RevisionManager] = RevisionManager()

    def __str__(self) -> str:
        return f"{self.name} {self.number}"


M = TypeVar("M", bound=models.Model)
T = TypeVar("T")


class RevisedQuerySet(models.QuerySet[M]):
    """Rows whose every change raises the revision, also when they change in bulk."""

    def update(self, **kwargs: Any) -> int:
        return self._counted(super().update, **kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        return self._counted(super().delete)

    def bulk_create(self, objs: Iterable[M], *args: Any, **kwargs: Any) -> list[M]:
        return self._counted(super().bulk_create, objs, *args, **kwargs)

    def bulk_update(self, objs: Iterable[M], *args: Any, **kwargs: Any) -> int:
        return self._counted(super().bulk_update, objs, *args, **kwargs)

    def _counted(self, change: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        with transaction.atomic():
            changed = change(*args, **kwargs)
            if changed[0] if isinstance(changed, tuple) else changed:
                Revision.objects.raise_reviews()
        return changed


class Revised(models.Model):
    """A row of the published data: saving or deleting it raises the revision."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            super().save(*args, **kwargs)
            Revision.objects.raise_reviews()

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        with transaction.atomic():
            deleted = super().delete(*args, **kwargs)
            Revision.objects.raise_reviews()
        return deleted


def without_revision(model: type[M]) -> models.QuerySet[M]:
    """All rows, by a query set that leaves the revision alone: an import raises it once, last."""
    return cast("models.QuerySet[M]", models.QuerySet(model))
