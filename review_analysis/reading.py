"""Result of analysing one review.

All offsets count code points of the original text, and scores run from -1 to 1.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Label = Literal["positive", "neutral", "negative"]


@dataclass(frozen=True, slots=True)
class Mention:
    """One place at which a review mentions something, with its polarity there."""

    start: int
    end: int
    label: Label
    score: float
    sentence: int  # Index into `Reading.sentences`.
    clause: tuple[int, int]  # Offsets of the clause.
    explain: Callable[[], tuple[str, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def because(self) -> tuple[str, ...]:
        """Reasons for the label in words, strongest first, computed on access."""
        return self.explain()


@dataclass(frozen=True, slots=True)
class Phrase:
    """A few words that state an opinion about an aspect."""

    key: str  # Sorted stems, equal for variants of a phrase.
    text: str  # Verbatim.
    score: float


@dataclass(frozen=True, slots=True)
class AspectReading:
    """An aspect that a review judges or mentions."""

    id: str  # In the taxonomy.
    label: Label  # Of all mentions together.
    score: float  # Weighted mean of the mentions, within the range of the label.
    phrase: str  # Verbatim words of the most decisive mention.
    mentions: tuple[Mention, ...]
    quote: Callable[[], tuple[Phrase, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """Quotable words of the aspect's clauses, computed on access."""
        return self.quote()


@dataclass(frozen=True, slots=True)
class EntityReading:
    """A person, service, problem, area or topic that a review mentions."""

    type: str  # person, service, problem, area or topic
    id: str  # In the roster or the taxonomy.
    label: Label
    score: float
    mentions: tuple[Mention, ...]
    resolved: bool = False  # Of a problem: whether the review says that it was solved.
    concept: str | None = None  # Of a problem: a key of `concepts.LABELS`.
    role: str | None = None  # Of a person: the role in the roster.


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the review and its polarity."""

    start: int
    end: int
    label: Label
    score: float


@dataclass(frozen=True, slots=True)
class Complaint:
    """A sentence that complains about this business."""

    start: int
    end: int
    concept: str | None = None  # A key of `concepts.LABELS`, None if no concept fits.


@dataclass(frozen=True, slots=True)
class Reading:
    """Result of analysing one review."""

    analysed: bool  # False if the rating decided alone, without a text in English.
    label: Label  # Of the whole review.
    score: float
    aspects: tuple[AspectReading, ...] = ()  # In the order of the taxonomy.
    # People, services and areas in text order, then problems and topics.
    entities: tuple[EntityReading, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    complaints: tuple[Complaint, ...] = ()  # In text order; a sentence may have several.

    @property
    def people(self) -> tuple[EntityReading, ...]:
        """Entities that are people of the roster, in text order."""
        return tuple(entity for entity in self.entities if entity.type == "person")
