"""Names of `core.admin.base` as the hub's admin imports them."""

from core.admin.base import ChoiceFilter, is_key
from core.admin.base import ReadOnlyAdmin as ReadOnlyList

__all__ = ["ChoiceFilter", "ReadOnlyList", "is_key"]
