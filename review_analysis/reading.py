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
    clause: tuple[int, int]
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
    id: str
    label: Label
    score: float
    phrase: str  # Verbatim: the words round the mention that decided most.
    mentions: tuple[Mention, ...]
    quote: Callable[[], tuple[Phrase, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """Words of its clauses that speak for themselves; found when asked for."""
        return self.quote()


@dataclass(frozen=True, slots=True)
class EntityReading:
    type: str  # technician, service, problem, area or topic
    id: str
    label: Label
    score: float
    mentions: tuple[Mention, ...]
    resolved: bool = False  # Of a problem: the review says that it was solved.
    concept: str | None = None  # Of a problem: its id in `concepts.LABELS`, shared by all trades.


@dataclass(frozen=True, slots=True)
class Sentence:
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
    analysed: bool  # False for stars alone and for languages that are not read.
    label: Label
    score: float
    aspects: tuple[AspectReading, ...] = ()
    entities: tuple[EntityReading, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    complaints: tuple[Complaint, ...] = ()  # In the order of the text; a sentence has one or more.
