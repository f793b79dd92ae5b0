"""The JSON Feed as an operation of the API, unlike the Atom feed."""

from feeds import documents
from feeds.serializers import JsonFeedSerializer
from reviews.api.views import DocumentAPIView, describe_document


@describe_document(documents.JSON_FEED, "getFeed", "feeds", JsonFeedSerializer)
class JsonFeedView(DocumentAPIView):
    path = documents.JSON_FEED.path
