"""The revision of the reviews, and base classes of the models whose changes raise it."""

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
        """Raise the revision once per transaction, in the transaction of the change.

        The announcement waits for the commit. A pending announcement means that the transaction has
        raised the revision already; rolling back a savepoint discards both.
        """
        connection = transaction.get_connection()
        if any(function is announce_reviews_changed for _, function, _ in connection.run_on_commit):
            return
        with transaction.atomic():
            row = self.filter(name=Revision.REVIEWS)
            changes = {"number": models.F("number") + 1, "changed_at": timezone.now()}
            if not row.update(**changes):
                self.get_or_create(name=Revision.REVIEWS)  # A concurrent change may create it too.
                row.update(**changes)
            transaction.on_commit(announce_reviews_changed, robust=True)

    def state(self, name: str) -> RevisionState | None:
        """Last change of the data called `name`; None if it never changed."""
        row = self.filter(name=name).values_list("number", "changed_at").first()
        return RevisionState(*row) if row else None

    def current(self, name: str) -> int:
        """Number of changes of the data called `name`."""
        return self.filter(name=name).values_list("number", flat=True).first() or 0


class Revision(models.Model):
    """Counter of changes, so that one small query tells whether data has changed."""

    REVIEWS = "reviews"
    INSIGHTS = "insights"  # The revision of the reviews that the insights cover.

    name = models.CharField(max_length=20, primary_key=True)
    number = models.PositiveBigIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[RevisionManager] = RevisionManager()

    def __str__(self) -> str:
        return f"{self.name} {self.number}"


M = TypeVar("M", bound=models.Model)
T = TypeVar("T")


class RevisedQuerySet(models.QuerySet[M]):
    """Query set whose bulk changes raise the revision."""

    def update(self, **kwargs: Any) -> int:
        return self._raise_revision(super().update, **kwargs)

    def delete(self) -> tuple[int, dict[str, int]]:
        return self._raise_revision(super().delete)

    def bulk_create(self, objs: Iterable[M], *args: Any, **kwargs: Any) -> list[M]:
        return self._raise_revision(super().bulk_create, objs, *args, **kwargs)

    def bulk_update(self, objs: Iterable[M], *args: Any, **kwargs: Any) -> int:
        return self._raise_revision(super().bulk_update, objs, *args, **kwargs)

    def _raise_revision(self, change: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        with transaction.atomic():
            changed = change(*args, **kwargs)
            if changed[0] if isinstance(changed, tuple) else changed:
                Revision.objects.raise_reviews()
        return changed


class Revised(models.Model):
    """Model of published data: saving or deleting a row raises the revision."""

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
    """Query set whose changes do not raise the revision; bulk changes raise it once at the end."""
    return cast("models.QuerySet[M]", models.QuerySet(model))
