"""People whose names never come back, each known by a hash of the name."""

import unicodedata

from django.conf import settings
from django.db import models
from django.utils import timezone

from reviews.models.deletion import digest


def name_digest(author: str) -> str:
    """A hash of a name, whatever its case, form and spaces."""
    return digest("author", *unicodedata.normalize("NFKC", author).casefold().split())


class ForgottenAuthor(models.Model):
    """An author whose name, picture and links were removed; imports read them as anonymous."""

    name_digest = models.CharField(max_length=32, unique=True, editable=False)
    reviews = models.PositiveIntegerField("reviews at that time", default=0)
    forgotten_at = models.DateTimeField(default=timezone.now)
    forgotten_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )

    class Meta:
        ordering = ["-forgotten_at", "-id"]
        verbose_name = "forgotten person"
        verbose_name_plural = "forgotten people"

    def __str__(self) -> str:
        return f"author forgotten on {self.forgotten_at:%-d %B %Y}"


def forgotten_names() -> frozenset[str]:
    """The hashes of all forgotten names, for an import to compare."""
    return frozenset(ForgottenAuthor.objects.values_list("name_digest", flat=True))
