"""Web addresses of reviews."""

import re
from typing import Any, Final
from urllib.parse import urlsplit

from review_exports.values import ValueRefused, shown, value_refused
from review_exports.values.texts import as_text

URL_MAX: Final = 1000
_EMAIL_IN_URL = re.compile(
    r"[A-Za-z0-9._+-](?:@|%40)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
)
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")
# The form of most addresses, which need no slower parsing.
_PLAIN_URL = re.compile(
    r"https?://[A-Za-z0-9][A-Za-z0-9.-]{0,252}(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9./?#&=%+:;,~!@$'()*_-]*)?"
)


def clean_url(value: Any, field: str) -> str:
    """Return an http or https address, or "" for a blank value.

    Raises `ValueRefused` with the code `url_scheme` for another scheme, and with `url_invalid` for
    an address that is malformed, too long, without a scheme, or with an e-mail address in it.
    """
    text = as_text(value, field).strip()
    if len(text) <= URL_MAX and _PLAIN_URL.fullmatch(text):
        if ("@" in text or "%40" in text) and _EMAIL_IN_URL.search(text):
            raise _url_invalid(field, text)
        return text
    if not text:
        return ""
    scheme = _SCHEME.match(text)
    if scheme and scheme[1].lower() not in {"https", "http"}:
        raise value_refused("url_scheme", field, text, scheme=shown(scheme[1]))
    if len(text) > URL_MAX or not is_web_address(text) or _EMAIL_IN_URL.search(text):
        raise _url_invalid(field, text)
    return text


def is_web_address(text: str) -> bool:
    """Whether a text is a complete http or https address, which may become a link."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    is_plain = text.isprintable() and not any(character in ' <>"\\^`{|}' for character in text)
    return is_plain and parts.scheme in {"http", "https"} and bool(parts.hostname)


def _url_invalid(field: str, text: str) -> ValueRefused:
    return value_refused("url_invalid", field, text, most=URL_MAX)
