"""Detect the language of a short text by its script, its commonest words and its endings.

Libraries for this need a model of tens of megabytes or a compiler, and are trained on articles; a
review has ten words. An uncertain language is `und` (BCP 47, undetermined).
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
MAX_CHARACTERS = 250  # More do not improve the result.
MIN_SCORE = 0.4  # More than a word that three languages share.
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
    """Weights of each sign for its languages; languages that share a sign share its weight."""
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
    """Language of a script with the highest score, or `und`."""
    # In the order of the table, whose first language wins a tie.
    of_script = [each for each in _TABLES["words"] if (each in CYRILLIC) == (script == "cyrillic")]
    scores = dict.fromkeys(of_script, 0.0)
    folded = text.casefold().replace("’", "'")  # noqa: RUF001
    weights = [_WORDS.get(word) or _weights_of_ending(word) for word in _WORD.findall(folded)]
    weights += [_LETTERS.get(char, ()) for char in set(folded) if not char.isascii()]
    for language, weight in itertools.chain.from_iterable(weights):
        if language in scores:
            scores[language] += weight
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] >= MIN_SCORE else UNDETERMINED


def _weights_of_ending(word: str) -> tuple[tuple[str, float], ...]:
    for length in _LENGTHS:
        if len(word) > length + 2 and (weights := _ENDINGS.get(word[-length:])):
            return weights
    return ()


def language_of(text: str, tag: str = "") -> str:
    """Primary tag of a text's language: empty without a text, `und` if undetermined.

    `tag` is the source's own. Detection overrules it, because many sources give the language of
    their page, unless `tag` is a language that is not detected here.
    """
    if not text:
        return ""
    given = primary_tag(tag)
    if given and given not in _DETECTED:
        return given
    found = detect_language(text)
    return given if given and found == UNDETERMINED else found


def primary_tag(tag: str) -> str:
    """Current primary tag of a tag like `pt-BR` or `zh_Hans`; empty if there is none."""
    found = _TAG.fullmatch(tag.strip().lower())
    if found is None or found[1] in _NO_TAGS:
        return ""
    return _PREFERRED.get(found[1], found[1])


def detect_language(text: str) -> str:
    """Detect the primary tag of a text's language; `und` if undetermined."""
    text = text[:MAX_CHARACTERS]
    script = "" if text.isascii() else _script(text)
    if script == "arabic":
        return _of_arabic_script(text)
    return _likeliest(text, script) if script in {"", "cyrillic"} else script


def _script(text: str) -> str:
    """Script of most letters, by the table of scripts; empty for Latin."""
    counts = Counter(_script_of(char) for char in text if char.isalpha())
    if counts["ja"]:  # Japanese is written with Chinese characters as well.
        counts["ja"] += counts.pop("zh", 0)
    if not counts:
        return ""
    script, letters = counts.most_common(1)[0]
    # A Chinese character counts as much as four Latin letters.
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
    """English name of a language tag like `de` or `de-AT`; the tag itself if it has none."""
    for known in (tag.lower(), tag.lower().partition("-")[0]):
        if known in LANG_INFO and "name" in LANG_INFO[known]:
            return str(LANG_INFO[known]["name"])
    return tag
