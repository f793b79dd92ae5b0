"""Sources in the administration: adding one step by step, how each is doing, and decisions."""

from sources.admin.connections import SourceConnectionAdmin
from sources.admin.runs import SourceRunAdmin

__all__ = ["SourceConnectionAdmin", "SourceRunAdmin"]
