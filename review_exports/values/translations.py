"""Google's envelope around a text and its translation."""

import re
from typing import NamedTuple


class Translation(NamedTuple):
    text: str
    translated: str
    is_translation_only: bool


# As Google writes them in the language of whoever exported the reviews.
_MARKER = re.compile(
    r"\((?:Translated by|Übersetzt von|Traduit par|Traducido por|Traduzido pel[ao]|Tradotto da"
    r"|Traduzione di|Vertaald door|Przetłumaczone przez|Översatt av|Oversatt av|Oversat af)"
    r" Google\)",
    re.IGNORECASE,
)
_ORIGINAL = re.compile(
    r"\((?:Original|Originale|Origineel|Oryginał|Avis d['\u2019]origine|Texto original"
    r"|Testo originale)\)",
    re.IGNORECASE,
)


def split_translation(text: str) -> Translation:
    """Original and translation of a text in Google's envelope, whichever comes first in it.

    Where the original was cut off the translation stays as the text, and the answer says so.
    """
    # Most texts have neither; looking for this costs a tenth of looking for the marker.
    marker = _MARKER.search(text) if "oogle)" in text else None
    if not marker:
        return Translation(text, "", is_translation_only=False)
    before, after = text[: marker.start()].strip(), text[marker.end() :].strip()
    if before:
        return Translation(before, after, is_translation_only=False)
    sign = _ORIGINAL.search(after)
    translated = (after[: sign.start()] if sign else after).strip()
    original = after[sign.end() :].strip() if sign else ""
    if original:
        return Translation(original, translated, is_translation_only=False)
    return Translation(translated, "", is_translation_only=True)
