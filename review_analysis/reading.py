"""Result of analysing one review.

All offsets are code points of the text as it was given; scores run from -1 to 1.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Label = Literal["positive", "neutral", "negative"]


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a review speaks of something, and what it says of it there."""

    start: int
    end: int
    label: Label
    score: float
    sentence: int  # Index into `Reading.sentences`.
    clause: tuple[int, int]  # Offsets of the clause around it.
    explain: Callable[[], tuple[str, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def because(self) -> tuple[str, ...]:
        """Reasons for the label, strongest first, in a person's words; computed on access."""
        return self.explain()


@dataclass(frozen=True, slots=True)
class Phrase:
    """A few words that say what is thought of an aspect."""

    key: str  # Stems joined by a space: what two spellings of one phrase have in common.
    text: str  # As written.
    score: float


@dataclass(frozen=True, slots=True)
class AspectReading:
    """An aspect that a review judges or names."""

    id: str  # In the taxonomy.
    label: Label  # Of all its mentions.
    score: float  # Their weighted mean, within the bounds of the label.
    phrase: str  # Verbatim: the words round the mention that decided most.
    mentions: tuple[Mention, ...]
    quote: Callable[[], tuple[Phrase, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """Words of its clauses that speak for themselves; found when asked for."""
        return self.quote()


@dataclass(frozen=True, slots=True)
class EntityReading:
    """A person, service, problem, area or topic that a review names."""

    type: str  # person, service, problem, area or topic
    id: str  # In the roster or the taxonomy.
    label: Label
    score: float
    mentions: tuple[Mention, ...]
    resolved: bool = False  # Of a problem: the review says that it was solved.
    concept: str | None = None  # Of a problem: its id in `concepts.LABELS`, shared by all trades.
    role: str | None = None  # Of a person: as the roster tells it.


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the review, with its polarity."""

    start: int
    end: int
    label: Label
    score: float


@dataclass(frozen=True, slots=True)
class Complaint:
    """A sentence that tells of a deed or fault of this business."""

    start: int
    end: int
    concept: str | None = None  # An id in `concepts.LABELS`; None: no concept fits.


@dataclass(frozen=True, slots=True)
class Reading:
    """Result of reading one review."""

    analysed: bool  # False: the stars decided alone, for want of words or of English.
    label: Label  # Of the whole review.
    score: float
    aspects: tuple[AspectReading, ...] = ()  # In the order of the taxonomy.
    # People, services and areas in the order of the text, then problems and topics.
    entities: tuple[EntityReading, ...] = ()
    sentences: tuple[Sentence, ...] = ()  # All of the text.
    complaints: tuple[Complaint, ...] = ()  # In the order of the text; a sentence has one or more.

    @property
    def people(self) -> tuple[EntityReading, ...]:
        """Entities that are people of the roster, in the order of the text."""
        return tuple(entity for entity in self.entities if entity.type == "person")
