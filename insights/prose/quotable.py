"""Filter of quotations: plain, decent sentences that readers understand without their context.

The filter is strict: a sentence that can be read in two ways is left out, since there are others.
"""

import re
from collections.abc import Collection, Sequence
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
# A capital, plain letters and common marks, a full stop or exclamation mark: no markup, no control
# characters, no right-to-left letters, no homoglyphs.
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
# The sentence says two things or half of one, needs the sentence before it, or advises readers.
_UNCLEAR = re.compile(
    r"""\b(?:but|however|although|though|except|yet|while|minus|I\ (?:guess|suppose|imagine)
        |maybe|perhaps|more\ or\ less|only\ \w+\ (?:is|was)|(?:so|and)\ (?:make|be)\ sure
        |so\ (?:go|come|arrive|plan|bring|wear|book))\b
    |^(?:suggest|try)\b
    |\b(?:is|are|was|were|gets?|got)\ (?:\w+ly\ |even\ |much\ )?(?:better|worse)\b(?!.*\bthan\b)
    |\b(?:also|then|as\ well|these|those)\b|\b(?:too|either)[,.!]
    |^(?!(?:I|we|my|our)\b).*\b(?:him|them)\b""",
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
_ABBREVIATION = 5  # Letters of the longest word that may be all capitals: "HVAC".

# Tags are those of `review_analysis.grammar`, one letter for each word or mark.
_VERB = re.compile("(?<![DAP#])[CHV](?:[JN]*[CHV])*")  # "Has never been" is one verb.
_SUBORDINATE = re.compile("W(?![P,.]|$)")
_CUT_SHORT = re.compile(r".*W\.*|.{1,4}[CH]\.*")  # "Our plumber does."
_PEOPLE = frozenset("everyone everybody someone somebody anyone anybody nobody who".split())
_PERSONAL = frozenset("he him his she her hers himself herself".split())
_THINGS = frozenset("it its itself theirs themselves one ones".split())


def is_quotable(text: str, author: str, known: Collection[str]) -> bool:
    """Whether a sentence is plain, decent, unsigned, and names only the words in `known`."""
    return (
        _PLAIN.fullmatch(text) is not None
        and not _UNWELCOME.search(text)
        and text.count("(") == text.count(")")
        and 4 * sum(char.isupper() for char in text) < len(text)
        and all(_is_no_name(word, known) for word in _WORD.findall(text)[1:])
        and not _is_signed(text, author)
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


def _is_signed(text: str, author: str) -> bool:
    names = {word.lower() for word in _WORD.findall(author) if len(word) > 1} - FUNCTION_WORDS
    return any(word.lower() in names for word in proper_words(text))


def is_clear(text: str, label: Label, names: frozenset[str]) -> bool:
    """Whether a sentence makes one statement that readers understand without its context.

    It begins with a subject and its verb, and each pronoun follows its noun. "They" is the
    business; "we" and "I" are its customers. A capitalised word in `names` is a name: "Will fixed
    the pump".
    """
    if _UNCLEAR.search(text) or (label == "positive" and _WISH.search(text)):
        return False
    words, tags, people = _read(text, names)
    return (
        bool(words)
        and words[0] not in _WORDS["joining"]
        and _has_main_clause(tags)
        and not _has_open_pronoun(words, tags, people)
    )


# --- Words ----------------------------------------------------------------------------------------


def stems(*texts: str) -> frozenset[str]:
    """Stems of the words that carry the subject of some texts."""
    words = (word.lower() for text in texts for word in _WORD.findall(text))
    return frozenset(
        stem(word)
        for word in words
        if len(word) > 2 and word not in FUNCTION_WORDS and word not in _WORDS["asking"]
    )


@lru_cache(maxsize=20_000)
def stems_of(text: str) -> frozenset[str]:
    """Stems of a sentence, cached because several subjects ask for the same sentence."""
    return stems(text)


@cache
def judging_stems() -> frozenset[str]:
    """Stems of words that praise or blame."""
    return frozenset(map(stem, known_words()))


def proper_words(text: str) -> list[str]:
    """Capitalised words of a text, as in names."""
    return [word for word in _WORD.findall(text) if len(word) > 1 and word[0].isupper()]


def without_judging_names(text: str, known: Collection[str]) -> str:
    """Replace known names that are words of praise or blame: "Grace", "Tern Hollow"."""
    judging = {word for word in known if word.lower() in known_words()}
    return _WORD.sub(lambda found: "Ann" if found[0] in judging else found[0], text)


# --- Structure ---------------------------------------------------------------------------------


def _has_main_clause(tags: str) -> bool:
    """Whether a subject and a verb come first: no list, participle or subordinate clause."""
    verb = _VERB.search(tags)
    if not verb or len(_VERB.findall(tags)) <= len(_SUBORDINATE.findall(tags)):
        return False  # "For what they charge."
    before = tags[: verb.start()]
    is_contact_clause = "nR" in before  # "Third house we've used them on."
    has_subject = not {"n", "R", "D", "#"}.isdisjoint(before) and "," not in before
    return has_subject and not is_contact_clause and not _CUT_SHORT.fullmatch(tags)


def _has_open_pronoun(words: Sequence[str], tags: str, people: Collection[str]) -> bool:
    """Whether only an earlier sentence explains one of the pronouns."""
    has_person = has_thing = False
    for word, tag, after in zip(words, tags, tags[1:] + ".", strict=True):
        if (
            (word in _PERSONAL and not has_person)
            or (word in _THINGS and not has_thing)
            or (word == "this" and after not in "nA#")
        ):
            return True
        names_person = word in people or word in _PEOPLE or is_person(word)
        is_several = tag == "n" and word.endswith("s") and word not in people
        has_person = has_person or (names_person and not is_several and word != "staff")
        has_thing = has_thing or (tag == "n" and len(word) > 2 and not names_person)
    return False


@lru_cache(maxsize=20_000)
def _read(text: str, names: frozenset[str]) -> tuple[tuple[str, ...], str, frozenset[str]]:
    """Return the words of a text in lower case, their tags, and the words that name people."""
    source = Source(text)
    words: list[str] = []
    tags = ""
    people: set[str] = set()
    for sentence in sentences(source):
        spans = zip(sentence.starts, sentence.ends, strict=True)
        for number, (word, span) in enumerate(zip(sentence.words, spans, strict=True)):
            written = source.composed[slice(*span)]
            if written in names or (number and written.istitle() and written != "I"):
                people.add(word)
            tags += _tag(word, "n" if written in names else sentence.tags[number])
        words += sentence.words
    if re.match("n[CHV]", tags) and not words[0].endswith("s"):
        people.add(words[0])  # "Maren fixed it."
    return tuple(words), tags, frozenset(people)


def _tag(word: str, tag: str) -> str:
    """Correct a tag: these pronouns may be subjects, and a verb in "-ing" has none."""
    if word in {"nobody", "nothing", "none"}:
        return "R"
    return "v" if tag in "CHV" and word.endswith("ing") else tag
