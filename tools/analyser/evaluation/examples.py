"""Labelled texts in the forms that the measures take, whatever file they came from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from review_analysis.reading import Label


@dataclass(frozen=True, slots=True)
class TargetExample:
    """Label of `term` in `text`; `start` is its place, or None where it is the whole text's."""

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
    """A review; what its labels do not tell is None."""

    text: str
    rating: int | None
    aspects: Mapping[str, Label] | None = None
    people: frozenset[str] | None = None
    problems: Mapping[str, bool] | None = None  # Whether each was solved.
    sentiment: Label | None = None


@dataclass(slots=True)
class LabelledSet:
    """One file: its name, and the examples read from it."""

    name: str
    note: str = ""
    targets: list[TargetExample] = field(default_factory=list)
    texts: list[TextExample] = field(default_factory=list)
    reviews: list[ReviewExample] = field(default_factory=list)
    taxonomy: Mapping[str, Any] = field(default_factory=dict)
    roster: list[Mapping[str, Any]] = field(default_factory=list)
