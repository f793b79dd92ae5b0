# ruff: noqa: RUF001  (Words of several alphabets.)
"""Yes and no in the spellings of languages, spreadsheets and databases."""

import unicodedata
from typing import Any

_YES = frozenset(
    {
        *("true", "t", "yes", "y", "on", "1", "1.0", "-1", "b'1'", "\x01", "x"),
        *("ja", "j", "wahr", "oui", "o", "vrai", "si", "sí", "sì", "s", "verdadero", "vero", "sim"),
        *("verdadeiro", "waar", "tak", "prawda", "evet", "doğru", "да", "истина", "так", "істина"),
        *("sann", "sant", "sand", "kyllä", "tosi", "igen", "igaz", "ano", "áno", "pravda", "da"),
        *("adevărat", "ναι", "αληθησ", "نعم", "כן", "हाँ", "हां", "có", "ya", "taip", "jah", "jā"),
        *("はい", "真", "예", "네", "참", "是", "对", "對", "ใช่"),
        *("✓", "✔", "☑", "✅", "🗸", "🗹", "○", "◯", "〇", "👍"),
        *("🟢", "[x]", "可", "有", "あり"),
    }
)
_NO = frozenset(
    {
        *("false", "f", "no", "n", "off", "0", "0.0", "b'0'", "\x00"),
        *("nein", "falsch", "non", "faux", "falso", "não", "nao", "nee", "onwaar", "nie", "fałsz"),
        *("hayır", "hayir", "hayi\u0307r", "yanlış", "yanliş", "нет", "ложь", "ні", "хибність"),
        *("nej", "nei", "usann", "falskt", "falsk", "ei", "epätosi", "nem", "hamis", "ne"),
        *("nepravda", "nu", "fals", "όχι", "ψευδησ", "لا", "לא", "नहीं", "không", "tidak", "nē"),
        *("いいえ", "偽", "아니요", "아니오", "거짓", "否", "不", "不是", "假", "ไม่"),
        *("✗", "✘", "✕", "✖", "❌", "❎", "☐", "□", "×", "👎"),
        *("🔴", "[]", "[ ]", "不可", "無", "なし"),
    }
)
# Of a purchase, which `verified` tells; "nothing" is Judge.me's word.
_VERIFIED = frozenset(
    {
        *("verified", "buyer", "verified buyer", "verified_buyer", "verified purchase"),
        "confirmed-buyer",
    }
)
_NOT_VERIFIED = frozenset({"unverified", "not verified", "nothing"})
_VARIATION = "\ufe0e\ufe0f"  # Whether a sign is text or picture.


def folded_word(value: Any) -> str:
    """A cell or member in one spelling; empty where it holds no plain value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        return ""
    text = unicodedata.normalize("NFKC", str(value)[:500]).strip(" \t\r\n" + _VARIATION)
    return text.casefold()


def read_yes_no(value: Any) -> bool | None:
    """Yes or no; None where the value is neither."""
    if isinstance(value, bool):
        return value
    word = folded_word(value).rstrip(".!")
    return True if word in _YES else False if word in _NO else None


def read_flag(value: Any) -> bool | None:
    """Yes or no, also in the words for a verified purchase; None where the file does not say."""
    if (flag := read_yes_no(value)) is not None:
        return flag
    word = folded_word(value)
    return True if word in _VERIFIED else False if word in _NOT_VERIFIED else None
