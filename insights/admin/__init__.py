"""Where an administrator curates the insights: words, findings, texts, and the runs so far.

Every page works without JavaScript; every button is a POST that calls a service.
"""

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
