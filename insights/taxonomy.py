"""The words by which aspects, problems and topics are found: built in, drafted, in force."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from insights.models import Taxonomy
from reviews.models import Business, Vertical

FOLDER = Path(__file__).parent / "taxonomies"

Content = Mapping[str, Any]


def in_force() -> Content:
    """The taxonomy by which the reviews of this installation are read."""
    return published(vertical_of_business())


def vertical_of_business() -> str:
    vertical = Business.objects.values_list("vertical", flat=True).first()
    return vertical or Vertical.GENERIC


def published(vertical: str) -> Content:
    """The newest edition of this installation, or the built-in one."""
    newest = Taxonomy.objects.published().filter(vertical=vertical).order_by("-version").first()
    return newest.content if newest else built_in(vertical)


def draft(vertical: str) -> Taxonomy | None:
    """The edition that is being worked on."""
    return Taxonomy.objects.drafts().filter(vertical=vertical).first()


@cache
def built_in(vertical: str) -> Content:
    content: Content = json.loads((FOLDER / f"{vertical}.json").read_text(encoding="utf-8"))
    return content
