"""Administration of insights: taxonomies, findings, texts and runs. It needs no JavaScript."""

from insights.admin.findings import AnalysisRunAdmin, ChatDayAdmin, ReviewAnalysisAdmin
from insights.admin.taxonomies import TaxonomyAdmin
from insights.admin.texts import InsightTextAdmin

__all__ = [
    "AnalysisRunAdmin",
    "ChatDayAdmin",
    "InsightTextAdmin",
    "ReviewAnalysisAdmin",
    "TaxonomyAdmin",
]
