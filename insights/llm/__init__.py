"""A language model in place of the rules.

Only the setting INSIGHTS_ANALYSER leads here: no other process loads the client.
"""

from insights.llm.analyser import ChatAnalyser

__all__ = ["ChatAnalyser"]
