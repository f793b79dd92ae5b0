"""The insights over HTTP."""

from insights import documents
from reviews.views import DocumentAPIView


class InsightsView(DocumentAPIView):
    path = documents.DOCUMENT.path
    operation_id = "getInsights"
