"""A language model in place of the rules.

The setting INSIGHTS_ANALYSER leads here, and `refresh_insights --estimate`.
"""

from insights.llm.analyser import ChatAnalyser

__all__ = ["ChatAnalyser"]
