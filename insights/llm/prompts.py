"""How a language model is asked for JSON, and how the JSON in its answer is opened."""

import json
from collections.abc import Mapping
from typing import Any


class AnswerRefused(Exception):
    """The answer breaks a rule; the message says which, in words fit for a log."""


def messages(instructions: str, request: Mapping[str, Any]) -> list[dict[str, str]]:
    """The conversation that asks about `request`, which may hold a stranger's words."""
    return [
        {"role": "system", "content": instructions},
        {"role": "user", "content": json.dumps(request, ensure_ascii=False)},
    ]


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object, in the strict subset that such services take."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def opened(content: str) -> dict[str, Any]:
    """The object that an answer is. Raises AnswerRefused."""
    try:
        answer = json.loads(content, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise AnswerRefused("the answer is not JSON") from None
    if not isinstance(answer, dict):
        raise AnswerRefused("the answer is not an object")
    return answer


def _refuse_constant(name: str) -> None:
    raise ValueError(name)
