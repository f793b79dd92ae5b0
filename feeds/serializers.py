"""Serializers that describe the JSON Feed."""

from typing import Any

from rest_framework import serializers

from core.serializers import ConstantField, RecordSerializer, SlugField
from feeds.items import ITEMS
from feeds.json_feed import EXTENSION
from reviews.api.serializers import ReviewSerializer
from reviews.published_json import ALTERATIONS


class FeedPersonSerializer(RecordSerializer):
    """The author of a review."""

    name = serializers.CharField()
    avatar = serializers.URLField(required=False)


class FeedReviewSerializer(RecordSerializer):
    """Our extension: members of a review that the feed format has no word for."""

    about = serializers.URLField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        review = ReviewSerializer().get_fields()
        shown = {name: review[name] for name in (*EXTENSION, *ALTERATIONS.values())}
        return {**super().get_fields(), **shown}


class FeedPublisherSerializer(RecordSerializer):
    """The business."""

    name = serializers.CharField()
    url = serializers.URLField()


class FeedHubSerializer(RecordSerializer):
    """The WebSub hub."""

    type = ConstantField("WebSub")
    url = serializers.URLField()


class FeedItemSerializer(RecordSerializer):
    """A review as a feed item."""

    id = serializers.URLField()
    url = serializers.URLField()
    external_url = serializers.URLField(required=False)
    title = serializers.CharField()
    content_text = serializers.CharField()
    date_published = serializers.DateTimeField(
        help_text="When it appeared here, or a time of its day if that was long ago; unique."
    )
    date_modified = serializers.DateTimeField(help_text="When this last changed here.")
    authors = FeedPersonSerializer(many=True)
    tags = serializers.ListField(child=SlugField(), help_text="Services that the review mentions.")
    _review = FeedReviewSerializer(label="_review")


class JsonFeedSerializer(RecordSerializer):
    """The newest reviews as JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/)."""

    version = ConstantField("https://jsonfeed.org/version/1.1")
    title = serializers.CharField()
    home_page_url = serializers.URLField()
    feed_url = serializers.URLField()
    description = serializers.CharField()
    icon = serializers.URLField(required=False)
    language = serializers.CharField()
    authors = FeedPublisherSerializer(many=True)
    hubs = serializers.ListField(child=FeedHubSerializer(), min_length=1)
    items = serializers.ListField(
        child=FeedItemSerializer(), max_length=ITEMS, help_text="Newest first."
    )
