"""What the linear models look at, as named values.

Words speak for themselves and in pairs. What they add up to (by the lexicon's rules, and as the
sentence model learnt it) speaks by where it stands to the thing that is judged.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from typing import NamedTuple

from insights.analysis.segments import MAX_SENTENCE_WORDS, Words
from insights.analysis.valence import FAINT, Valences

Feature = tuple[str, float]

_LEXICON_SCALE = 1 / 3  # The lexicon runs to 4; here 1 is plain praise.
_REACH = 12  # Words on either side of a target that are looked at one by one.
_REACH_OF_OTHERS = 3  # The same of words of other clauses.
_PAIR_REACH = 6
_WEIGHT_OF_PAIRS = 0.5  # They tell more of one domain than of others.
_PATH_LENGTH = 4


def _places(side: str, *ends: int) -> list[str]:
    """What a feature calls each distance to a side: "R1" up to the first of the ends, and so on."""
    return [f"{side}{1 + bisect_left(ends, n)}" for n in range(MAX_SENTENCE_WORDS)]


def _sums(kind: str) -> dict[str, str]:
    """What a feature calls each sum of a kind, by the place that it is taken over."""
    return {place: f"={kind}{place}" for place in ("c", "b", "s", "d", *_SUMMED)}


_PLACES_OF_SUMS = {side: _places(side, 2, 5) for side in "LR"}
_SUMMED = [place for places in _PLACES_OF_SUMS.values() for place in dict.fromkeys(places)]
_PRAISE, _BLAME, _LEARNT_PRAISE, _LEARNT_BLAME = map(_sums, ("x+", "x-", "l+", "l-"))
_PLACES_OF_WORDS = {side: _places(side, 1, 3, 6) for side in "LR"}


class Weighed(NamedTuple):
    """A sentence with what each of its words weighs."""

    words: Words
    valences: Valences
    names: list[str]  # Those of `names`.
    learnt: list[float]  # What the sentence model makes of each word.
    chances: tuple[float, float, float]  # That the whole is negative, neutral, positive.


def names(sentence: Words, valences: Valences) -> list[str]:
    """A sentence's words as the models know them: negated ones marked, numbers alike, no marks."""
    result: list[str] = []
    for word, tag, negated in zip(sentence.words, sentence.tags, valences.negated, strict=True):
        if tag == "#":
            result.append("#")
        elif tag in {",", "."}:
            result.append(word[0] if word[0] in "!?" else "" if word.isascii() else word)
        else:
            result.append("!" + word if negated else word)
    return result


def of_words(names: list[str]) -> list[Feature]:
    """Words and pairs of neighbours, for the sentence model."""
    found: list[Feature] = []
    previous = "^"
    for name in names:
        if name:
            found.append((name, 1.0))
            if previous:
                found.append((previous + " " + name, 1.0))
        previous = name
    return found


def of_sums(sentence: Words, valences: Valences) -> list[Feature]:
    """The lexicon's view of a sentence."""
    strengths = [s * _LEXICON_SCALE for s in valences.strengths if s]
    found = [("=bias", 1.0)]
    count = len(sentence)
    found.append(("=short" if count < 6 else "=mid" if count < 15 else "=long", 1.0))
    if FAINT in valences.reasons:
        found.append(("=faint", 1.0))
    if not strengths:
        found.append(("=silent", 1.0))
        return found
    plus = sum(s for s in strengths if s > 0)
    minus = -sum(s for s in strengths if s < 0)
    total = plus - minus
    found += [
        ("=plus", min(plus, 3.0)), ("=minus", min(minus, 3.0)),
        ("=total", max(-3.0, min(3.0, total))),
        ("=sign+" if total > 0 else "=sign-", 1.0),
        ("=density", total / (count + 3) * 5),
        ("=last", max(-1.0, min(1.0, strengths[-1]))),
        ("=first", max(-1.0, min(1.0, strengths[0]))),
    ]  # fmt: skip
    if plus and minus:
        found.append(("=mixed", 1.0))
    contrast = next((i for i, tag in enumerate(sentence.tags) if tag == "B"), 0)
    if contrast:
        after = sum(valences.strengths[contrast:]) * _LEXICON_SCALE
        before = sum(valences.strengths[:contrast]) * _LEXICON_SCALE
        found.append(("=after", max(-2.0, min(2.0, after))))
        found.append(("=before", max(-2.0, min(2.0, before))))
    return found


# --- Targets --------------------------------------------------------------------------------------


def of_target(sentence: Weighed, first: int, last: int) -> list[Feature]:
    """What stands round words first..last.

    `=` features are sums of praise and blame by place (`c` the clause, `b` one that goes on about
    it, `s` the rest) and what the sentence model makes of the whole, `@` features the sums by the
    way from the target to the word (the parts of the words between); `t`, `c`, `L` and `R` features
    are the target's own words, those of its clause, and those to the left and right by distance;
    `<` and `>` features are the parts of its neighbours.
    """
    around = _Around(sentence, first)
    around.own_words(first, last)
    around.look(range(last + 1, len(sentence.names)), "R")
    around.look(range(first - 1, -1, -1), "L")
    around.sum_up()
    found = around.found
    tags, clauses = sentence.words.tags, sentence.words.clauses
    size = len(tags)
    before = tags[first - 1] if first else "^"
    after = tags[last + 1] if last + 1 < size else "$"
    second_before = tags[first - 2] if first > 1 else "^"
    second_after = tags[last + 2] if last + 2 < size else "$"
    found += [
        ("=bias", 1.0),
        ("=whole-", sentence.chances[0]), ("=whole0", sentence.chances[1]),
        ("=whole+", sentence.chances[2]),
        ("<" + before, 1.0), (">" + after, 1.0), ("<<" + second_before + before, 1.0),
        (">>" + after + second_after, 1.0), ("<>" + before + after, 1.0),
        ("=long" if size > 25 else "=mid" if size > 12 else "=short", 1.0),
        ("=clauses" + str(min(4, clauses[-1])), 1.0),
        ("=at" + str(min(3, clauses[first])), 1.0),
    ]  # fmt: skip
    if last > first:
        found.append(("=several", 1.0))
    return found


class _Around:
    """The features of one target while its surroundings are walked through."""

    def __init__(self, sentence: Weighed, first: int) -> None:
        self.sentence = sentence
        self.clause = sentence.words.clauses[first]
        self.continued = _continuation(sentence.words, self.clause)
        self.found: list[Feature] = []
        self.zones: defaultdict[str, float] = defaultdict(float)
        self.paths: defaultdict[str, float] = defaultdict(float)
        self.own = 0.0

    def own_words(self, first: int, last: int) -> None:
        for index in range(first, last + 1):
            self.found.append(("t " + self.sentence.names[index], 1.0))
            self.own += self.sentence.valences.strengths[index] * _LEXICON_SCALE
        if self.own:
            self.found.append(("=own", max(-1.5, min(1.5, self.own))))

    def look(self, order: range, side: str) -> None:
        """Walk from the target to one end of the sentence."""
        self._words(order[:_REACH], side)
        self._sums(order, side)
        self._paths(order[:_REACH], side)

    def _words(self, order: range, side: str) -> None:
        names, clauses = self.sentence.names, self.sentence.words.clauses
        places, previous = _PLACES_OF_WORDS[side], "T"
        for distance, index in enumerate(order, 1):
            name, is_near = names[index], clauses[index] == self.clause
            if name and (is_near or distance <= _REACH_OF_OTHERS):
                if is_near:
                    self.found.append(("c " + name, 1.0))
                self.found.append((f"{places[distance]} {name}", 1.0))
                if previous and distance <= _PAIR_REACH:
                    pair = f"{previous} {name}" if side == "R" else f"{name} {previous}"
                    self.found.append((f"{side}2 {pair}", _WEIGHT_OF_PAIRS))
            previous = name

    def _sums(self, order: range, side: str) -> None:
        words, valences, _, learnt, _ = self.sentence
        clauses, strengths, reasons = words.clauses, valences.strengths, valences.reasons
        places, zones = _PLACES_OF_SUMS[side], self.zones
        for distance, index in enumerate(order, 1):
            clause = clauses[index]
            where = "c" if clause == self.clause else "b" if clause == self.continued else "s"
            if strength := strengths[index]:
                sums, weight = _PRAISE if strength > 0 else _BLAME, abs(strength) * _LEXICON_SCALE
                zones[sums[where]] += weight
                if where == "c":
                    zones[sums[places[distance]]] += weight
            elif reasons[index] == FAINT:
                zones["=faint" + where] = 1.0
            if value := learnt[index]:
                sums, weight = _LEARNT_PRAISE if value > 0 else _LEARNT_BLAME, abs(value)
                zones[sums[where]] += weight
                if where == "c":
                    zones[sums[places[distance]]] += weight
                    zones[sums["d"]] += weight / (1.0 + 0.25 * distance)

    def _paths(self, order: range, side: str) -> None:
        tags, strengths = self.sentence.words.tags, self.sentence.valences.strengths
        learnt, paths, path = self.sentence.learnt, self.paths, ""
        for index in order:
            tag = tags[index]
            if strength := strengths[index]:
                sign = "+" if strength > 0 else "-"
                paths[f"@{sign}{side}{path}{tag}"] += abs(strength) * _LEXICON_SCALE
            if value := learnt[index]:
                sign = "p" if value > 0 else "m"
                paths[f"@{sign}{side}{path}"] += abs(value)
            if tag not in {"J", "D"} and not path.endswith(tag):
                path = path + tag if len(path) < _PATH_LENGTH else path[: _PATH_LENGTH - 1] + "*"

    def sum_up(self) -> None:
        zones = self.zones
        plus, minus = zones.get("=x+c"), zones.get("=x-c")
        if plus and minus:
            self.found.append(("=mixed", 1.0))
        elif plus or minus:
            self.found.append(("=only+" if plus else "=only-", 1.0))
        elif not self.own:
            self.found.append(("=silent", 1.0))
            if "=x+s" not in zones and "=x-s" not in zones:
                self.found.append(("=mute", 1.0))
        # For every mention; `min` costs three times the comparison.
        for zone, value in zones.items():
            self.found.append((zone, value if value < 3.0 else 3.0))  # noqa: FURB136 - above
        for way, value in self.paths.items():
            self.found.append((way, value if value < 2.0 else 2.0))  # noqa: FURB136 - above


def _continuation(words: Words, clause: int) -> int:
    """The next clause if it has no subject but goes on about that of this one: "The technician was
    nice, but did not fix it". Else -1.
    """
    clauses, tags = words.clauses, words.tags
    size = len(tags)
    index = bisect_right(clauses, clause) + 1  # Behind the word that opens the clause.
    while index < size and tags[index] in {"J", "N", "&"}:
        index += 1
    if index < size and clauses[index] == clause + 1 and tags[index] in {"H", "V", "C", "A"}:
        return clause + 1
    return -1
