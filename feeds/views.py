"""The JSON Feed over HTTP; the Atom feed is no operation of the interface."""

from feeds import documents
from reviews.views import DocumentAPIView


class JsonFeedView(DocumentAPIView):
    path = documents.JSON_FEED.path
    operation_id = "getFeed"
