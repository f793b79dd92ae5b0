"""Places in a folded text, and the same places in the text as it was given."""

import unicodedata

from review_analysis.text import clusters


class Text:
    """A text in its composed and its folded form. Folding may lengthen it: ß becomes ss."""

    __slots__ = ("_positions", "folded", "nfc")

    def __init__(self, nfc: str, folded: str) -> None:
        self.nfc = nfc
        self.folded = folded
        self._positions: list[int] | None = None
        if len(folded) != len(nfc):
            self._positions = [index for index, char in enumerate(nfc) for _ in char.casefold()] + [
                len(nfc)
            ]

    @property
    def is_even(self) -> bool:
        """Whether every place is the same in both."""
        return self._positions is None

    def unfolded(self, start: int, end: int) -> tuple[int, int] | None:
        """The span in the composed text, or None when it would cut a letter in two."""
        if self._positions is None:
            return start, end
        if start and self._positions[start - 1] == self._positions[start]:
            return None
        if self._positions[end - 1] == self._positions[end]:
            return None
        return self._positions[start], self._positions[end]


def with_origins(text: str) -> tuple[str, list[int] | None]:
    """The text in NFC, and where each of its characters began, if it was not composed before."""
    if unicodedata.is_normalized("NFC", text):
        return text, None
    composed: list[str] = []
    origins: list[int] = []
    for start, end in clusters(text):
        letters = unicodedata.normalize("NFC", text[start:end])
        composed.append(letters)
        origins += [min(start + offset, end) for offset in range(len(letters))]
    return "".join(composed), [*origins, len(text)]


def as_given(origins: list[int] | None, start: int, end: int) -> tuple[int, int]:
    return (start, end) if origins is None else (origins[start], origins[end])
