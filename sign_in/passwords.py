"""Validate new passwords without the network."""

import re
from collections.abc import Iterator

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from reviews.selectors import get_business

MIN_DISTINCT = 6
MAX_ADDED = 4  # Characters around a common password.
LOOKALIKES = str.maketrans("@4310$57!", "aaeiossti")
ENDS = re.compile(r"^[\W\d_]+|[\W\d_]+$")


class PaddedPasswordValidator(CommonPasswordValidator):
    """Refuse padded common passwords, repeated characters, and the name of the business.

    Few of the 20,000 common passwords that Django ships have twelve characters. Typical passwords
    of twelve are common ones repeated, or with digits, signs or a few letters around them.
    """

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        text = password.lower().strip()
        if len(set(text)) < MIN_DISTINCT:
            raise ValidationError(
                gettext("This password repeats the same few characters."),
                code="password_too_simple",
            )
        if _is_name_of_business(text):
            raise ValidationError(
                gettext("This password is little more than the name of the business."),
                code="password_too_similar",
            )
        if any(part in self.passwords for core in _cores(text) for part in _parts(core)):
            raise ValidationError(
                gettext(
                    "This password is too common: it is a common password, repeated or "
                    "with a few characters, digits or signs added. Use several unrelated "
                    "words."
                ),
                code="password_too_common",
            )

    def get_help_text(self) -> str:
        return gettext(
            "Your password cannot be a commonly used one, even with a few characters "
            "added. Several unrelated words are good."
        )


def _is_name_of_business(text: str) -> bool:
    business = get_business()
    if business is None:
        return False
    name, joined = ("".join(words.lower().split()) for words in (business.name, text))
    return any(name == part for core in _cores(joined) for part in _parts(core))


def _cores(text: str) -> set[str]:
    """Variants of a password without its padding."""
    found = {text, ENDS.sub("", text)}
    found |= {ENDS.sub("", core.translate(LOOKALIKES)) for core in (text, *found)}
    found |= {core[: len(core) // 2] for core in found if core == core[: len(core) // 2] * 2}
    return found - {""}


def _parts(core: str) -> Iterator[str]:
    """The core, and its parts without up to four characters at the ends."""
    for length in range(max(len(core) - MAX_ADDED, len(core) // 2 + 1), len(core) + 1):
        for start in range(len(core) - length + 1):
            yield core[start : start + length]
