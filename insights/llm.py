"""A language model as the analyser, with the rules to fall back on; off unless it is asked for.

Whatever fails - the server, the budget, an answer that breaks a rule - leaves that one review to
the rules, and is counted. Answers are kept, so that reading everything again costs nothing.
"""

import datetime as dt
import hashlib
import json
import logging
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from insights.chat_answers import PROMPT, AnswerRefused, Choices, messages, read_answer, schema
from insights.chat_client import ChatClient, ChatUnavailable, Reply
from insights.engine import ReviewInput, ReviewResult, RulesAnalyser, Taxonomy
from insights.models import ChatAnswer, ChatDay
from reviews.mentions import Roster

logger = logging.getLogger(__name__)

THREADS = 4
PAUSE_SECONDS = 60.0  # After a failure of the server the rules go on alone for so long.

Question = tuple[str, ReviewInput]  # With its key among the kept answers.


class ChatAnalyser:
    """Asks the model that INSIGHTS_CHAT_MODEL names about each review that has words."""

    batch_size = 8
    batch_seconds = 240.0  # Two turns of the threads, each with three slow tries.

    def __init__(self) -> None:
        self.model_id = f"llm:{settings.INSIGHTS_CHAT_MODEL}/prompt-{PROMPT}"
        self._rules = RulesAnalyser()
        self._client = ChatClient(
            settings.INSIGHTS_CHAT_URL, settings.INSIGHTS_CHAT_KEY, settings.INSIGHTS_CHAT_MODEL
        )
        self._not_before = 0.0

    def analyse(
        self, batch: Sequence[ReviewInput], taxonomy: Taxonomy, roster: Roster
    ) -> list[ReviewResult]:
        """The model's readings where it gave good ones, the rules' for the others."""
        results = self._rules.analyse(batch, taxonomy, roster)
        choices = _choices(taxonomy, roster)
        keys = [self._key(review, choices) if review.text else "" for review in batch]
        answers = self._answers(dict(zip(keys, batch, strict=True)), choices)
        fallbacks = 0
        for index, (key, review) in enumerate(zip(keys, batch, strict=True)):
            if not key:
                continue
            try:
                content = answers[key]
                reading = read_answer(content, review.text, choices, results[index].reading)
            except KeyError:
                fallbacks += 1
            except AnswerRefused as refused:
                fallbacks += 1
                logger.warning("An answer of %s is not used: %s", self.model_id, refused)
            else:
                results[index] = ReviewResult(reading, self.model_id)
        if fallbacks:
            ChatDay.objects.filter(pk=_today().pk).update(fallbacks=F("fallbacks") + fallbacks)
        return results

    def _key(self, review: ReviewInput, choices: Choices) -> str:
        """Stands for everything that is asked; the same question is never paid for twice."""
        asked = json.dumps([self.model_id, messages(review.text, review.rating, choices)])
        return hashlib.sha256(asked.encode(errors="replace")).hexdigest()

    def _answers(self, questions: Mapping[str, ReviewInput], choices: Choices) -> dict[str, str]:
        """The answers that are kept, and those to be had now within the budget."""
        wanted = [key for key in questions if key]
        kept = ChatAnswer.objects.filter(key__in=wanted)
        answers = dict(kept.values_list("key", "content"))
        new = [(key, questions[key]) for key in wanted if key not in answers]
        if new and time.monotonic() >= self._not_before:
            answers |= self._ask(new[: _take(len(new))], choices)
        return answers

    def _ask(self, questions: Sequence[Question], choices: Choices) -> dict[str, str]:
        with ThreadPoolExecutor(THREADS) as pool:
            replies = list(pool.map(lambda question: self._reply(question[1], choices), questions))
        answered = {key: reply for (key, _), reply in zip(questions, replies, strict=True) if reply}
        _keep(answered)
        return {key: reply.content for key, reply in answered.items()}

    def _reply(self, review: ReviewInput, choices: Choices) -> Reply | None:
        if time.monotonic() < self._not_before:
            return None
        try:
            return self._client.ask(messages(review.text, review.rating, choices), schema(choices))
        except ChatUnavailable as error:
            self._not_before = time.monotonic() + PAUSE_SECONDS
            logger.warning(
                "%s gives no answer: %s. The rules read in its place for %d s.",
                self.model_id,
                error,
                PAUSE_SECONDS,
            )
            return None


def _choices(taxonomy: Taxonomy, roster: Roster) -> Choices:
    """What may be named: aspects, problems and topics by the taxonomy, the rest by the roster."""
    return Choices.of(
        {**taxonomy, "services": [{"id": s.slug, "label": s.label} for s in roster.services]},
        {person.slug: person.name for person in roster.technicians},
    )


# --- The budget -----------------------------------------------------------------------------------


def _today() -> ChatDay:
    day, _ = ChatDay.objects.get_or_create(day=timezone.now().astimezone(dt.UTC).date())
    return day


@transaction.atomic
def _take(wanted: int) -> int:
    """How many of so many reviews may still be asked about today; they count as asked."""
    day = ChatDay.objects.select_for_update().get(pk=_today().pk)
    left = settings.INSIGHTS_CHAT_REVIEWS_PER_DAY - day.reviews
    if day.tokens >= settings.INSIGHTS_CHAT_TOKENS_PER_DAY:
        left = 0
    taken = max(0, min(wanted, left))
    day.reviews += taken
    day.save()
    return taken


@transaction.atomic
def _keep(replies: Mapping[str, Reply]) -> None:
    ChatAnswer.objects.bulk_create(
        [ChatAnswer(key=key, content=reply.content) for key, reply in replies.items()],
        ignore_conflicts=True,
    )
    tokens = sum(reply.tokens for reply in replies.values())
    ChatDay.objects.filter(pk=_today().pk).update(tokens=F("tokens") + tokens)
