"""Pure: what a language model is asked about our texts, and which of its words are published.

It is given what a text tells in counts and names, never a word of a review, and says the same in
better words. A draft that holds a number or a name which the text has not is published by an
administrator alone.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from insights.analysis.grammar import FUNCTION_WORDS
from insights.analysis.valence import known_words
from insights.prose import is_quotable

LONGEST = 1_000
INSTRUCTIONS = """\
You reword short texts about the customer reviews of one business. The user message is a JSON
object of such texts by key. Answer with one JSON object of the given schema: for each key the same
facts in one to four plain, friendly sentences.
- Say nothing that the text does not say: no other fact, number, name or judgement.
- Write every number in digits, exactly as the text has it, and no other number in any form.
- Write names exactly as the text has them. No quotations, lists, links or markup.
"""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE_START = re.compile(r"(?:\A|[.!] )\W*")
_NUMBER_WORDS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve dozen dozens hundred hundreds
    thousand thousands half third thirds quarter quarters twice double triple both""".split()
)
# Other words with which a sentence about reviews may begin.
_BEGINNING = frozenset(
    """customers clients guests patients residents reviewers reviews overall most many few people
    prices""".split()
)


class DraftsRefused(Exception):
    """The answer has no drafts; the message says why, in words fit for a log."""


def messages(texts: Mapping[str, str]) -> list[dict[str, str]]:
    """The conversation that asks for these texts, by key, in other words."""
    return [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": json.dumps(texts, ensure_ascii=False)},
    ]


def schema(texts: Mapping[str, str]) -> dict[str, Any]:
    """The answer's JSON Schema, in the strict subset that such services take."""
    return {
        "type": "object",
        "properties": {key: {"type": "string"} for key in texts},
        "required": list(texts),
        "additionalProperties": False,
    }


def read_drafts(content: str, texts: Mapping[str, str]) -> dict[str, str]:
    """The drafts in an answer, of the texts that were asked for. Raises DraftsRefused."""
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError):
        raise DraftsRefused("the answer is not JSON") from None
    if not isinstance(answer, dict):
        raise DraftsRefused("the answer is not an object")
    given = {key: answer[key] for key in texts if isinstance(answer.get(key), str)}
    drafts = {key: " ".join(draft.split()) for key, draft in given.items()}
    return {key: draft for key, draft in drafts.items() if _is_text(draft)}


def _is_text(draft: str) -> bool:
    """Whether it can be kept and shown to an administrator."""
    return 0 < len(draft) <= LONGEST and draft.isprintable()


def told(written: Mapping[str, Any]) -> str:
    """An automatic text, as the artifact keeps it, without the reviewer's words at its end."""
    text: str = written.get("answer") or written.get("text", "")
    return text.removesuffix(written.get("quoted", ""))


def doubts(draft: str, text: str) -> list[str]:
    """Why a draft of a text should not be published unread, in sentences; none when all is told."""
    words = set(_WORD.findall(text))
    known = {word.lower() for word in words}
    capitals = {word for word in _WORD.findall(draft) if word[0].isupper()}
    # Five digits are not taken for a telephone number here: all numbers are looked at below.
    if not is_quotable(_NUMBER.sub("0", draft), capitals):
        return ["It is not plain text in whole sentences."]
    numbers = set(_NUMBER.findall(draft)) - set(_NUMBER.findall(text))
    numbers |= {word for word in _WORD.findall(draft) if word.lower() in _NUMBER_WORDS - known}
    starts = {match.end() for match in _SENTENCE_START.finditer(draft)}
    names = {
        match[0]
        for match in _WORD.finditer(draft)
        if match[0][0].isupper()
        and match[0] not in words
        and not (match.start() in starts and _is_ordinary(match[0].lower(), known))
    }
    return [
        *(f"The automatic text does not tell the number {number}." for number in sorted(numbers)),
        *(f"The automatic text does not tell the name {name}." for name in sorted(names)),
    ]


def _is_ordinary(word: str, known: set[str]) -> bool:
    """Whether a word need not be a name where every word has a capital."""
    return word in known or word in FUNCTION_WORDS or word in _BEGINNING or word in known_words()
