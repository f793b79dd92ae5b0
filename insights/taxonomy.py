"""Select the taxonomy of this installation, and its draft."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from insights.models import Taxonomy
from review_analysis.taxonomies import builtin
from reviews.models import Business, Vertical

Content = Mapping[str, Any]


def in_force() -> Content:
    """The newest version of the business's vertical, or the built-in one."""
    return published(vertical_of_business())


def vertical_of_business() -> str:
    vertical = Business.objects.values_list("vertical", flat=True).first()
    return vertical or Vertical.GENERIC


def published(vertical: str) -> Content:
    """The newest version of a vertical, or the built-in one."""
    newest = Taxonomy.objects.published().filter(vertical=vertical).order_by("-version").first()
    return newest.content if newest else builtin(vertical)


def version(vertical: str | None = None) -> int:
    """Return the published version of a vertical's taxonomy, by default the business's.

    The number is at least the highest version of all verticals, so it never falls when the business
    changes its vertical.
    """
    own: int = (published(vertical) if vertical else in_force())["version"]
    highest: int | None = Taxonomy.objects.aggregate(highest=Max("version"))["highest"]
    return max(own, highest or 0)


def draft(vertical: str) -> Taxonomy | None:
    return Taxonomy.objects.drafts().filter(vertical=vertical).first()
