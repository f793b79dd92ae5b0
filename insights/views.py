from insights import documents
from insights.serializers import InsightsDatasetSerializer
from reviews.api.views import DocumentAPIView, describe_document


@describe_document(documents.DOCUMENT, "getInsights", "insights", InsightsDatasetSerializer)
class InsightsView(DocumentAPIView):
    path = documents.DOCUMENT.path
