"""Tell the language of a short text by its script, its commonest words and its endings.

Libraries that do this want a model of tens of megabytes or a compiler, and are made for articles;
a review has ten words. What is not sure is `und` (BCP 47, undetermined).
"""

import itertools
import re
import tomllib
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.conf.locale import LANG_INFO

_TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_SCRIPTS: list[tuple[str, str, str]] = _TABLES["scripts"]

UNDETERMINED = "und"
LONGEST = 250  # Characters that are looked at; more tell nothing new, and take their time.
# A word that three languages share tells none of them.
ENOUGH = 0.4
ENDING_WEIGHT = 0.4
LETTER_WEIGHT = 0.5
_WORD = re.compile(r"[^\W\d_]+(?:['’·-][^\W\d_]+)*")  # noqa: RUF001
_TAG = re.compile(r"([a-z]{2,3})(?:[-_].*)?")
# Former tags and macrolanguages, as sources write them (IANA Language Subtag Registry).
_PREFERRED = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no", "fil": "tl", "cmn": "zh"}
_NO_TAGS = frozenset({"und", "zxx", "mul", "mis"})

CYRILLIC = frozenset({"ru", "uk", "bg", "sr"})
_STARTS = [first for first, _, _ in _SCRIPTS]
_DETECTED = (
    frozenset(_TABLES["words"]) | {language for _, _, language in _SCRIPTS} | {"ar", "fa", "ur"}
)

Weights = Mapping[str, tuple[tuple[str, float], ...]]


def _weights(table: Mapping[str, Iterable[str]], weight: float) -> Weights:
    """By sign, what it says for each language; less when several have it."""
    languages: dict[str, list[str]] = defaultdict(list)
    for language, signs in table.items():
        for sign in dict.fromkeys(signs):
            languages[sign].append(language)
    return {
        sign: tuple((language, weight / len(having)) for language in having)
        for sign, having in languages.items()
    }


def _split(table: Mapping[str, str]) -> dict[str, list[str]]:
    return {language: signs.split() for language, signs in table.items()}


_WORDS = _weights(_split(_TABLES["words"]), 1)
_ENDINGS = _weights(_split(_TABLES["endings"]), ENDING_WEIGHT)
_LETTERS = _weights(_TABLES["letters"], LETTER_WEIGHT)
_LENGTHS = sorted({len(ending) for ending in _ENDINGS}, reverse=True)


def _likeliest(text: str, script: str) -> str:
    """The language of a script that most signs speak for, or `und`."""
    # In the order of the table: of equals the first is taken.
    of_script = [each for each in _TABLES["words"] if (each in CYRILLIC) == (script == "cyrillic")]
    scores = dict.fromkeys(of_script, 0.0)
    folded = text.casefold().replace("’", "'")  # noqa: RUF001
    said = [_WORDS.get(word) or _said_by_ending(word) for word in _WORD.findall(folded)]
    said += [_LETTERS.get(char, ()) for char in set(folded) if not char.isascii()]
    for language, weight in itertools.chain.from_iterable(said):
        if language in scores:
            scores[language] += weight
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= ENOUGH else UNDETERMINED


def _said_by_ending(word: str) -> tuple[tuple[str, float], ...]:
    for length in _LENGTHS:
        if len(word) > length + 2 and (said := _ENDINGS.get(word[-length:])):
            return said
    return ()


def language_of(text: str, tag: str = "") -> str:
    """The primary tag of a text: empty without one, `und` where nothing tells.

    `tag` is what the source says of it. The words overrule it, for many sources name the language
    of the page; but not where the source names a language that is not told here.
    """
    if not text:
        return ""
    said = primary_tag(tag)
    if said and said not in _DETECTED:
        return said
    found = detect_language(text)
    return said if said and found == UNDETERMINED else found


def primary_tag(tag: str) -> str:
    """The language of a tag like `pt-BR` or `zh_Hans`, in its present spelling; or empty."""
    found = _TAG.fullmatch(tag.strip().lower())
    if found is None or found[1] in _NO_TAGS:
        return ""
    return _PREFERRED.get(found[1], found[1])


def detect_language(text: str) -> str:
    """The primary tag of the language that the text is written in, or `und`."""
    text = text[:LONGEST]
    if not text.isascii():
        script = _script(text)
        if script == "arabic":
            return _of_arabic_script(text)
        if script not in {"", "cyrillic"}:
            return script
        return _likeliest(text, script)
    return _likeliest(text, "")


def _script(text: str) -> str:
    """The script that most letters are of, by the table of scripts; empty for Latin."""
    counts = Counter(_script_of(char) for char in text if char.isalpha())
    if counts["ja"]:  # Japanese is written with Chinese characters as well.
        counts["ja"] += counts.pop("zh", 0)
    if not counts:
        return ""
    script, letters = counts.most_common(1)[0]
    # A sign of Chinese is a word, a letter of Latin is none.
    if not script and (other := counts["zh"] + counts["ja"]) and 4 * other > letters:
        return "ja" if counts["ja"] else "zh"
    return script


def _script_of(char: str) -> str:
    index = bisect_right(_STARTS, char) - 1
    if index < 0:
        return ""
    _, last, script = _SCRIPTS[index]
    return script if char <= last else ""


def _of_arabic_script(text: str) -> str:
    if any(char in text for char in _TABLES["urdu"]):
        return "ur"
    return "fa" if any(char in text for char in _TABLES["persian"]) else "ar"


def language_name(tag: str) -> str:
    """`de` or `de-AT` as English names it; the tag where it has no name."""
    for known in (tag.lower(), tag.lower().partition("-")[0]):
        if known in LANG_INFO and "name" in LANG_INFO[known]:
            return str(LANG_INFO[known]["name"])
    return tag
