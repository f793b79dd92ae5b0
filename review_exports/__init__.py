"""Read exports of customer reviews: files of many makers in, records and row errors out."""

from review_exports.export import Export
from review_exports.opening import FORMATS, read
from review_exports.options import ReadChoices, ReadOptions
from review_exports.records import (
    BestRatingUnknown,
    ColumnsNotRecognised,
    DateOrderAmbiguous,
    FileRefused,
    NeedsInput,
    PlaceUnclear,
    PublicationUnclear,
    Question,
    ReadWarning,
    Record,
    RowError,
    Skipped,
    Subject,
)

__all__ = [
    "FORMATS",
    "BestRatingUnknown",
    "ColumnsNotRecognised",
    "DateOrderAmbiguous",
    "Export",
    "FileRefused",
    "NeedsInput",
    "PlaceUnclear",
    "PublicationUnclear",
    "Question",
    "ReadChoices",
    "ReadOptions",
    "ReadWarning",
    "Record",
    "RowError",
    "Skipped",
    "Subject",
    "read",
]
