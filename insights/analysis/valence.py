"""Rules: how strongly each word of a sentence praises or blames where it stands.

The lexicon's weight of a word is turned by negation, strengthened, weakened, or taken for what a
wish, a repair or "too" makes of it. Every change leaves a reason that a person can read.
"""

import re
from dataclasses import dataclass
from functools import cache

from insights.analysis import grammar, lexicon
from insights.analysis.segments import Words

NEGATION_REACH = 5

_INTENSIFIERS = {
    "very": 1.25, "really": 1.2, "so": 1.2, "extremely": 1.4, "incredibly": 1.4, "super": 1.3,
    "absolutely": 1.4, "totally": 1.3, "completely": 1.3, "truly": 1.25, "exceptionally": 1.4,
    "insanely": 1.4, "ridiculously": 1.3, "amazingly": 1.3, "remarkably": 1.3, "unbelievably": 1.4,
    "utterly": 1.4, "especially": 1.2, "particularly": 1.15, "highly": 1.25, "definitely": 1.15,
    "most": 1.2, "always": 1.1, "quite": 1.05, "wonderfully": 1.3, "beyond": 1.3, "real": 1.1,
    "damn": 1.3, "freaking": 1.3, "fucking": 1.3, "hella": 1.3, "seriously": 1.2, "thoroughly": 1.3,
    "genuinely": 1.2, "consistently": 1.2, "simply": 1.1, "perfectly": 1.3, "outright": 1.3,
}  # fmt: skip
_DIMINISHERS = {
    "somewhat": 0.6, "slightly": 0.5, "bit": 0.6, "little": 0.6, "fairly": 0.8, "kinda": 0.6,
    "rather": 0.9, "mildly": 0.5, "marginally": 0.5, "almost": 0.7, "nearly": 0.7, "partly": 0.6,
    "sorta": 0.6, "moderately": 0.7, "relatively": 0.8, "reasonably": 0.8, "occasionally": 0.7,
    "sometimes": 0.7, "maybe": 0.7, "supposedly": 0.2, "allegedly": 0.2,
}  # fmt: skip
_SUPERLATIVE = frozenset(["such", "more", "better", "nicer", "friendlier", "finer", "so"])
_SEEN = frozenset(
    "met meet seen see had have been experienced encountered found heard tasted eaten used known"
    " felt received gotten got dealt looked worked run ran smelled worn".split()
)
_REPAIRS = frozenset(
    "fix fixed fixes fixing repair repaired repairs repairing solve solved solves solving resolve"
    " resolved resolves resolving correct corrected cure cured clear cleared clearing unclog"
    " unclogged unclogging stop stopped eliminate eliminated remove removed removing diagnose"
    " diagnosed diagnosing patch patched address addressed handle handled remedy remedied rectify"
    " rectified locate located found identified identify pinpointed troubleshoot prevent prevented"
    " relieve relieved relieves ease eased alleviate alleviated avoid avoided sort sorted".split()
)
_TRIPLE = re.compile(r"(.)\1\1")
_MENDABLE = frozenset(
    "problem problems issue issues leak leaks leaking clog clogs clogged blockage mess damage"
    " trouble error errors mistake mistakes fault faults break broken crack cracks cracked pain"
    " pains complaint complaints concern concerns worries worry glitch bug bugs stain stains mold"
    " mould odor odour smell noise defect breakdown failure dispute wrong rats roaches mice leaky"
    " stress anxiety headache hassle infection injury delay fear fears faulty defective".split()
)
_WISH_VERBS = frozenset(("have", "'ve", "be", "been", "had", "were", "was", "use", "like"))
_STRENGTH_OF_TOO = -1.6

# Why a word counts as it does.
NEGATED, WISHED, REPAIRED, TOO, FAINT = "negated", "wished", "repair", "too", "faint"


@dataclass(slots=True)
class Valences:
    """Beside the words of one sentence: strength, and what a rule made of it (or "")."""

    strengths: list[float]
    reasons: list[str]
    negated: list[bool]  # Whether the word stands in the reach of a negator.
    phrases: dict[int, int]  # First word of a set phrase -> number of its words.


def known_words() -> frozenset[str]:
    """The single words that the lexicon weighs."""
    return _known()


@cache
def _known() -> frozenset[str]:
    return frozenset(lexicon.load().words)


def weigh(sentence: Words) -> Valences:
    """The valences of a sentence's words."""
    words, size = sentence.words, len(sentence)
    lex = lexicon.load()
    strengths = [0.0] * size
    reasons = [""] * size
    phrases: dict[int, int] = {}
    negated = _negated(sentence)
    skip = 0
    for index, word in enumerate(words):
        if index < skip:
            continue
        if word in lex.phrases and (phrase := lex.phrase_at(words, index)) is not None:
            length, weight = phrase
            phrases[index] = length
            skip = index + length
            place = skip - 1
            # A phrase that negates by itself is not negated by its own words.
            if tuple(words[index:skip]) in lex.faint:
                reasons[place] = FAINT
                continue
            outside = negated[index] and word not in grammar.NEGATORS
            strengths[place], reasons[place] = _modified(
                sentence, index, place, weight, negated=outside
            )
            continue
        if word in lex.faint_words:
            reasons[index] = FAINT
            continue
        weight = lex.words.get(word) or _squeezed(lex, word)
        if weight:
            strengths[index], reasons[index] = _modified(
                sentence, index, index, weight, negated=negated[index]
            )
        elif (
            index
            and words[index - 1] == "too"
            and sentence.tags[index] in {"A", "V", "n"}
            and not negated[index - 1]
        ):
            strengths[index], reasons[index] = _STRENGTH_OF_TOO, TOO
    return Valences(strengths, reasons, negated, phrases)


def _negated(sentence: Words) -> list[bool]:
    """Which words a negator reaches: five to its right, up to a comma or a contrast."""
    reach = 0
    negated: list[bool] = []
    words, tags = sentence.words, sentence.tags
    if grammar.NEGATORS.isdisjoint(words):
        return [False] * len(words)
    for index, word in enumerate(words):
        tag = tags[index]
        if tag in {",", ".", "B"} and word not in {'"', "("}:
            reach = 0
        negated.append(reach > 0)
        reach -= 1
        if word in grammar.NEGATORS:
            follows = words[index + 1] if index + 1 < len(words) else ""
            # "Not only good", "no doubt a great place", "not to mention".
            if follows not in {"only", "doubt", "wonder", "just", "mention"}:
                reach = NEGATION_REACH
        elif (
            reach and word in _SUPERLATIVE and _SEEN.intersection(words[max(0, index - 3) : index])
        ):
            reach = 0  # "Never met such friendly people", "have rarely seen a more honest one".
    return negated


def _modified(
    sentence: Words, first: int, index: int, weight: float, *, negated: bool
) -> tuple[float, str]:
    """The weight of the word or phrase at first..index in its place, and what changed it."""
    words = sentence.words
    reason = ""
    before = words[max(0, first - 3) : first][::-1]
    for distance, word in enumerate(before):
        if word in _INTENSIFIERS:
            weight *= 1 + (_INTENSIFIERS[word] - 1) / (distance + 1)
        elif word in _DIMINISHERS:
            weight *= _DIMINISHERS[word]
        elif word in {",", ".", "but"}:
            break
    if before and before[0] == "too" and not negated and "not" not in before:
        weight, reason = (_STRENGTH_OF_TOO if weight > 0 else weight * 1.2), TOO
    mended = _mended(sentence, first) if weight < 0 and words[index] in _MENDABLE else None
    if mended:
        weight, reason = 1.5, REPAIRED
    elif negated and mended is None:
        weight, reason = (-0.75 * weight if weight > 0 else -0.5 * weight), NEGATED
    elif weight > 0 and _is_wished(sentence, first):
        weight, reason = -0.6 * weight, WISHED
    if sentence.shouted[index]:
        weight *= 1.2
    return weight, reason


def _mended(sentence: Words, first: int) -> bool | None:
    """Whether a repair is spoken of: done, or missed (False) as in "never fixed the leak"."""
    words, tags = sentence.words, sentence.tags
    for index in range(first - 1, max(-1, first - 6), -1):
        if tags[index] in {",", ".", "B"}:
            break
        if words[index] in _REPAIRS:
            return not any(word in grammar.NEGATORS for word in words[max(0, index - 3) : index])
    after = words[first + 1 : first + 5]
    if any(word in _REPAIRS for word in after) and not {",", "but", "."} & {*after}:
        return not any(word in grammar.NEGATORS for word in after)
    return None


def is_resolved(sentence: Words, first: int, last: int) -> bool:
    """Whether the problem that words first..last name is said to be solved: "fixed the leak",
    "the leak was fixed", "no more leaks", "the leak is gone".
    """
    words, tags = sentence.words, sentence.tags
    before: list[str] = []
    for index in range(first - 1, max(-1, first - 7), -1):
        if tags[index] in {".", "B"}:
            break
        before.append(words[index])
    after: list[str] = []
    for index in range(last + 1, min(len(words), last + 7)):
        if tags[index] in {".", "B"}:
            break
        after.append(words[index])
    if before[:2] == ["more", "no"] or before[:1] == ["solved"]:
        return True
    around = (before, after)
    if any(word in grammar.NEGATORS or word in _UNDONE for part in around for word in part):
        return False
    return any(word in _REPAIRS for part in around for word in part) or any(
        word in {"gone", "disappeared", "vanished"} for word in after
    )


_UNDONE = frozenset("try tried trying attempted attempt failed could should supposed still".split())


def _is_wished(sentence: Words, first: int) -> bool:
    """ "Should have been warm", "could be better", "I wish it was bigger", "would be nice"."""
    words = sentence.words
    for index in range(first - 1, max(-1, first - 6), -1):
        word = words[index]
        if word in {",", ".", "but", ";"}:
            return False
        if word in {"should", "could"}:
            return words[index + 1] in _WISH_VERBS
        if word in {"wish", "wished"}:
            return True
        if word in {"would", "'d"} and words[index + 1] == "have" and "been" in words[index:first]:
            return True
    return False


def _squeezed(lex: lexicon.Lexicon, word: str) -> float:
    """ "Soooo goooood": letters said three times over are said for emphasis."""
    if not _TRIPLE.search(word):
        return 0.0
    once: list[str] = []
    twice: list[str] = []
    for char in word[:40]:
        if once[-1:] != [char]:
            once.append(char)
        if twice[-2:] != [char, char]:
            twice.append(char)
    weight = lex.words.get("".join(twice)) or lex.words.get("".join(once)) or 0.0
    return weight * 1.2
