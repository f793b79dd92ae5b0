"""Model of scheduled backups."""

import datetime as dt

from django.db import models
from django.utils.translation import gettext_lazy as _

LONG_AGO = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)


class Backup(models.Model):
    """The scheduled backup of one day, and its last error."""

    day = models.DateField(_("day"), unique=True)
    claimed_until = models.DateTimeField(_("claimed until"), default=LONG_AGO)
    made_at = models.DateTimeField(_("made at"), null=True, blank=True)
    size = models.BigIntegerField(_("size in bytes"), default=0)
    reviews = models.PositiveIntegerField(_("number of reviews"), default=0)
    error = models.TextField(_("error"), blank=True)

    class Meta:
        verbose_name = _("backup")
        verbose_name_plural = _("backups")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"
