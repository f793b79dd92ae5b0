"""The reviewed business, its logo, and how it publishes reviews."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from reviews import published_json
from reviews.models.revision import Revised, RevisedQuerySet
from reviews.validators import (
    check_country,
    check_fields,
    check_hours,
    check_language,
    check_time_zone,
    check_web_addresses,
    kebab_case,
)


class Vertical(models.TextChoices):
    HOME_SERVICES = "home_services", "Home services"
    AUTO_REPAIR = "auto_repair", "Auto repair"
    CLINIC = "clinic", "Clinic"
    PET_SERVICES = "pet_services", "Pets and vets"
    SENIOR_LIVING = "senior_living", "Senior living"
    LAW_FIRM = "law_firm", "Law firm"
    EDUCATION = "education", "School and courses"
    RESTAURANT = "restaurant", "Restaurant"
    HOTEL = "hotel", "Hotel"
    ATTRACTION = "attraction", "Attraction"
    HAIR_BEAUTY = "hair_beauty", "Hair and beauty"
    FITNESS = "fitness", "Gym and fitness"
    RETAIL = "retail", "Store"
    GENERIC = "generic", "Other"


class AuthorNames(models.TextChoices):
    FULL = published_json.FULL, "Full names"
    FIRST_NAME = published_json.FIRST_NAME, "First name and initial"
    INITIALS = published_json.INITIALS, "Initials"


class Photos(models.TextChoices):
    OFF = "off", "Kept, not published"
    LINKS = "links", "Published as links"
    IMAGES = "images", "Shown on the pages, loaded from their site"


class Business(Revised):
    """The reviewed business: one row, or none in a new installation."""

    THE_ONE = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=THE_ONE, editable=False)
    slug = models.CharField(max_length=100, validators=[kebab_case])
    name = models.CharField(max_length=200)
    legal_name = models.CharField(max_length=200, blank=True)
    description = models.TextField(blank=True)
    vertical = models.CharField(max_length=20, choices=Vertical.choices, default=Vertical.GENERIC)
    vertical_confirmed = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="Somebody chose it; it is not just the default.",
    )
    language = models.CharField(max_length=10, default="en", help_text="Like en or en-GB.")
    url = models.URLField(blank=True)
    logo_url = models.URLField(blank=True)
    same_as = models.JSONField(
        default=list, blank=True, help_text="Profiles elsewhere: a list of addresses."
    )
    review_links = models.JSONField(
        default=list,
        db_default=models.Value([], models.JSONField()),
        blank=True,
        help_text="Where customers write a review: a list of addresses.",
    )
    phone = models.CharField(max_length=40, blank=True)
    email = models.EmailField(blank=True)
    street = models.CharField(max_length=200, blank=True)
    city = models.CharField(max_length=100, blank=True)
    region = models.CharField(max_length=100, blank=True)
    postal_code = models.CharField(max_length=20, blank=True)
    country = models.CharField(max_length=2, blank=True, help_text="Two letters, like US.")
    latitude = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(-90), MaxValueValidator(90)]
    )
    longitude = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(-180), MaxValueValidator(180)]
    )
    time_zone = models.CharField(
        max_length=50, default="UTC", help_text="IANA name, like America/Los_Angeles."
    )
    hours = models.JSONField(
        default=list,
        blank=True,
        help_text='A list like [{"day": "monday", "opens": "08:00", "closes": "17:00"}].',
    )
    author_names = models.CharField(
        max_length=10, choices=AuthorNames, default=AuthorNames.FULL, db_default=AuthorNames.FULL
    )
    photos = models.CharField(
        "photos of customers",
        max_length=10,
        choices=Photos,
        default=Photos.OFF,
        db_default=Photos.OFF,
    )
    license = models.CharField(max_length=200, blank=True)
    attribution = models.CharField(max_length=200, blank=True)

    # When a user finished the setup; null while the dashboard lists its steps.
    first_steps_done_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = RevisedQuerySet["Business"].as_manager()

    class Meta:
        verbose_name = _("business")
        verbose_name_plural = _("business")
        constraints = [
            models.CheckConstraint(condition=Q(id=1), name="business_is_one_row"),
            models.CheckConstraint(
                condition=Q(latitude__isnull=True, longitude__isnull=True)
                | Q(latitude__isnull=False, longitude__isnull=False),
                name="business_geo_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_vertical(self) -> bool:
        """Whether an administrator chose the vertical; the default counts once it is confirmed."""
        return self.vertical != Vertical.GENERIC or self.vertical_confirmed

    @property
    def zone(self) -> ZoneInfo:
        """Time zone of the business; UTC if the stored name is unknown."""
        try:
            return ZoneInfo(self.time_zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            return ZoneInfo("UTC")

    @property
    def public_form(self) -> published_json.PublicForm:
        """Form in which its reviews are published."""
        return published_json.PublicForm(self.author_names, self.photos != Photos.OFF)

    def clean(self) -> None:
        check_fields(
            self,
            {
                "time_zone": check_time_zone,
                "language": check_language,
                "country": check_country,
                "same_as": check_web_addresses,
                "review_links": check_web_addresses,
                "hours": check_hours,
            },
        )
        if (self.latitude is None) != (self.longitude is None):
            missing = "latitude" if self.latitude is None else "longitude"
            raise ValidationError({missing: f"Write the {missing} too, or neither of the two."})


class Logo(models.Model):
    """The uploaded logo, encoded as PNG of at most `SIDE` by `SIDE` pixels."""

    SIDE = 512

    business = models.OneToOneField(
        Business, primary_key=True, on_delete=models.CASCADE, related_name="logo"
    )
    png = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=32, help_text="Of the PNG; it names the version.")

    def __str__(self) -> str:
        return f"Logo, {self.width} by {self.height} pixels"


def public_form() -> published_json.PublicForm:
    """Current form in which reviews are published."""
    business = Business.objects.only("author_names", "photos").first()
    return business.public_form if business else published_json.PublicForm()
