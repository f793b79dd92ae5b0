"""Admin of sources and their runs."""

from sources.admin.connections import SourceConnectionAdmin
from sources.admin.runs import SourceRunAdmin

__all__ = ["SourceConnectionAdmin", "SourceRunAdmin"]
