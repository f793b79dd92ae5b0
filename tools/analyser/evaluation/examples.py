"""Labelled texts, independent of their file format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from review_analysis.reading import Label


@dataclass(frozen=True, slots=True)
class TargetExample:
    """Label of `term` in `text`; `start` is None if the label holds for the whole text."""

    text: str
    term: str
    start: int | None
    label: Label
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class TextExample:
    text: str
    label: Label


@dataclass(frozen=True, slots=True)
class ReviewExample:
    """A review; fields without labels are None."""

    text: str
    rating: int | None
    aspects: Mapping[str, Label] | None = None
    people: frozenset[str] | None = None
    problems: Mapping[str, bool] | None = None  # Whether each was solved.
    sentiment: Label | None = None


@dataclass(slots=True)
class LabelledSet:
    """Examples of one file."""

    name: str
    note: str = ""
    targets: list[TargetExample] = field(default_factory=list)
    texts: list[TextExample] = field(default_factory=list)
    reviews: list[ReviewExample] = field(default_factory=list)
    taxonomy: Mapping[str, Any] = field(default_factory=dict)
    roster: list[Mapping[str, Any]] = field(default_factory=list)
