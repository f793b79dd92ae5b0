"""Detection of English. Reviews in other languages are judged by their rating alone."""

from review_analysis import grammar
from review_analysis.segments import Source, Words
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_ENOUGH = 20  # Words that are needed to recognise a language.
_ENGLISH = grammar.FUNCTION_WORDS - _WORDS["shared"]  # Other languages have those words too.


def is_english(source: Source, sentences: list[Words], known: frozenset[str]) -> bool:
    """Whether a text is English, or too short to say, and mostly in Latin letters.

    A text with few function words is English if it has enough words of `known`.
    """
    tokens = [word for sentence in sentences for word in sentence.words if word[0].isalpha()]
    if len(tokens) >= _ENOUGH:
        if _count(tokens, _WORDS["foreign"]) > _count(tokens, _ENGLISH):
            return False
        has_common = _count(tokens, grammar.FUNCTION_WORDS) >= 0.05 * len(tokens)
        if not has_common and _count(tokens, known) < 0.15 * len(tokens):
            return False
    if source.normalised.isascii():
        return True
    letters = [char for char in source.normalised[:2_000] if char.isalpha()]
    latin = sum(char < "\u0250" or "\u1e00" <= char <= "\u1eff" for char in letters)
    return not letters or 2 * latin >= len(letters)


def _count(tokens: list[str], words: frozenset[str]) -> int:
    return sum(map(words.__contains__, tokens))
