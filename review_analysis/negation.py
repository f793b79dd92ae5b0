"""Scope of negation, and clauses that mean the opposite of their words."""

from collections.abc import Mapping

from review_analysis import constructions, grammar, lexicon
from review_analysis.segments import Words
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_REACH = 5  # Words after a negator.

# Verbs that pass a negation on to their clause: "I don't think that ... is good".
_THINKING = _WORDS["thinking"]
# Expectations that a contrast reverses: "I thought it would be expensive, but".
_EXPECTING = _WORDS["expecting"]
# Claims of others that a contrast reverses: "reviews complain of the heat, but".
_CLAIMS = frozenset("reviews comments others reviewers complaints warned".split())
_WOULD = frozenset(("would", "'d", "going"))
_LONG = frozenset("years months decades weeks string series couple lots".split())
_FINDING = frozenset(("found", "felt", "find", "feel"))
_PAST = {"yet": "to", "remember": "when", "gone": "are"}  # With the word that must follow.
_TURNING = _EXPECTING | _CLAIMS | _PAST.keys() | {"used", "much", "after"}
_REACHING = grammar.DENYING | _TURNING | {"anything", "far"}
# "Not only good", "no doubt a great place", "not to mention", "nothing but praise".
_NOT_DENIED = frozenset(("only", "doubt", "wonder", "just", "mention", "but"))
_BARRIERS = frozenset((",", ".", "B"))
_BEEN = frozenset("been be".split())
_BEING = frozenset("be have get offer serve".split())
_COMPARED = frozenset("such more better nicer friendlier finer kinder cheaper fresher so".split())
_ABLE = frozenset("can could can't couldn't cannot cant couldnt there".split())


def negated_words(sentence: Words, gapped: Mapping[int, constructions.Match]) -> list[bool]:
    """Return for each word whether it is negated.

    A negator negates the next five words, up to a comma or a contrast. A negated thought, past or
    expectation is negated up to the end of its clause, and a denied question as a whole. The scope
    ends with a construction that contains the negator: "can't fault the work".
    """
    words, tags, clauses = sentence.words, sentence.tags, sentence.clauses
    if _REACHING.isdisjoint(words):
        return [False] * len(words)
    reach = 0
    until = -1  # The last clause that is negated as a whole.
    ends = {  # Ends of the constructions that contain a negator.
        start + match.size
        for start, match in gapped.items()
        if not grammar.NEGATORS.isdisjoint(words[start : start + match.size])
    }
    found: list[bool] = []
    for index, word in enumerate(words):
        if (tags[index] in _BARRIERS and word not in {'"', "("}) or index in ends:
            reach, until = 0, -1
        reach = 0 if _starts_new_verb(sentence, index) else reach
        found.append(reach > 0 or clauses[index] <= until)
        reach -= 1
        if word in grammar.DENYING and _is_answer(sentence, index):
            found = [True] * index + [word not in grammar.NEGATORS]
        elif word in grammar.NEGATORS and _NOT_DENIED.isdisjoint(words[index + 1 : index + 2]):
            reach = _REACH
            until = clauses[index] if _is_negative_raising(sentence, index) else until
        elif word in _TURNING and _denies_clause(sentence, index):
            until = clauses[index]
        elif (
            word == "from"
            and words[index - 1 : index] == ["far"]
            and lexicon.load().words.keys() & words[index + 1 : index + 3]
        ):
            reach = _REACH
        elif word == "anything" and words[index + 1 : index + 2] == ["but"]:
            # "Anything but clean" denies; "never anything but clean" does not.
            reach = _REACH if grammar.NEGATORS.isdisjoint(words[:index]) else 0
        elif found[-1] and _is_beyond_compare(words, index):
            # "Never met such friendly people", "couldn't find a better one".
            reach, until, found[-1] = 0, -1, False
    return found


def _starts_new_verb(sentence: Words, index: int) -> bool:
    """Whether "and" begins a statement that is not negated: "never called and left a mess"."""
    words, clauses = sentence.words, sentence.clauses
    if sentence.tags[index] != "&":
        return False
    opens = clauses[index] != clauses[index - 1]
    return opens or any(
        w in _WORDS["done"] or w.endswith("ed") for w in words[index + 1 : index + 2]
    )


def _is_answer(sentence: Words, index: int) -> bool:
    """Whether the negator denies all words before it: "On time? Never"."""
    words, tags = sentence.words, sentence.tags
    if index and words[index - 1] == "?":
        return True
    begin = index
    while begin and tags[begin - 1] not in _BARRIERS | {"."}:
        begin -= 1
    end = tags.index(".", index) if "." in tags[index:] else len(words)
    said = words[begin:end]
    return begin > 1 and len(said) >= 1 + (tags[begin - 1] != ".") and grammar.is_denial(said)


def _is_negative_raising(sentence: Words, index: int) -> bool:
    """Whether the negator applies to the clause of a verb of thinking: "I don't think"."""
    words, tags = sentence.words, sentence.tags
    follows = words[index + 1 : index + 3]
    if words[index] == "never":
        return not _FINDING.isdisjoint(follows[:1])
    if words[index] == "not" and "what" in follows:  # "Not exactly what I'd call clean".
        return "call" in words[index : index + 8]
    if tags[index] != "H" and (words[index] != "not" or not index or tags[index - 1] != "H"):
        return False
    if follows[:1] == ["believe"] and not _ABLE.isdisjoint(words[max(0, index - 1) : index + 1]):
        return False
    return not _THINKING.isdisjoint(follows)


def _denies_clause(sentence: Words, index: int) -> bool:
    """Whether the following words mean their opposite: "so much for good service"."""
    words, tags, word = sentence.words, sentence.tags, sentence.words[index]
    follows = words[index + 1 : index + 5]
    if word == "much":
        opens = index == 1 or words[max(0, index - 2)] in {":", ",", "but", "and"}
        return opens and words[index - 1 : index + 2] == ["so", "much", "for"]
    if word == "used":  # "It used to be great".
        is_past = tags[max(0, index - 1)] == "R" or not _BEING.isdisjoint(follows[1:2])
        return is_past and follows[:1] == ["to"]
    if word == "after":  # "After years of bad service elsewhere, we found them".
        return not index and "of" in words[2:5] and not _LONG.isdisjoint(follows[:3])
    if word in _PAST:
        return follows[:1] == [_PAST[word]]
    if word in _CLAIMS | {"thought"}:
        said = _WOULD if word == "thought" else _WORDS["telling"]
        if said.isdisjoint(follows[: 4 if word == "thought" else 3]):
            return False
    ahead = next((at for at in range(index + 1, len(words)) if tags[at] in {"B", ".", ";"}), index)
    return ahead <= index + 11 and words[ahead] in {"but", "however"}


def _is_beyond_compare(words: list[str], index: int) -> bool:
    word = words[index]
    if word not in _COMPARED and word not in lexicon.load().comparatives:
        return False
    before = words[max(0, index - 4) : index]
    if word in _COMPARED and not _WORDS["seen"].isdisjoint(before[-3:]):
        return True
    if word == "more":  # "Could not have been more helpful".
        return not _ABLE.isdisjoint(before) and not _BEEN.isdisjoint(before[-1:])
    return word not in {"such", "so"} and not _ABLE.isdisjoint(before)
