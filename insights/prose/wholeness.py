"""Which sentences are whole, and are understood without those around them.

Parts of speech are those of `review_analysis.grammar`: as good as a list of the small words and a
few endings can tell them.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from insights.nouns import EVERYDAY, is_person
from review_analysis.segments import Source, sentences
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_CAPITALISED = re.compile(r"(?<=[a-z,] )(?!I\b)[A-Z][a-z]+")  # Within a sentence.
_SEVERAL = re.compile("[^s]s$")
_NAME = re.compile("[A-Z][^\\W\\d_]+")
SHORT = 5  # Words of a sentence that may lack what its verb stands for.
MIXED = 2  # Words of a thing in a list of adjectives, at least: an unknown word may be one.

_BEFORE_NOUNS = frozenset("DAP#")
_ARTICLES = frozenset("a an the my our your their his its".split())
_NAMING = frozenset("nA#")  # What makes "this" point at a word: "this office".
_SUBJECTS = frozenset("nRDW#")
_VERBS = frozenset("CHV")
_WITHIN_VERBS = _VERBS | frozenset("JN")
_BEGINS_CLAUSE = frozenset("RDnA#VCHJ")
_ENDS = frozenset(",.")
_PREDICATIVE = frozenset("AJV,&")
# A sentence that goes on from the one before it.
_JOINING = _WORDS["joining"]
_COUNTING = frozenset("one some most many few each two three four others all none".split())
_ADDING = frozenset("too either".split())
_GOING_BACK = frozenset("also then".split())
_PERSONAL = frozenset("he him his she her hers himself herself".split())
_THINGS = frozenset("it its itself theirs themselves".split())
_POINTING = frozenset("this that these those".split())
_SPEAKERS = frozenset("i we my our".split())
_PEOPLE = frozenset("everyone everybody someone somebody anyone anybody nobody who".split())
_NOBODY = frozenset("nobody nothing none".split())
_EMPTY_IT_AFTER = frozenset("make makes made making take takes took".split())
_FINDING = frozenset("find finds found".split())
_EMPTY_IT_BEFORE = frozenset("take takes took".split())
_OPENING = frozenset("so until till after before since as once".split())
_GOING_ON = {("it",), ("they",), ("everything",), ("the", "work"), ("the", "job")}


def is_whole(text: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a text is no fragment, and each of its pronouns follows the noun that it stands for.

    "They" is the business, "we" and "I" are its customers. A word of `names` is a name wherever it
    has its capital: "Will fixed the pump".
    """
    words, tags = _read(text, names)
    if not words or words[0] in _JOINING or "  " in text:
        return False
    if words[0] in _COUNTING and tags[1:2] and tags[1] in _VERBS:
        return False  # "One laughed."
    return (
        _has_main_clause(words, tags)
        and not _ends_short(tags)
        and not _is_headed_list(tags)
        and not _mixes_predicates(words, tags)
        and not _adds_to_the_one_before(words, tags)
        and not _has_open_pronoun(words, tags, _people(text, words, tags, names))
    )


def has_subject(text: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a noun or pronoun comes before the verb: unlike "Waited an hour"."""
    words, tags = _read(text, names)
    verb = _verb(words, tags) or 0
    start = max((index for index in range(verb) if tags[index] in ",&"), default=-1)
    return not _SUBJECTS.isdisjoint(tags[start + 1 : verb])


def goes_on_from_the_one_before(text: str) -> bool:
    """Whether the subject is one that the sentence before has named: "It hums"."""
    words, _ = _read(text)
    return words[:1] in _GOING_ON or words[:2] in _GOING_ON


def _verb(words: Sequence[str], tags: Sequence[str]) -> int | None:
    """Where the first verb stands; "great work" and "to fix" have none of their own."""
    return next((index for index in range(len(tags)) if _is_verb(words, tags, index)), None)


def _is_verb(words: Sequence[str], tags: Sequence[str], index: int) -> bool:
    """Whether a verb stands there that has a subject: unlike "to fix", "moving", "a call"."""
    if tags[index] not in _VERBS or words[index].endswith("ing"):
        return False
    if tags[index] != "V":  # "The taste", "to be".
        return not index or (tags[index - 1] != "P" and words[index - 1] not in _ARTICLES)
    before = index - 1
    while before >= 0 and tags[before] == "J" and tags[index + 1 : index + 2] == ("n",):
        before -= 1  # "A well kept place".
    return before < 0 or tags[before] not in _BEFORE_NOUNS


def _has_main_clause(words: Sequence[str], tags: Sequence[str]) -> bool:
    """Whether there are more verbs than clauses that depend on something.

    Unlike "For what they charge", "The third house that they did".
    """
    verbs = dependent = 0
    last = ""  # The verb that the words before belong to.
    for index, tag in enumerate(tags):
        if _is_verb(words, tags, index):
            # "A capacitor, fixed in an hour" says what was done to it.
            is_participle = not verbs and tags[index - 1 : index] == (",",)
            verbs += (not last or last == tag == "V") and not is_participle
            last = tag
        elif tag not in _WITHIN_VERBS:
            last = ""
        dependent += _opens_dependent_clause(words, tags, index)
    return verbs > dependent


def _opens_dependent_clause(words: Sequence[str], tags: Sequence[str], index: int) -> bool:
    """Whether a clause begins that is none by itself: "what they charge", "the house we bought"."""
    after = tags[index + 1 : index + 3]
    if tags[index] == "W":
        is_pointing = words[index] == "that" and after[:1] == ("n",) and not _VERBS & {*after[1:]}
        is_preposition = words[index] == "because" and words[index + 1 : index + 2] == ("of",)
        return bool(after) and after[0] in _BEGINS_CLAUSE and not (is_pointing or is_preposition)
    before = tags[:index]
    is_contact = tags[index] == "R" and before[-1:] == ("n",) and bool(after) and after[0] in _VERBS
    return is_contact and not any(_is_verb(words, tags, place) for place in range(index))


def _ends_short(tags: Sequence[str]) -> bool:
    """Whether it stops before what is meant: "The communication isn't", "Peter told us why"."""
    spoken = [tag for tag in tags if tag != "."]
    return spoken[-1] == "W" or (len(spoken) <= SHORT and spoken[-1] in "CH")


def _is_headed_list(tags: Sequence[str]) -> bool:
    """Whether remarks follow a name: "Grove Park, good parking, well sign posted, quiet"."""
    head = next((index for index, tag in enumerate(tags) if tag not in "Dn"), 0)
    return head > 0 and tags[head] == "," and {"C", "H"}.isdisjoint(tags)


def _mixes_predicates(words: Sequence[str], tags: Sequence[str]) -> bool:
    """Whether a thing ends a list of adjectives: "they were polite, quick and fair pricing"."""
    last = max((index for index, word in enumerate(words) if word == "and"), default=0)
    end = len(tags) - (tags[-1] == ".")
    rest = range(last + 1, end)
    is_thing = tags[end - 1] == "n" or tags[end - 2 : end] == ("A", "V")  # "Great work".
    if len(rest) < MIXED or not is_thing or tags[last + 1] not in "AJ":
        return False
    if any(tags[at] not in "AJn" and not words[at].endswith("ing") for at in rest[:-1]):
        return False
    before = last - 1
    while before > 0 and tags[before] in _PREDICATIVE:
        before -= 1
    return "A" in tags[before + 1 : last] and tags[before] == "C"


def _adds_to_the_one_before(words: Sequence[str], tags: Sequence[str]) -> bool:
    """Whether it only adds something: "The office is great too"."""
    for index, word in enumerate(words):
        ends = index + 1 == len(words) or tags[index + 1] in _ENDS
        if word in _GOING_BACK or (word in _ADDING and ends):
            return True
        if word == "well" and ends and words[index - 1 : index] == ("as",):
            return True
    return False


def _people(
    text: str, words: Sequence[str], tags: Sequence[str], names: Collection[str]
) -> set[str]:
    """Words that name somebody: of `names`, with a capital, or "Maren" of "Maren fixed it"."""
    found = {word.lower() for word in _NAME.findall(text) if word in names}
    found.update(word.lower() for word in _CAPITALISED.findall(text))
    if tags[0] == "n" and tags[1:2] and tags[1] in _VERBS and not words[0].endswith("s"):
        found.add(words[0])
    return found


def _has_open_pronoun(words: Sequence[str], tags: Sequence[str], people: Collection[str]) -> bool:
    """Whether a pronoun stands there that only the text before explains."""
    has_thing = has_person = has_one = has_several = False
    start = 0  # Of the clause, whose subject is not its object as well.
    nouns: list[int] = []  # Those for people and those for several things.
    for index, (word, tag) in enumerate(zip(words, tags, strict=True)):
        if _begins_clause(words, tags, index, people):
            start = index
        if word in _PERSONAL and not has_one:
            return True
        if word in _THINGS and not has_thing and _is_open_it(words, tags, index):
            return True
        # "Kelly gives them stickers", "the games kept them busy", "Kelly found him a seat".
        is_unnamed = word == "them" and has_person and not has_several
        is_subject = bool(nouns) and nouns[0] >= start and _is_object(words, tags, index)
        if (is_unnamed and words[0] not in _SPEAKERS) or is_subject:
            return True
        # "On top of that, they were late" names nothing before "that".
        is_first = not has_thing or (word == "that" and index < SHORT)
        if word in _POINTING and is_first and _points_back(words, tags, index):
            return True
        is_last = bool(index) and (tags[index - 1] in "DA#" or words[index - 1] == "last")
        if word in {"one", "ones"} and is_last and not has_thing:
            return True  # "The last one".
        names_person = word in people or word in _PEOPLE or is_person(word)
        is_several = tag == "n" and word not in people and bool(_SEVERAL.search(word))
        if names_person or is_several:
            nouns.append(index)
        has_person = has_person or names_person
        has_one = has_one or (names_person and not is_several and word != "staff")
        has_thing = has_thing or (tag == "n" and len(word) > 2 and not names_person)
        has_several = has_several or is_several
    return False


def _begins_clause(
    words: Sequence[str], tags: Sequence[str], index: int, people: Collection[str]
) -> bool:
    """Whether a new subject follows: "..., and they", "when she"."""
    is_joined = bool(index) and (tags[index - 1] in "&,WB" or words[index - 1] in _OPENING)
    is_subject = tags[index] in "RDn" or words[index] in people
    return is_joined and is_subject and not _VERBS.isdisjoint(tags[index : index + 4])


def _is_object(words: Sequence[str], tags: Sequence[str], index: int) -> bool:
    """Whether a pronoun is the object of a verb: "kept them", "gave him"."""
    after = tags[index + 1] if index + 1 < len(tags) else "."
    is_object = words[index] in {"him", "them"} or (words[index] == "her" and after not in "nAJ")
    return is_object and bool(index) and tags[index - 1] == "V"


def _is_open_it(words: Sequence[str], tags: Sequence[str], index: int) -> bool:
    if words[index] != "it":
        return True
    before = words[index - 1] if index else ""
    rest = words[index + 1 :]
    after = tags[index + 1] if rest else "."
    is_empty = (
        before in _EMPTY_IT_AFTER
        or (before in _FINDING and after in "AJ")  # "We found it easy".
        or (after == "C" and "to" in rest)
    )
    return not is_empty and not _EMPTY_IT_BEFORE.intersection(rest[:1])


def _points_back(words: Sequence[str], tags: Sequence[str], index: int) -> bool:
    """Whether "this" or "that" is explained by nothing here: "after that", "these items"."""
    after = tags[index + 1] if index + 1 < len(tags) else "."
    if words[index + 1 : index + 2] == ("reason",):
        return True
    if words[index] in {"these", "those"} and after == "n":
        noun = words[index + 1]  # "These items", unlike "these guys".
        return not is_person(noun) and noun not in EVERYDAY
    if words[index] != "that" or not index:
        return after not in _NAMING
    return tags[index - 1] == "P" and after in _ENDS


@lru_cache(maxsize=20_000)
def _read(
    text: str, names: frozenset[str] = frozenset()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words of a text in lower case, and their parts of speech."""
    source = Source(text)
    words: list[str] = []
    tags: list[str] = []
    for sentence in sentences(source):
        written = (
            source.composed[slice(*span)]
            for span in zip(sentence.starts, sentence.ends, strict=True)
        )
        named = [
            "n" if word in names else tag for word, tag in zip(written, sentence.tags, strict=True)
        ]
        tags += (_tag(sentence.words, named, index) for index in range(len(named)))
        words += sentence.words
    return tuple(words), tuple(tags)


def _tag(words: Sequence[str], tags: Sequence[str], index: int) -> str:
    """A part of speech, mended by its neighbours: "won" of "she won the case" is a verb."""
    if words[index] in _NOBODY:
        return "R"
    before, after = tags[index - 1] if index else ".", tags[index + 1 : index + 2]
    is_verb = after and (after[0] in "DR" or words[index + 1].endswith("ly"))
    if (
        (tags[index] == "n" and before in "nR") or (tags[index] == "A" and before == "R")
    ) and is_verb:
        return "V"
    return tags[index]
