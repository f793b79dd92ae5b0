"""The filter of quotations: sentences that are plain, decent, and understood when read alone.

It is strict: of two readings it takes the one that forbids, since there are other sentences.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache

from insights.stop_nouns import is_person
from review_analysis.grammar import FUNCTION_WORDS
from review_analysis.phrases import stem
from review_analysis.reading import Label
from review_analysis.segments import Source, sentences
from review_analysis.valence import known_words
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

LETTERS = "A-Za-zÀ-ÖØ-öø-ÿ"
# A capital, plain letters and common marks, a full stop or exclamation mark: no markup, no
# controls, no letters that run the other way or look like others.
_PLAIN = re.compile(rf"[A-Z][{LETTERS}0-9 ,;:.!'\u2019&%$()/\u2013\u2014-]*[.!]")
_UNWELCOME = re.compile(
    r"""\w:/|www\.|@|&\w+;|\w\(                              # addresses, markup, programs
    |\w\.(?:com|net|org|io|co|info|biz|us|uk|ca|de|eu|app|example)\b
    |\d{5,}|\d[\d() .-]{5,}\d                               # telephone numbers
    |\.[a-z]{2}|\ [.,!]|\ \ |--|\.[.!]|!\.|!{4}|(.)\1{3,}|\S{30,}           # noise
    |\b(?:ignore|disregard|forget)\b.*\b(?:instruction|prompt|rule)
    |\bsystem\ prompt\b|\bdrop\ table\b|\bmy\ name\ is\b
    |\b(?:fuck|shit|bitch|asshole|bastard|crap|damn|piss|dick|slut|whore)
    |\bour\ (?:staff|team|guests|customers|clients|patients)\b              # by the business""",
    re.IGNORECASE | re.VERBOSE,
)
# It says two things, half of one, compares with what is not named, or gives advice to readers.
_UNCLEAR = re.compile(
    r"""\b(?:but|however|although|though|except|yet|while|minus|I\ (?:guess|suppose|imagine)
        |maybe|perhaps|more\ or\ less|only\ \w+\ (?:is|was)|(?:so|and)\ (?:make|be)\ sure
        |so\ (?:go|come|arrive|plan|bring|wear|book))\b
    |^(?:suggest|try)\b
    |\b(?:is|are|was|were|gets?|got)\ (?:\w+ly\ |even\ |much\ )?(?:better|worse)\b(?!.*\bthan\b)""",
    re.IGNORECASE | re.VERBOSE,
)
# Wishes, orders and regrets, which praise does not hold.
_WISH = re.compile(
    r"""\b(?:could|should|would|wish)\b(?!\ not\b|n't\b)
    |\b(?:I|we)\ (?:\w+\ )?(?:requested|asked\ for|wanted|expected|hoped)\b
    |\bcan\ be\ (?:improved|better)\b|\b(?:sadly|unfortunately)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_WORD = re.compile(f"[{LETTERS}]+")
_ABBREVIATION = 5  # Letters of the longest word that is written in capitals by right: "HVAC".
_SHORT = 5  # Words of a sentence that may lack what its verb stands for.

# Parts of speech are those of `review_analysis.grammar`.
_FINITE = frozenset("CHV")
_SPEAKERS = frozenset("i we my our".split())
_PEOPLE = frozenset("everyone everybody someone somebody anyone anybody nobody who".split())
_PERSONAL = frozenset("he him his she her hers himself herself".split())
_THINGS = frozenset("it its itself theirs themselves one ones".split())
_POINTING = frozenset("this that these those".split())
_SEVERAL = frozenset("these those".split())


def is_quotable(text: str, known: Collection[str] = ()) -> bool:
    """Whether a sentence is plain and decent, and holds no names but those in `known`."""
    return (
        _PLAIN.fullmatch(text) is not None
        and not _UNWELCOME.search(text)
        and text.count("(") == text.count(")")
        and 4 * sum(char.isupper() for char in text) < len(text)
        and all(_is_no_name(word, known) for word in _WORD.findall(text)[1:])
    )


def _is_no_name(word: str, known: Collection[str]) -> bool:
    if word.lower() in FUNCTION_WORDS and word != "I" and word[0].isupper():
        return word in known  # "Great location A great location": two sentences in one.
    return (
        word[0].islower()
        or word in _WORDS["capitalised"]
        or word in known
        or (word.isupper() and len(word) <= _ABBREVIATION)
    )


# --- Words that tell what is spoken of ------------------------------------------------------------


def stems(*texts: str) -> frozenset[str]:
    """Stems of the words that tell what texts are about."""
    words = (word.lower() for text in texts for word in _WORD.findall(text))
    return frozenset(
        stem(word)
        for word in words
        if len(word) > 2 and word not in FUNCTION_WORDS and word not in _WORDS["asking"]
    )


@lru_cache(maxsize=20_000)
def stems_of(text: str) -> frozenset[str]:
    """Stems of a sentence; kept, as it is asked about several subjects."""
    return stems(text)


def naming_stems(label: str) -> dict[str, float]:
    """Stems of a label, each of full weight."""
    return dict.fromkeys(stems(label), 1.0)


@cache
def judging_stems() -> frozenset[str]:
    """Stems of words that praise or blame whatever they stand with."""
    return frozenset(map(stem, known_words()))


# --- Names ----------------------------------------------------------------------------------------


def proper_words(text: str) -> list[str]:
    """Capitalised words of a text, as in names."""
    return [word for word in _WORD.findall(text) if len(word) > 1 and word[0].isupper()]


def without_judging_names(text: str, known: Collection[str]) -> str:
    """A text in which no name of `known` praises or blames: "Grace", "Tern Hollow"."""
    judging = {word for word in known if word.lower() in known_words()}
    return _WORD.sub(lambda found: "Ann" if found[0] in judging else found[0], text)


def is_signed(text: str, author: str) -> bool:
    """Whether a text holds a part of its author's name."""
    names = {word.lower() for word in _WORD.findall(author) if len(word) > 1}
    return any(
        word.lower() in names and word.lower() not in FUNCTION_WORDS for word in proper_words(text)
    )


def begins_with_a_customer(text: str, known: Collection[str], authors: Iterable[str]) -> bool:
    """Whether a sentence begins with a customer's name, where a capital tells nothing."""
    first = _WORD.findall(text)[0]
    if first in known or first.lower() in FUNCTION_WORDS:  # "The Smiths" do not forbid "The".
        return False
    return any(first.lower() in author.lower() and is_signed(first, author) for author in authors)


# --- Sentences that are understood alone ----------------------------------------------------------


def is_clear(text: str, label: Label, known: frozenset[str]) -> bool:
    """Whether a text is understood when read alone, and says one thing."""
    return (
        not _UNCLEAR.search(text)
        and not (label == "positive" and _WISH.search(text))
        and is_self_contained(text, known)
    )


def is_self_contained(text: str, names: frozenset[str] = frozenset()) -> bool:
    """Whether a subject and its verb begin a text, and each pronoun follows its noun.

    "They" is the business, "we" and "I" are its customers. A word of `names` is a name wherever it
    has its capital: "Will fixed the pump".
    """
    words, tags, people = _read(text, names)
    if not words or words[0] in _WORDS["joining"]:
        return False
    return (
        _has_main_clause(words, tags)
        and not _goes_on(words, tags)
        and not _has_open_pronoun(words, tags, people)
    )


def _has_main_clause(words: Sequence[str], tags: str) -> bool:
    """Whether a subject and a verb stand first: no list or participle, nor a clause alone."""
    verbs = [index for index in range(len(tags)) if _is_verb(words, tags, index)]
    # "Has never been fixed" is one verb.
    apart = [at for at in verbs if tags[:at].rstrip("JN")[-1:] not in _FINITE]
    dependent = len(re.findall("W(?![P,.]|$)", tags))
    if not verbs or len(apart) <= dependent:
        return False  # "For what they charge."
    before = tags[: verbs[0]]
    is_contact_clause = "nR" in before
    last = tags.rstrip(".")[-1]
    is_cut_short = last == "W" or (len(tags.rstrip(".")) <= _SHORT and last in "CH")
    has_subject = not {"n", "R", "D", "#"}.isdisjoint(before) and "," not in before
    return has_subject and not is_contact_clause and not is_cut_short


def _is_verb(words: Sequence[str], tags: str, index: int) -> bool:
    """Whether a verb stands there that has a subject: unlike "to fix", "moving", "a well kept"."""
    if tags[index] not in _FINITE or words[index].endswith("ing"):
        return False
    before = index - 1
    while before >= 0 and tags[before] == "J" and tags[index + 1 : index + 2] == "n":
        before -= 1
    return before < 0 or tags[before] not in "DAP#"


def _goes_on(words: Sequence[str], tags: str) -> bool:
    """Whether it adds to the sentence before: "the office is great too"."""
    return any(
        word in {"also", "then"}
        or (word in {"too", "either"} and tags[index + 1 : index + 2] in {"", ".", ","})
        or (word == "well" and words[index - 1] == "as")
        for index, word in enumerate(words)
    )


def _has_open_pronoun(words: Sequence[str], tags: str, people: Collection[str]) -> bool:
    """Whether a pronoun stands there that only the text before explains."""
    has_person = has_thing = False
    for index, (word, tag) in enumerate(zip(words, tags, strict=True)):
        after = tags[index + 1] if index + 1 < len(tags) else "."
        is_object = word in {"him", "them"} or (word == "her" and after not in "nAJ")
        # "Kelly gives them stickers", "the games kept them busy"; but "I recommend them".
        if is_object and words[0] not in _SPEAKERS:
            return True
        if word in _PERSONAL and not has_person:
            return True
        is_idle = word == "it" and after == "C" and "to" in words[index:]
        if word in _THINGS and not has_thing and not is_idle:
            return True
        opens_clause = word == "that" and index > 0 and after not in ",."
        if word in _POINTING and not opens_clause and (word in _SEVERAL or after not in "nA#"):
            return True
        names_person = word in people or word in _PEOPLE or is_person(word)
        is_several = tag == "n" and word.endswith("s") and word not in people
        has_person = has_person or (names_person and not is_several and word != "staff")
        has_thing = has_thing or (tag == "n" and len(word) > 2 and not names_person)
    return False


@lru_cache(maxsize=20_000)
def _read(text: str, names: frozenset[str]) -> tuple[tuple[str, ...], str, frozenset[str]]:
    """Words of a text in lower case, their parts of speech, and those that name somebody."""
    source = Source(text)
    words: list[str] = []
    tags: list[str] = []
    people: set[str] = set()
    for sentence in sentences(source):
        spans = zip(sentence.starts, sentence.ends, strict=True)
        for number, span in enumerate(spans):
            written = source.composed[slice(*span)]
            is_name = written in names or (number and written.istitle() and written != "I")
            if is_name:
                people.add(sentence.words[number])
            tags.append("n" if written in names else sentence.tags[number])
        words += sentence.words
    tags = [_mended(words, tags, index) for index in range(len(tags))]
    if tags[:1] == ["n"] and tags[1:2] and tags[1] in _FINITE and not words[0].endswith("s"):
        people.add(words[0])  # "Maren fixed it."
    return tuple(words), "".join(tags), frozenset(people)


def _mended(words: Sequence[str], tags: Sequence[str], index: int) -> str:
    """A part of speech after its neighbours: "won" of "she won the case" is a verb."""
    if words[index] in {"nobody", "nothing", "none"}:
        return "R"
    before, after = tags[index - 1] if index else ".", tags[index + 1 : index + 2]
    may_be_verb = tags[index] + before in {"nn", "nR", "AR"}
    has_object = bool(after) and (after[0] in "DR" or words[index + 1].endswith("ly"))
    return "V" if may_be_verb and has_object else tags[index]
