"""Names of columns and members about the permission to publish."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from review_exports.formats.base import fold_names
from review_exports.vocabulary import load

Meaning = Literal["published", "withheld", "status"]
MEANINGS: tuple[Meaning, ...] = ("published", "withheld", "status")
_VOCABULARY = load("vocabulary/publication.toml")
_NAMES = {key: frozenset(fold_names(text)) for key, text in _VOCABULARY["names"].items()}
_PATTERNS = {key: re.compile(text, re.VERBOSE) for key, text in _VOCABULARY["patterns"].items()}
ANONYMOUS_NAMES = _NAMES["anonymous"]
ADDRESSES = _NAMES["addresses"]
MAY_BE_ADDRESS = _NAMES["may_be_address"]
# Columns that may hold words, or a yes or no about those in another column.
FLAGS_OR_WORDS: Mapping[str, Meaning] = {
    **dict.fromkeys(fold_names("public review,public feedback,public comment"), "published"),
    **dict.fromkeys(fold_names("private review,private feedback,private comment"), "withheld"),
}
_LEADS = (
    re.compile(r"^(?:the|this)?(?:review|comment|bewertung|testimonial|feedback)s??(?:is|was)?"),
    re.compile(r"^(?:is|was|are|isreview|review)"),
)


def is_other_subject(name: str) -> bool:
    """Whether an object of this folded name is about something else."""
    return bool(_PATTERNS["other_object"].search(name) or _PATTERNS["other_subject"].search(name))


@lru_cache(maxsize=4096)
def meaning_of(name: str) -> Meaning | Literal["unclear", "name"] | None:
    """Meaning of a folded name for publication.

    "unclear": something, but not whether a yes permits it; "name": whether the author's name may be
    shown; None: nothing.
    """
    stems = [name, *(lead.sub("", name) for lead in _LEADS)]
    known = (one for one in MEANINGS if not _NAMES[one].isdisjoint(stems))
    if (
        (meaning := next(known, None))
        or not _NAMES["neutral"].isdisjoint(stems)
        or _PATTERNS["day"].search(name)
    ):
        return meaning
    if _PATTERNS["forbids"].search(name):
        return "withheld"
    is_other = _PATTERNS["other_subject"].search(name) is not None
    if _PATTERNS["asks"].search(name) and _PATTERNS["to_publish"].search(name):
        if _PATTERNS["of_review"].search(name) or not (is_other or _PATTERNS["name"].search(name)):
            return "published"
        if _PATTERNS["name"].search(name):
            return "name"
    if _PATTERNS["questionable"].search(name):
        return "unclear"
    return "unclear" if _PATTERNS["speaks"].search(name) and not is_other else None
