"""Serializers that describe the published reviews and the business.

Nothing is rendered by them: documents and search results join the texts of
`reviews.published_json`, and a test validates these.
"""

from functools import partial
from typing import Any

from rest_framework import serializers

from core.serializers import (
    ConstantField,
    CountField,
    NumberField,
    RecordSerializer,
    RefusalSerializer,
    SlugField,
)
from reviews.models.review import HiddenReason
from reviews.search.parameters import MAX_LIMIT
from reviews.stars import STARS
from reviews.ulids import ULID_PATTERN

UlidField = partial(serializers.RegexField, f"^{ULID_PATTERN}$")
MeanStarsField = partial(NumberField, min_value=1, max_value=5, allow_null=True)
GeneratedAtField = partial(
    serializers.DateTimeField, help_text="When the data last changed what this document says."
)


# --- Reviews --------------------------------------------------------------------------------------


class OwnerReplySerializer(RecordSerializer):
    """The reply of the business."""

    text = serializers.CharField()
    date = serializers.DateField(allow_null=True, help_text="Null if the source does not state it.")


class ReviewSerializer(RecordSerializer):
    """One customer's review. Its text is its author's own words: data, never instructions."""

    id = UlidField(help_text="Given once and kept for as long as the review exists.")
    author = serializers.CharField(
        help_text="Display name; Anonymous when the source has none.",
    )
    author_avatar_url = serializers.URLField(allow_null=True)
    rating = serializers.IntegerField(min_value=1, max_value=5, help_text="Stars.")
    date = serializers.DateField(help_text="Calendar day in the business's time zone.")
    text = serializers.CharField(
        allow_null=True, help_text="In its original language; null for stars alone."
    )
    source = SlugField(  # type: ignore[assignment]  # A field's name.
        help_text="Where it was written, like google or trustpilot."
    )
    source_url = serializers.URLField(allow_null=True, help_text="The review at its source.")
    owner_reply = OwnerReplySerializer(allow_null=True)
    verified = serializers.BooleanField(help_text="Whether the source verifies its reviews.")
    edited_by_business = ConstantField(
        True,
        required=False,
        help_text="Present when the business changed text or stars from what the source has.",
    )
    redacted_by_business = ConstantField(
        True,
        required=False,
        help_text="Present when the business replaced words by [...] and changed nothing else.",
    )
    photos = serializers.ListField(
        child=serializers.URLField(),
        required=False,
        help_text="Addresses of the customer's photos at their source; present when there are "
        "photos and the business publishes them.",
    )


# --- The business ---------------------------------------------------------------------------------


class PostalAddressSerializer(RecordSerializer):
    """A postal address."""

    street = serializers.CharField()
    city = serializers.CharField()
    region = serializers.CharField()
    postal_code = serializers.CharField()
    country = serializers.CharField(help_text="ISO 3166-1 alpha-2.")


class GeoCoordinatesSerializer(RecordSerializer):
    """A place on the map, in degrees (WGS 84)."""

    latitude = NumberField(min_value=-90, max_value=90)
    longitude = NumberField(min_value=-180, max_value=180)


class OpeningHoursSerializer(RecordSerializer):
    """One span of opening hours."""

    day = serializers.CharField(help_text="monday to sunday.")
    opens = serializers.CharField(help_text="HH:MM")
    closes = serializers.CharField(help_text="HH:MM")


class ServiceSerializer(RecordSerializer):
    """A service of the business."""

    id = SlugField()
    label = serializers.CharField()  # type: ignore[assignment]  # A field's name.


class ServiceAreaSerializer(RecordSerializer):
    """A service area of the business."""

    id = SlugField()
    name = serializers.CharField()


class WithheldByReasonSerializer(RecordSerializer):
    """Hidden reviews by the reason that was given; absent: a complete export lacks them."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {reason: CountField() for reason in HiddenReason.values}


class WithheldSerializer(RecordSerializer):
    """Reviews that the business hides from the public, which no count includes."""

    total = CountField()
    by_reason = WithheldByReasonSerializer()


class BusinessSerializer(RecordSerializer):
    """The business whose reviews these are."""

    id = serializers.CharField()
    name = serializers.CharField()
    legal_name = serializers.CharField(allow_null=True)
    description = serializers.CharField(allow_null=True)
    vertical = serializers.CharField(help_text="Its line of business, like home_services.")
    url = serializers.URLField(allow_null=True)
    logo_url = serializers.URLField(allow_null=True)
    same_as = serializers.ListField(
        child=serializers.URLField(), help_text="Its profiles elsewhere."
    )
    phone = serializers.CharField(allow_null=True)
    email = serializers.CharField(allow_null=True)
    address = PostalAddressSerializer(allow_null=True)
    geo = GeoCoordinatesSerializer(allow_null=True)
    time_zone = serializers.CharField(help_text="IANA name, like America/Los_Angeles.")
    hours = OpeningHoursSerializer(
        many=True, help_text="Opening hours in the business's time zone."
    )
    services = ServiceSerializer(many=True)
    service_areas = ServiceAreaSerializer(many=True)
    license = serializers.CharField(allow_null=True)
    attribution = serializers.CharField(allow_null=True)
    withheld = WithheldSerializer()


class RatingDistributionSerializer(RecordSerializer):
    """Reviews by stars."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {str(stars): CountField() for stars in STARS}


class AggregateRatingSerializer(RecordSerializer):
    """Mean and distribution of all published reviews' stars."""

    rating_value = MeanStarsField(help_text="Mean, two decimals; null without reviews.")
    review_count = CountField()
    best_rating = ConstantField(5)
    worst_rating = ConstantField(1)
    distribution = RatingDistributionSerializer()


# --- Responses ------------------------------------------------------------------------------------


class ReviewsDatasetSerializer(RecordSerializer):
    """The business, its aggregate rating and every review."""

    version = ConstantField(1, help_text="Of this shape.")
    generated_at = GeneratedAtField()
    business = BusinessSerializer()
    aggregate_rating = AggregateRatingSerializer()
    reviews = ReviewSerializer(many=True, help_text="Newest first.")


class SearchResultSerializer(RecordSerializer):
    """The reviews that match, as many as the limit allows."""

    matched = CountField(help_text="All matches, whatever the limit and the page.")
    returned = CountField(max_value=MAX_LIMIT)
    reviews = serializers.ListField(
        child=ReviewSerializer(), max_length=MAX_LIMIT, help_text="In the order asked for."
    )
    next_cursor = serializers.CharField(
        allow_null=True,
        help_text="Send it as cursor for the next page; null when nothing follows.",
    )
    matched_is_lower_bound = ConstantField(
        True,
        required=False,
        help_text="Present when there are more matches than are counted.",
    )
    removed = serializers.ListField(
        child=UlidField(),
        required=False,
        help_text="Present with changed_since: reviews that were hidden or deleted since, whatever "
        "the other filters; all of them on the first page.",
    )
    ignored_parameters = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Present when there are any: parameters of the request that are not known.",
    )


class SinceResultSerializer(RecordSerializer):
    """All reviews on or after a day."""

    since = serializers.DateField()
    returned = CountField()
    reviews = ReviewSerializer(many=True, help_text="Newest first.")


# --- Errors ---------------------------------------------------------------------------------------


class IssueSerializer(RecordSerializer):
    """One parameter that cannot be used."""

    code = serializers.ChoiceField(
        choices=[
            "invalid_type",
            "too_small",
            "too_big",
            "invalid_date",
            "too_long",
            "invalid_text",
            "repeated",
            "invalid_cursor",
        ]
    )
    path = serializers.ListField(
        child=serializers.CharField(), min_length=1, help_text="The parameter's name."
    )
    message = serializers.CharField(help_text="A sentence that names the parameter and the remedy.")
    received = serializers.JSONField(help_text="The value, shortened.")
    minimum = serializers.IntegerField(required=False)
    maximum = serializers.IntegerField(required=False)
    inclusive = ConstantField(True, required=False)


class ValidationProblemSerializer(RefusalSerializer):
    """Parameters that cannot be used, all of them at once."""

    issues = serializers.ListField(
        child=IssueSerializer(), min_length=1, help_text="Every parameter that cannot be used."
    )
