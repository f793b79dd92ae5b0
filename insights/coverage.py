"""Coverage of a taxonomy: its matches in some reviews, unmatched ones, and words that it lacks.

For the administrator who edits it: a preview of what would be counted, and a list to work off.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from insights.stop_nouns import EVERYDAY
from review_analysis import Analyser
from review_analysis.name_matching import Roster
from review_analysis.reading import Reading
from review_analysis.segments import Source, Words, sentences
from review_analysis.valence import known_words

GROUPS = {"aspects": "aspect", "problems": "problem", "topics": "topic"}
EXAMPLES = 3
UNMATCHED = 30
SUGGESTIONS = 30
LEAST_REVIEWS = 3  # A word of fewer reviews is not a theme.
Key = tuple[str, str]  # What kind of entry, and its id.
_NOUN = "n"
_EMPTY = EVERYDAY | {"drove", "live", "lives", "manage"}  # Verbs that look like nouns.


@dataclass(frozen=True, slots=True)
class Matched:
    """Matches of one entry: numbers of reviews now and before the edit, and some sentences."""

    group: str
    id: str
    label: str
    reviews: int
    before: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word or pair of words that no entry has, in so many reviews where nothing was found."""

    term: str
    reviews: int
    example: str

    @property
    def terms(self) -> list[str]:
        return [self.term]


@dataclass(frozen=True, slots=True)
class Coverage:
    reviews: int
    sentences: int
    unmatched_count: int
    matched: tuple[Matched, ...]  # In the taxonomy's order.
    unmatched: tuple[str, ...]  # Sentences that speak of no aspect, the most opinionated first.
    suggestions: tuple[Suggestion, ...]  # Those of most reviews first.

    @property
    def changed(self) -> tuple[Matched, ...]:
        """Entries that match more or fewer reviews than before."""
        return tuple(entry for entry in self.matched if entry.reviews != entry.before)


def coverage(
    taxonomy: Mapping[str, Any], before: Mapping[str, Any], roster: Roster, texts: Sequence[str]
) -> Coverage:
    """Compare the matches of `taxonomy` and of `before` in the texts; a millisecond for each."""
    now, then = Analyser(taxonomy, roster), Analyser(before, roster)
    found: dict[Key, list[str]] = defaultdict(list)
    earlier: Counter[Key] = Counter()
    terms = _Terms(roster)
    unmatched: list[tuple[float, str]] = []
    count = 0
    for text in texts:
        reading = now.read(text)
        for key, words in _places(text, reading).items():
            found[key].append(words)
        earlier.update(_places(text, then.read(text)).keys())
        passed_over = _without_aspect(reading)
        for number in passed_over:
            sentence = reading.sentences[number]
            words = text[sentence.start : sentence.end].strip()
            unmatched.append((-abs(sentence.score), words))
        terms.note(text, passed_over)
        count += len(reading.sentences)
    return Coverage(
        reviews=len(texts),
        sentences=count,
        unmatched_count=len(unmatched),
        matched=tuple(_matched(taxonomy, found, earlier)),
        unmatched=tuple(dict.fromkeys(words for _, words in sorted(unmatched)))[:UNMATCHED],
        suggestions=terms.suggestions(),
    )


def _matched(
    taxonomy: Mapping[str, Any], found: Mapping[Key, Sequence[str]], earlier: Mapping[Key, int]
) -> Iterator[Matched]:
    for group, kind in GROUPS.items():
        for entry in taxonomy.get(group, ()):
            key = kind, entry["id"]
            words = found.get(key, ())
            yield Matched(
                group,
                entry["id"],
                entry["label"],
                len(words),
                earlier.get(key, 0),
                tuple(words[:EXAMPLES]),
            )


def _without_aspect(reading: Reading) -> list[int]:
    """The places of the sentences that speak of no aspect."""
    spoken_of = {mention.sentence for aspect in reading.aspects for mention in aspect.mentions}
    return [number for number in range(len(reading.sentences)) if number not in spoken_of]


def _places(text: str, reading: Reading) -> dict[Key, str]:
    """The first sentence in which a review speaks of each aspect, problem and topic."""
    places: dict[Key, str] = {}
    mentioned = [("aspect", aspect.id, aspect.mentions) for aspect in reading.aspects]
    mentioned += [(entity.type, entity.id, entity.mentions) for entity in reading.entities]
    for kind, key, mentions in mentioned:
        if mentions:
            sentence = reading.sentences[mentions[0].sentence]
            places[kind, key] = text[sentence.start : sentence.end].strip()
    return places


class _Terms:
    """Nouns and pairs with a noun, by how many reviews have them where no aspect was found."""

    def __init__(self, roster: Roster) -> None:
        names = [name for person in roster.technicians for name in person.names]
        names += [name for area in roster.areas for name in (area.name, *area.aliases)]
        self._passed_over = known_words() | _EMPTY
        self._passed_over |= {word.lower() for name in names for word in name.split()}
        self._reviews: Counter[str] = Counter()
        self._elsewhere: Counter[str] = Counter()
        self._examples: dict[str, str] = {}

    def note(self, text: str, passed_over: Sequence[int]) -> None:
        source = Source(text)
        here: dict[str, str] = {}
        elsewhere: set[str] = set()
        for number, words in enumerate(sentences(source)):
            if number in passed_over:
                sentence = text[slice(*source.span(words.start, words.end))].strip()
                here |= dict.fromkeys(self._candidates(words), sentence)
            else:
                elsewhere.update(self._candidates(words))
        self._reviews.update(here.keys())
        self._elsewhere.update(elsewhere)
        for term, sentence in here.items():
            self._examples.setdefault(term, sentence)

    def _candidates(self, words: Words) -> list[str]:
        """In the order of the text; a pair is adjacent words of which the second is a noun."""
        is_noun = [
            tag == _NOUN and word.isalpha() and len(word) > 2 and word not in self._passed_over
            for word, tag in zip(words.words, words.tags, strict=True)
        ]
        found = []
        for index, word in enumerate(words.words):
            if is_noun[index]:
                found.append(word)
                if index and is_noun[index - 1]:
                    found.append(f"{words.words[index - 1]} {word}")
        return found

    def suggestions(self) -> tuple[Suggestion, ...]:
        """Terms that stand mostly where nothing was found; a pair takes the place of its words."""
        ranked = sorted(
            (
                (-reviews, term)
                for term, reviews in self._reviews.items()
                if reviews >= LEAST_REVIEWS and reviews > self._elsewhere[term]
            ),
            key=lambda entry: (entry[0], -entry[1].count(" "), entry[1]),
        )
        chosen: dict[str, int] = {}
        for negative, term in ranked:
            longer = (pair for pair in chosen if term in pair.split())
            if all(2 * chosen[pair] < -negative for pair in longer):
                chosen[term] = -negative
        return tuple(
            Suggestion(term, reviews, self._examples[term])
            for term, reviews in list(chosen.items())[:SUGGESTIONS]
        )
