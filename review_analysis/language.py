"""Whether a text is English: other languages are left to the stars."""

from review_analysis import grammar
from review_analysis.segments import Source, Words

_ENOUGH = 20  # Words that tell a language.
# Other languages have these as well, with other meanings.
_SHARED = frozenset(
    "a all am an as at be by do for had he her i in is it me no of on or over so to under was we"
    " who".split()
)
_ENGLISH = grammar.FUNCTION_WORDS - _SHARED
# What no English sentence is made of: Spanish, French, Italian, Portuguese and Romanian; German and
# Dutch; Swedish, Danish and Norwegian; Polish and Czech; Turkish, Indonesian and Tagalog.
_FOREIGN = frozenset(
    """como con de del el en es esta este fue la las les lo los mi muy nada nos para pero por que se
    su todo una un y más está
    au avec ce cette dans des du est et il je le mais nous pas qui sur très tout une vous à était
    anche che di gli il molto non per sono è
    com da em foi mas muito não o os uma são ao
    cu la nu pe și
    aber alles auch auf bei das dem der ein eine es für haben ich ist mir mit nicht nur sehr sie uns
    und von war wieder wir wurde zu
    bij een er het ik maar met naar niet ook te van voor ze zijn
    att av den det er har ikke inte jag med meget mycket og och på som til var vi är
    bardzo jak jest na nie się w z za że
    bir bu da de için ve çok
    dan dengan ini saya tidak untuk yang
    ang ako hindi mga ng sa""".split()
)


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
    if source.read.isascii():
        return True
    letters = [char for char in source.read[:2_000] if char.isalpha()]
    latin = sum(char < "\u0250" or "\u1e00" <= char <= "\u1eff" for char in letters)
    return not letters or 2 * latin >= len(letters)


def _count(tokens: list[str], words: frozenset[str]) -> int:
    return sum(map(words.__contains__, tokens))
