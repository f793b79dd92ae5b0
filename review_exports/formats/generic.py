"""Formats of unknown tables and lists of objects, whose columns a person confirms."""

from review_exports.formats.base import Fields, Format, is_blank
from review_exports.values.flags import read_yes_no


def _adjust(fields: Fields) -> None:
    if str(fields.get("author")).isdecimal():
        fields["author"] = None  # An account number.
    wish = fields.get("_anonymous")
    if not is_blank(wish) and read_yes_no(wish) is not False:
        fields["author"] = None


TABLE = Format(name="generic", label="Table", columns={}, adjust=_adjust, is_typed=True)
OBJECTS = Format(name="own_or_generic_json", label="Any JSON", columns={}, adjust=_adjust)
LINES = Format(name="jsonl", label="JSON Lines", columns={}, adjust=_adjust)
