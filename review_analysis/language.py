"""Whether a text is English: other languages are left to the stars."""

from review_analysis import grammar
from review_analysis.segments import Source, Words
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_ENOUGH = 20  # Words that tell a language.
# Other languages have these as well, with other meanings.
_SHARED = _WORDS["shared"]
_ENGLISH = grammar.FUNCTION_WORDS - _SHARED
# What no English sentence is made of: Spanish, French, Italian, Portuguese and Romanian; German and
# Dutch; Swedish, Danish and Norwegian; Polish and Czech; Turkish, Indonesian and Tagalog.
_FOREIGN = _WORDS["foreign"]


def is_english(source: Source, sentences: list[Words], known: frozenset[str]) -> bool:
    """Whether the text is worth reading: twenty words hold at least one that English is made of,
    and no more that other languages are made of.

    `known` adds words that tell as well, such as those of the lexicon.
    """
    tokens = [word for sentence in sentences for word in sentence.words if word[0].isalpha()]
    if len(tokens) >= _ENOUGH:
        if _count(tokens, _FOREIGN) > _count(tokens, _ENGLISH):
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
