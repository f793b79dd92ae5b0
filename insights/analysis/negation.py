"""Rules: which words of a sentence a negator reaches, and where a clause means the opposite."""

from collections.abc import Mapping

from insights.analysis import constructions, grammar
from insights.analysis.segments import Words

REACH = 5

_SEEN = frozenset(
    "met meet seen see had have been experienced encountered found heard tasted eaten used known"
    " felt received gotten got dealt looked worked run ran smelled worn".split()
)
# "I don't think that ... is good": the negation belongs to what is thought.
_THINKING = frozenset(
    "think thought believe believed feel felt find found say call consider considered".split()
)
# What turns out otherwise where a contrast follows: "I thought it would be expensive, but".
_EXPECTING = frozenset(
    "expected expecting thought figured feared assumed worried hoped hoping imagined".split()
)
_RIVALS = frozenset("other another previous last former".split())
_TRADES = frozenset(
    "company companies contractor contractors plumber plumbers electrician roofer firm firms shop"
    " shops outfit crew crews dentist dentists doctor doctors lawyer lawyers attorney attorneys"
    " clinic office vendor mechanic mechanics garage provider guys guy place places brand brands"
    " technician".split()
)
_TURNING = _EXPECTING | _RIVALS | {"yet", "much"}
_REACHING = grammar.NEGATORS | _TURNING
_NOT_DENIED = frozenset(("only", "doubt", "wonder", "just", "mention"))
_BARRIERS = frozenset((",", ".", "B"))
_WOULD = frozenset(("would", "'d", "going"))
_FINDING = frozenset(("found", "felt", "find", "feel"))
_COMPARED = frozenset("such more better nicer friendlier finer kinder cheaper fresher so".split())
_ABLE = frozenset("can could can't couldn't cannot cant couldnt there".split())


def reached(sentence: Words, built: Mapping[int, constructions.Match]) -> list[bool]:
    """Which words a negator reaches: five to its right, up to a comma or a contrast; to the end of
    the clause where it denies a thought, or an expectation that turned out otherwise, or where
    somebody else is spoken of; and the question that it answers: "On time? Never". The negator of
    a turn of phrase reaches no further than that: "can't fault the work".
    """
    words, tags, clauses = sentence.words, sentence.tags, sentence.clauses
    if _REACHING.isdisjoint(words):
        return [False] * len(words)
    reach = 0
    clause = -1  # The one that all is denied of.
    ends = {
        start + match.size
        for start, match in built.items()
        if not grammar.NEGATORS.isdisjoint(words[start : start + match.size])
    }
    found: list[bool] = []
    for index, word in enumerate(words):
        if (tags[index] in _BARRIERS and word not in {'"', "("}) or index in ends:
            reach, clause = 0, -1
        found.append(reach > 0 or clauses[index] == clause)
        reach -= 1
        if word in grammar.NEGATORS and index and words[index - 1] == "?":
            found = [True] * index + [False]
        elif word in grammar.NEGATORS:
            # "Not only good", "no doubt a great place", "not to mention".
            if index + 1 == len(words) or words[index + 1] not in _NOT_DENIED:
                reach = REACH
                if _is_raised(sentence, index):
                    clause = clauses[index]
        elif word in _TURNING and _denies_clause(sentence, index):
            clause = clauses[index]
        elif found[-1] and word in _COMPARED and _is_beyond_compare(words, index):
            # "Never met such friendly people", "couldn't find a better one".
            reach, clause, found[-1] = 0, -1, False
    return found


def _is_raised(sentence: Words, index: int) -> bool:
    """ "I don't think that ... is good", but "I can't believe how good", "I never thought"."""
    words, tags = sentence.words, sentence.tags
    follows = words[index + 1 : index + 3]
    if words[index] == "never":
        return not _FINDING.isdisjoint(follows[:1])
    if tags[index] != "H" and (words[index] != "not" or not index or tags[index - 1] != "H"):
        return False
    if follows[:1] == ["believe"] and not _ABLE.isdisjoint(words[max(0, index - 1) : index + 1]):
        return False
    return not _THINKING.isdisjoint(follows)


def _denies_clause(sentence: Words, index: int) -> bool:
    """Whether the opposite of what follows is meant: "have yet to see a good one", "so much for
    good service", "I thought it would be expensive, but", "the other company overcharged me".
    """
    words = sentence.words
    word = words[index]
    if word == "yet":
        return words[index + 1 : index + 2] == ["to"]
    if word == "much":
        opens = index == 1 or words[max(0, index - 2)] in {":", ",", "but", "and"}
        return opens and words[index - 1 : index + 2] == ["so", "much", "for"]
    if word in _RIVALS:
        return _is_of_a_rival(sentence, index)
    if word == "thought" and _WOULD.isdisjoint(words[index + 1 : index + 5]):
        return False
    return _turns_out_otherwise(sentence, index)


def _is_beyond_compare(words: list[str], index: int) -> bool:
    before = words[max(0, index - 4) : index]
    if not _SEEN.isdisjoint(before[-3:]):
        return True
    return words[index] not in {"such", "so", "more"} and not _ABLE.isdisjoint(before)


def _turns_out_otherwise(sentence: Words, index: int) -> bool:
    """ "I thought it would be expensive, but"."""
    words, tags = sentence.words, sentence.tags
    for ahead in range(index + 1, min(len(words), index + 12)):
        if tags[ahead] == "B":
            return words[ahead] in {"but", "however"}
        if tags[ahead] in {".", ";"}:
            return False
    return False


def _is_of_a_rival(sentence: Words, index: int) -> bool:
    """Whether a clause is about somebody else: "the other company overcharged me"."""
    words, clauses = sentence.words, sentence.clauses
    follows = words[index + 1 : index + 3]
    opens = index < 3 or clauses[index - 3] != clauses[index]
    if not opens or not follows or _TRADES.isdisjoint(follows):
        return False
    return all(word not in {"to", "from", "for", "with", "than", "like"} for word in words[:index])
