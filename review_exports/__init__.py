"""Read exports of customer reviews into records and row errors."""

from review_exports.export import Export
from review_exports.options import ReadChoices, ReadOptions
from review_exports.recognition import FORMATS, read
from review_exports.records import FileRefused, ReadWarning, Record, RowError, Skipped
from review_exports.shapes import (
    Confirmation,
    ConfirmationRequired,
    Question,
    Shape,
    ShapeColumn,
)

__version__ = "1.0.0"

__all__ = [
    "FORMATS",
    "Confirmation",
    "ConfirmationRequired",
    "Export",
    "FileRefused",
    "Question",
    "ReadChoices",
    "ReadOptions",
    "ReadWarning",
    "Record",
    "RowError",
    "Shape",
    "ShapeColumn",
    "Skipped",
    "read",
]
