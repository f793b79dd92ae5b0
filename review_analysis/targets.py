"""Features of the target model: evidence of a sentence's opinion on one target in it.

Most features are common to all targets of a clause; the others depend on the words beside the
target. A feature consists of its kind, the observation and a value.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from review_analysis import heads
from review_analysis.features import LEXICON_SCALE, ScoredSentence
from review_analysis.segments import Words
from review_analysis.valence import FAINT

Feature = tuple[str, str, float]

_REACH = 6  # Words on either side of a target that have features.
_REACH_OF_OTHERS = 3  # Words on either side that may belong to other clauses.
_PATH_REACH = 12
_LONGEST_PATH = 4
_WEIGHT_OF_PAIRS = 0.5  # Pairs generalise worse to other domains.


class _Side:
    """Names of the features on one side of a target; tuples are indexed by distance."""

    def __init__(self, name: str) -> None:
        distances = range(1, _REACH + 1)
        self.words = tuple(f"{name}{1 + bisect_left((1, 3), n)}" for n in distances)
        self.pairs = f"{name}&"
        self.praise, self.blame, self.learnt_praise, self.learnt_blame = (
            tuple(f"{kind}{name}{n}" for n in distances) for kind in ("x+", "x-", "l+", "l-")
        )
        self.path_to_praise, self.path_to_blame = f"@+{name}", f"@-{name}"


_LEFT, _RIGHT = _Side("L"), _Side("R")


def clause_features(sentence: ScoredSentence, clause: int) -> list[Feature]:
    """Return the features that all targets of a clause share.

    `c` features are the words of the clause. `=` features are its position, the length of the
    sentence, the probabilities of the sentence model, and sums of praise and blame by the lexicon
    (`x`) and by the sentence model (`l`): in the clause (`c`), in its continuation (`b`) and in the
    rest of the sentence (`s`).
    """
    words, valences, names, learnt, probabilities, opinion_words, _ = sentence
    low, high = bisect_left(words.clauses, clause), bisect_right(words.clauses, clause)
    stop = _end_of_continuation(words, high)
    size = len(words)
    found = [("c", name, 1.0) for name in names[low:high] if name]
    found += [
        ("=", "bias", 1.0),
        ("=", "whole-", probabilities[0]),
        ("=", "whole0", probabilities[1]),
        ("=", "whole+", probabilities[2]),
        ("=", "long" if size > 25 else "mid" if size > 12 else "short", 1.0),
        ("=", "clauses" + str(min(4, words.clauses[-1])), 1.0),
        ("=", "at" + str(min(3, clause)), 1.0),
    ]  # fmt: skip
    strengths, reasons = valences.strengths, valences.reasons
    plus, minus = _sides(strengths[low:high])
    if plus and minus:
        found.append(("=", "mixed", 1.0))
    elif plus or minus:
        found.append(("=", "only+" if plus else "only-", 1.0))
    else:
        found.append(("=", "silent" if opinion_words else "mute", 1.0))
    for where, part in (("c", slice(low, high)), ("b", slice(high, stop))):
        found += _sums(where, strengths[part], learnt[part], reasons[part])
    found += _sums(
        "s",
        strengths[:low] + strengths[stop:],
        learnt[:low] + learnt[stop:],
        reasons[:low] + reasons[stop:],
    )
    return found


def _sums(
    where: str, strengths: list[float], learnt: list[float], reasons: list[str]
) -> Iterator[Feature]:
    for kind, values, scale in (("x", strengths, LEXICON_SCALE), ("l", learnt, 1.0)):
        plus, minus = _sides(values)
        if plus:
            yield "=", f"{kind}+{where}", min(3.0, plus * scale)
        if minus:
            yield "=", f"{kind}-{where}", min(3.0, minus * scale)
    if FAINT in reasons:
        yield "=", "faint" + where, 1.0


def _sides(values: list[float]) -> tuple[float, float]:
    """Return the sums of positive and of negative values, both as positive numbers."""
    plus = minus = 0.0
    for value in values:
        if value > 0:
            plus += value
        else:
            minus -= value
    return plus, minus


def _end_of_continuation(words: Words, end: int) -> int:
    """Return the end of the next clause, or `end` if its subject is another."""
    clauses, tags = words.clauses, words.tags
    size = len(tags)
    index = end + 1  # The word after the opener of the clause.
    while index < size and tags[index] in {"J", "N", "&"}:
        index += 1
    if index < size and clauses[index] == clauses[end] and tags[index] in {"H", "V", "C", "A"}:
        return bisect_right(clauses, clauses[end])
    return end


def target_features(sentence: ScoredSentence, first: int, last: int) -> list[Feature]:
    """Return the features of the target in words first..last.

    `t` features are the words of the target. `L` and `R` are the words to its left and right by
    distance, and pairs of them (`&`). `<` and `>` are the tags of its neighbours. `@` are the
    strengths of opinion words by the path of tags between them and the target. `=` features are the
    scores of the neighbours, and whether the opinion words refer to the target (`heads`), combined
    with the probabilities of the sentence.
    """
    words, names, learnt = sentence.words, sentence.feature_names, sentence.learnt
    tags = words.tags
    low, high = words.clause_bounds(first)
    found = [("t", name, 1.0) for name in names[first : last + 1]]
    if last > first:
        found.append(("=", "several", 1.0))
    right = slice(last + 1, last + 1 + min(_REACH, max(_REACH_OF_OTHERS, high - last)))
    left = slice(max(0, first - min(_REACH, max(_REACH_OF_OTHERS, first - low))), first)
    found += _neighbour_features(_RIGHT, names[right])
    found += _neighbour_features(_LEFT, names[left][::-1])
    found += _learnt_features(_RIGHT, learnt[last + 1 : min(last + _REACH, high) + 1])
    found += _learnt_features(_LEFT, learnt[max(low, first - _REACH) : first][::-1])
    found += _lexicon_features(sentence, first, last, range(low, high + 1))
    found += _head_features(sentence, first, last, range(low, high + 1))
    before = tags[first - 1] if first else "^"
    after = tags[last + 1] if last + 1 < len(tags) else "$"
    second_before = tags[first - 2] if first > 1 else "^"
    second_after = tags[last + 2] if last + 2 < len(tags) else "$"
    found += [
        ("<", before, 1.0), (">", after, 1.0), ("<>", before + after, 1.0),
        ("<<", second_before + before, 1.0), (">>", after + second_after, 1.0),
    ]  # fmt: skip
    return found


def _neighbour_features(side: _Side, names: list[str]) -> list[Feature]:
    """Return the features of the words on one side, given nearest first."""
    found: list[Feature] = []
    previous = ""
    for kind, name in zip(side.words, names, strict=False):
        if name:
            found.append((kind, name, 1.0))
            if previous:
                found.append((side.pairs, previous + " " + name, _WEIGHT_OF_PAIRS))
        previous = name
    return found


def _learnt_features(side: _Side, learnt: list[float]) -> list[Feature]:
    """Return the scores by the sentence model on one side, given nearest first."""
    return [
        ("=", side.learnt_praise[place], value)
        if value > 0
        else ("=", side.learnt_blame[place], -value)
        for place, value in enumerate(learnt)
        if value
    ]


def _lexicon_features(
    sentence: ScoredSentence, first: int, last: int, clause: range
) -> list[Feature]:
    """Return the strengths of opinion words by distance and path."""
    found: list[Feature] = []
    tags, strengths = sentence.words.tags, sentence.valences.strengths
    own = 0.0
    for index in sentence.opinion_words:
        value = strengths[index] * LEXICON_SCALE
        if index > last:
            side, distance, between = _RIGHT, index - last, tags[last + 1 : index]
        elif index < first:
            side, distance, between = _LEFT, first - index, tags[first - 1 : index : -1]
        else:
            own += value
            continue
        if distance <= _REACH and index in clause:
            kinds = side.praise if value > 0 else side.blame
            found.append(("=", kinds[distance - 1], abs(value)))
        if distance <= _PATH_REACH:
            kind = side.path_to_praise if value > 0 else side.path_to_blame
            found.append((kind, _path(between) + tags[index], abs(value)))
    if own:
        found.append(("=", "own", max(-1.5, min(1.5, own))))
    return found


def _head_features(sentence: ScoredSentence, first: int, last: int, clause: range) -> list[Feature]:
    """Return the sums of praise and blame of the target, of other nouns and of pronouns."""
    strengths = sentence.valences.strengths
    end = heads.end_of_noun(sentence.words, last)
    sums: dict[str, float] = {}
    for index, head in zip(sentence.opinion_words, sentence.heads, strict=True):
        if index not in clause or (head == heads.UNKNOWN and not first <= index <= end):
            continue
        if first <= index <= end or first <= head <= end:
            whose = "its"
        else:
            whose = "pronoun" if head == heads.PRONOUN else "other"
        value = strengths[index] * LEXICON_SCALE
        kind = whose + ("+" if value > 0 else "-")
        sums[kind] = sums.get(kind, 0.0) + abs(value)
    found = [("=", kind, min(2.0, value)) for kind, value in sums.items()]
    praised, blamed = "its+" in sums, "its-" in sums
    if praised or blamed:
        state = "both" if praised and blamed else "praised" if praised else "blamed"
    elif "other+" in sums or "other-" in sums:
        state = "other"
    else:
        state = "pronoun" if sums else "none"
    negative, neutral, positive = sentence.probabilities
    return [
        *found,
        ("=", state, 1.0),
        ("=", f"{state} whole-", negative),
        ("=", f"{state} whole0", neutral),
        ("=", f"{state} whole+", positive),
    ]


def _path(tags: list[str]) -> str:
    path = ""
    for tag in tags:
        if tag not in {"J", "D"} and not path.endswith(tag):
            if len(path) == _LONGEST_PATH:
                return path[:-1] + "*"
            path += tag
    return path
