"""Administration of imports."""

from imports.admin.batches import ImportBatchAdmin
from imports.admin.change_inline import ImportChangeInline
from imports.admin.confirmed_shapes import ConfirmedShapeAdmin

__all__ = ["ConfirmedShapeAdmin", "ImportBatchAdmin", "ImportChangeInline"]
