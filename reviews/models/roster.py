"""The roster: technicians, services and areas that reviews can mention."""

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from reviews.models.revision import Revised, RevisedQuerySet
from reviews.validators import check_fields, check_texts, kebab_case


class RosterEntry(Revised):
    """An entry of the roster, and the words by which reviews mention it."""

    words = "aliases"  # The field that holds them.

    slug = models.CharField("id", max_length=100, unique=True, validators=[kebab_case])

    class Meta:
        abstract = True
        ordering = ["slug"]

    def clean(self) -> None:
        check_fields(self, {self.words: check_texts})


class Technician(RosterEntry):
    """A person of the team. A lower-case alias also matches lower-case text."""

    name = models.CharField(_("name"), max_length=200)
    aliases = models.JSONField(
        _("other names"),
        default=list,
        blank=True,
        help_text="Other names, a list of texts. Capitalised ones match capitalised words alone.",
    )
    active_from = models.DateField(_("works here since"), null=True, blank=True)
    active_to = models.DateField(_("worked here until"), null=True, blank=True)

    objects = RevisedQuerySet["Technician"].as_manager()

    class Meta(RosterEntry.Meta):
        verbose_name = _("team member")
        verbose_name_plural = _("team members")
        constraints = [
            models.CheckConstraint(
                condition=Q(active_from__isnull=True)
                | Q(active_to__isnull=True)
                | Q(active_from__lte=models.F("active_to")),
                name="technician_active_in_order",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        if self.active_from and self.active_to and self.active_to < self.active_from:
            raise ValidationError({"active_to": "The last day is before the first one."})


class Service(RosterEntry):
    """A service of the business. Reviews mention it by its label or one of its keywords."""

    words = "keywords"

    label = models.CharField(_("name"), max_length=200)
    keywords = models.JSONField(
        _("keywords"),
        default=list,
        blank=True,
        help_text="Phrases that mean it, a list of texts; a trailing * stands for any ending.",
    )

    objects = RevisedQuerySet["Service"].as_manager()

    class Meta(RosterEntry.Meta):
        verbose_name = _("service")
        verbose_name_plural = _("services")

    def __str__(self) -> str:
        return self.label


class ServiceArea(RosterEntry):
    """A place that the business serves."""

    name = models.CharField(_("name"), max_length=200)
    aliases = models.JSONField(
        _("other names"),
        default=list,
        blank=True,
        help_text="Other names of the place, a list of texts.",
    )

    objects = RevisedQuerySet["ServiceArea"].as_manager()

    class Meta(RosterEntry.Meta):
        verbose_name = _("place you serve")
        verbose_name_plural = _("places you serve")

    def __str__(self) -> str:
        return self.name
