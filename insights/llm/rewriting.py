"""How a language model is asked for our texts in other words, and the drafts in its answer.

It is given what a text tells in counts and names, never a word of a review. Whether a draft is
published is for `insights.drafts` to say.
"""

from collections.abc import Mapping
from typing import Any

from insights.llm import prompts

LONGEST = 1_000
INSTRUCTIONS = """\
You reword short texts about the customer reviews of one business. The user message is a JSON
object of such texts by key. Answer with one JSON object of the given schema: for each key the same
facts in one to four plain, friendly sentences.
- Say nothing that the text does not say: no other fact, number, name or judgement.
- Write every number in digits, exactly as the text has it, and no other number in any form.
- Write names exactly as the text has them. No quotations, lists, links or markup.
"""


def messages(texts: Mapping[str, str]) -> list[dict[str, str]]:
    """The conversation that asks for these texts, by key, in other words."""
    return prompts.messages(INSTRUCTIONS, texts)


def schema(texts: Mapping[str, str]) -> dict[str, Any]:
    """The answer's JSON Schema."""
    return prompts.object_of({key: {"type": "string"} for key in texts})


def read_drafts(content: str, texts: Mapping[str, str]) -> dict[str, str]:
    """The drafts in an answer, of the texts that were asked for. Raises AnswerRefused."""
    answer = prompts.opened(content)
    given = {key: answer[key] for key in texts if isinstance(answer.get(key), str)}
    drafts = {key: " ".join(draft.split()) for key, draft in given.items()}
    return {key: draft for key, draft in drafts.items() if _is_text(draft)}


def _is_text(draft: str) -> bool:
    """Whether it can be kept and shown to an administrator."""
    return 0 < len(draft) <= LONGEST and draft.isprintable()
