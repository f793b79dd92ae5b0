"""Segmentation of a text into sentences, clauses and words, with offsets in the original text.

Only the first 10,000 characters and 200 sentences are read. A sentence is split after 150 words.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from review_analysis import grammar
from review_analysis.text import compose_with_origins, respell, to_original
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

MAX_CHARACTERS = 10_000
MAX_SENTENCES = 200
MAX_SENTENCE_WORDS = 150

_STRAIGHT = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u00b4": "'", "`": "'", "\uff07": "'",
    "\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"',
    "\u2010": "-", "\u2011": "-", "\u00a0": " ", "\u2028": "\n", "\u2029": "\n",
})  # fmt: skip

# Words ("don't" is one, "it's" two), numbers, emoticons, runs of marks, and single characters.
_WORD = re.compile(
    r"([^\W\d_]+(?:n?'t\b)?"
    r"|'(?:s|re|m|ve|ll|d)\b"
    r"|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|%)?"
    r"|[:;=]'?-?[()dp/]+(?!\w)|<3|\):"
    r"|!+|\?[?!]*|\.{2,}|--+"
    r"|(?!(?<=\w)-(?=\w))[^\s\w]|\w|\n+)"
)

_Token = tuple[str, int, int]  # A word or mark with its start and end.


class Source:
    """A text and its normalised form.

    `composed` is in NFC with corrected spelling. `normalised` is `composed` in lower case with
    ASCII quotation marks and hyphens; both have the same length.
    """

    def __init__(self, original: str) -> None:
        self.original = original
        part, self._origins = compose_with_origins(original[:MAX_CHARACTERS])
        if spelt := respell(part):
            part, origins = spelt
            before = self._origins
            self._origins = [before[place] for place in origins] if before else origins
        self.composed = part
        lowered = part.lower()
        if len(lowered) != len(part):  # "İ" has two characters in lower case.
            lowered = "".join(low if len(low := char.lower()) == 1 else char for char in part)
        lowered = lowered.replace("\r", "\n")
        self.normalised = (
            lowered if lowered.isascii() and "`" not in lowered else lowered.translate(_STRAIGHT)
        )

    @cached_property
    def words(self) -> list[tuple[str, int]]:
        """Runs of letters, digits and underscores, with their starts."""
        return [(match[0], match.start()) for match in re.finditer(r"\w+", self.normalised)]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of `normalised[start:end]` in the original text."""
        return to_original(self._origins, start, end)


@dataclass(slots=True)
class Words:
    """Words of one sentence. `clauses[i]` is the number of the clause of word i."""

    start: int
    end: int
    words: list[str]
    starts: list[int]
    ends: list[int]
    tags: list[str]
    clauses: list[int]
    shouted: list[bool]

    def __len__(self) -> int:
        return len(self.words)

    def clause_bounds(self, index: int) -> tuple[int, int]:
        """Return the first and last word, inclusive, of the clause of word `index`."""
        number = self.clauses[index]
        return bisect_left(self.clauses, number), bisect_right(self.clauses, number) - 1

    def at(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and last word, inclusive, that overlap characters start..end."""
        first = bisect_right(self.ends, start)
        last = bisect_left(self.starts, end) - 1
        return (first, last) if first <= last else (0, 0)


def sentences(source: Source) -> Iterator[Words]:
    """Yield the sentences of a text in order."""
    tokens = _tokens(source.normalised)
    first = 0
    count = 0
    for index, token in enumerate(tokens):
        may_end = (
            token[0][0] in _ENDS
            and _ends_sentence(tokens, index)
            and not _is_denied(tokens, first, index)
        )
        if index - first + 1 < MAX_SENTENCE_WORDS and not may_end:
            continue
        if words := _words(source, tokens[first : index + 1]):
            yield words
            count += 1
            if count == MAX_SENTENCES:
                return
        first = index + 1
    if words := _words(source, tokens[first:]):
        yield words


def _tokens(text: str) -> list[_Token]:
    """Split a text into words and marks. `split` is twice as fast as `finditer` here."""
    parts = _WORD.split(text)  # Alternately a gap and a word.
    ends = list(accumulate(map(len, parts)))
    return list(zip(parts[1::2], ends[::2], ends[1::2], strict=False))


def _ends_sentence(tokens: list[_Token], index: int) -> bool:
    """Whether the mark at `index` ends a sentence."""
    mark, _, end = tokens[index]
    if mark[0] == "\n":
        return True
    follows = tokens[index + 1] if index + 1 < len(tokens) else None
    gap = follows is None or follows[1] > end
    if mark[0] in _CLOSERS:
        before, _, last = tokens[index - 1] if index else (" ", 0, -1)
        return gap and last == tokens[index][1] and before[-1] in _STOPS
    if follows is None:
        return True
    if not gap and follows[0][0] in _CLOSERS | _STOPS:  # A later mark ends the sentence.
        return False
    if mark == ".":
        gap = _is_full_stop(tokens, index, gap=gap)
    return gap


def _is_denied(tokens: list[_Token], first: int, index: int) -> bool:
    """Whether the words after a mark only deny those before it: "On time? Never."."""
    mark = tokens[index][0]
    if mark not in {"?", "."}:
        return False
    answer: list[str] = []
    for word, _, _ in tokens[index + 1 : index + 2 + grammar.LONGEST_DENIAL]:
        if word[0] in _STOPS:
            break
        answer.append(word)
    if not grammar.is_denial(answer):
        return False
    return mark == "?" or all(word not in grammar.NEGATORS for word, _, _ in tokens[first:index])


def _is_full_stop(tokens: list[_Token], index: int, *, gap: bool) -> bool:
    """Whether a dot ends a sentence; not in "Dr. Lee", "J. Smith", "no. 3" and "yelp.com"."""
    follows = tokens[index + 1][0]
    before, _, end = tokens[index - 1] if index else ("", 0, 0)
    if end < tokens[index][1]:
        before = ""
    if not gap:  # "Great food.Nice staff"
        return len(before) > 2 and follows[0].isalpha() and follows not in _ENDINGS
    if before == "no":
        return not follows[0].isdigit()
    return before not in _WORDS["abbreviations"] and not (
        len(before) == 1 and before.isalpha() and before != "i"
    )


_STOPS = frozenset(".!?\u2026\u3002")
_CLOSERS = frozenset("\"')")
_ENDS = _STOPS | _CLOSERS | {"\n"}
_ENDINGS = frozenset("com net org edu gov info biz co uk us io html htm pdf exe m".split())


def _words(source: Source, tokens: list[_Token]) -> Words | None:
    while tokens and tokens[0][0][0] in "\n\"')":
        tokens = tokens[1:]
    while tokens and tokens[-1][0][0] == "\n":
        tokens = tokens[:-1]
    if not tokens:
        return None
    words, starts, ends = map(list, zip(*tokens, strict=True))
    tags = grammar.tags(words)
    clauses = _clauses(words, tags)
    shouted = _shouted(source.composed, starts, ends)
    return Words(starts[0], ends[-1], words, starts, ends, tags, clauses, shouted)


_CAPITALS = re.compile(r"[A-Z]{3}|[^\W\d_a-zA-Z]{3}")


def _shouted(text: str, starts: list[int], ends: list[int]) -> list[bool]:
    """Return which words are in capitals, none if most words are."""
    if not _CAPITALS.search(text, starts[0], ends[-1]):
        return [False] * len(starts)
    spans = list(zip(starts, ends, strict=True))
    shouted = [end - start > 2 and text[start:end].isupper() for start, end in spans]
    if 2 * sum(shouted) > sum(end - start > 2 for start, end in spans):
        return [False] * len(starts)
    return shouted


VERBS = frozenset("CHV")
_HEARTS = frozenset("love loved hate hated like liked dislike disliked".split())
_EXCEPTING = (["apart", "from"], ["aside", "from"], ["except", "for"], ["other", "than"])
_CONTRASTS = frozenset("only unfortunately sadly".split())


def opens_contrast(sentence: Words) -> bool:
    """Whether a sentence begins with a contrast: "However, the price"."""
    return sentence.tags[0] == "B" or sentence.words[0] in _CONTRASTS


_PRONOUNS = frozenset("he she they i we".split())


def is_verb(words: Words, at: int, low: int) -> bool:
    """Whether the word at `at` is a verb, by its tag or after a pronoun: "they forgot"."""
    if words.tags[at] in VERBS:
        return True
    return at > low and words.words[at - 1] in _PRONOUNS and words.tags[at] in {"n", "A"}


def subject_of(words: Words, first: int, last: int) -> range:
    """Return the subject of words first..last, from an earlier clause if theirs has none."""
    low = words.clause_bounds(first)[0]
    while True:
        begin = low
        while begin < first and words.tags[begin] in {"&", "B", ",", "W"}:
            begin += 1
        verb = next((at for at in range(low, last + 1) if is_verb(words, at, low)), last + 1)
        if verb > begin or not low:
            return range(begin, min(verb, first) if verb <= last else begin)
        low = words.clause_bounds(low - 1)[0]


def _clauses(words: list[str], tags: list[str]) -> list[int]:
    """Number the clauses: one begins at a contrast, `;`, a new subject, and between remarks."""
    numbers: list[int] = []
    number = begun = 0
    has_verb = False
    fresh = True  # Several openers in a row begin one clause: ", but".
    for index, word in enumerate(words):
        tag = tags[index]
        opens = False
        if not fresh:
            if word in _WORDS["openers"] and tag not in {"P", "&"}:
                opens = True
            elif word == ",":
                opens = _parts(words, tags, begun, index, has_verb=has_verb)
            elif word in {"and", "or", "so", "but"} and has_verb:
                opens = _begins_clause(words, tags, index + 1)
        if opens:
            number += 1
            begun = index + 1
            has_verb = False
            fresh = True
        elif tag not in {",", "&", "B"}:
            fresh = False
        if tag in VERBS:
            has_verb = True
        numbers.append(number)
    return numbers


def _parts(words: list[str], tags: list[str], begun: int, index: int, *, has_verb: bool) -> bool:
    """Whether the comma at `index` separates clauses, the first of which starts at `begun`."""
    if not begun and words[:2] in _EXCEPTING:
        return True  # "Apart from the parking, everything was great".
    if _HEARTS.issuperset(words[begun : begun + 1] + words[index + 1 : index + 2]):
        return True  # "Love the stylist, hate the parking".
    if has_verb:
        return _begins_clause(words, tags, index + 1)
    before, after = tags[max(begun, index - 3) : index], tags[index + 1 : index + 4]
    return _is_remark(before[::-1]) and _is_remark(after)


def _is_remark(tags: list[str]) -> bool:
    """Whether the tags are those of a remark without a verb: "slow service"."""
    part = tags[: tags.index(",")] if "," in tags else tags
    return "A" in part and "n" in part


def _begins_clause(words: list[str], tags: list[str], index: int) -> bool:
    """Whether a subject with its verb begins at `index`: "and the staff was rude"."""
    size = len(words)
    if index < size and tags[index] in {"&", "J"}:
        index += 1
    if index >= size:
        return False
    if tags[index] == "R":
        return True
    if tags[index] not in {"D", "n", "A", "V"}:
        return False
    for ahead in range(index + 1, min(index + 6, size)):
        tag = tags[ahead]
        if tag in {"C", "H"} or (tag == "V" and tags[ahead - 1] in {"n", "J"}):
            return True
        if tag in {",", "&", ".", "B", "W", "P"}:
            return False
    return False
