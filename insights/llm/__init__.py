"""Optional analyser that asks a language model; INSIGHTS_ANALYSER selects it."""

from insights.llm.analyser import ChatAnalyser

__all__ = ["ChatAnalyser"]
