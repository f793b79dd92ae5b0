"""A language model as the analyser, with the rules to fall back on; off unless it is asked for.

Whatever fails - the server, the budget, an answer that breaks a rule - leaves that one review to
the rules, and is counted. Answers are kept, so that reading everything again costs nothing.
"""

import hashlib
import json
import logging
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings

from insights.aggregate import Names
from insights.backends import ReviewInput, ReviewResult, RulesAnalyser, Taxonomy
from insights.llm import client, extraction
from insights.llm.client import ChatClient, ChatUnavailable, QuestionRefused, Reply
from insights.llm.prompts import AnswerRefused
from review_analysis.name_matching import Roster

logger = logging.getLogger(__name__)

THREADS = 4
FAILURES = 3  # So many questions in a row without an answer are the server's fault, not theirs.
PAUSE_SECONDS = 60.0  # Then the rules go on alone for so long.


@dataclass(frozen=True)
class Question:
    """A conversation that a model is to go on with."""

    model_id: str
    messages: list[dict[str, str]]
    schema: dict[str, Any]

    @cached_property
    def key(self) -> str:
        """Stands for everything that is asked; the same question is never paid for twice."""
        prompt = json.dumps([self.model_id, self.messages])
        return hashlib.sha256(prompt.encode(errors="replace")).hexdigest()


class ChatAnalyser:
    """Asks the model that INSIGHTS_CHAT_MODEL names about each review that has words."""

    batch_size = 8
    batch_seconds = 240.0  # Two turns of the threads, each with three slow tries.

    def __init__(self) -> None:
        self.model_id = f"llm:{settings.INSIGHTS_CHAT_MODEL}/prompt-{extraction.PROMPT}"
        self._rules = RulesAnalyser()
        self._client = ChatClient(
            settings.INSIGHTS_CHAT_URL, settings.INSIGHTS_CHAT_KEY, settings.INSIGHTS_CHAT_MODEL
        )
        self._failures = 0
        self._not_before = 0.0

    def analyse(
        self, batch: Sequence[ReviewInput], taxonomy: Taxonomy, roster: Roster
    ) -> list[ReviewResult]:
        """The model's readings where it gave good ones, the rules' for the others."""
        results = self._rules.analyse(batch, taxonomy, roster)
        names = Names.on(taxonomy, roster)
        schema = extraction.schema(names)
        questions = {
            index: Question(
                self.model_id, extraction.messages(review.text, review.rating, names), schema
            )
            for index, review in enumerate(batch)
            if review.text
        }
        answers = self._answers(questions.values())
        fallbacks = 0
        for index, question in questions.items():
            try:
                content, text = answers[question.key], batch[index].text
                reading = extraction.read_answer(content, text, names, results[index].reading)
            except KeyError:
                fallbacks += 1
            except AnswerRefused as refused:
                fallbacks += 1
                logger.warning("An answer of %s is not used: %s", self.model_id, refused)
            else:
                results[index] = ReviewResult(reading, self.model_id)
        if fallbacks:
            client.count_fallbacks(fallbacks)
        return results

    def _answers(self, questions: Iterable[Question]) -> dict[str, str]:
        """The answers that are kept, and those to be had now within the budget, by key."""
        wanted = {question.key: question for question in questions}
        answers = client.kept_answers(wanted)
        new = [question for key, question in wanted.items() if key not in answers]
        if new and time.monotonic() >= self._not_before:
            answers |= self._ask(new[: client.take(len(new))])
        return answers

    def _ask(self, questions: Sequence[Question]) -> dict[str, str]:
        with ThreadPoolExecutor(THREADS) as pool:
            replies = list(pool.map(self._reply, questions))
        answers = {
            question.key: reply.content
            for question, reply in zip(questions, replies, strict=True)
            if reply
        }
        client.keep(answers, tokens=sum(reply.tokens for reply in replies if reply))
        return answers

    def _reply(self, question: Question) -> Reply | None:
        if time.monotonic() < self._not_before:
            return None
        try:
            reply = self._client.ask(question.messages, question.schema)
        except QuestionRefused as refused:
            logger.warning("%s does not take a question: %s", self.model_id, refused)
            reply = None
        except ChatUnavailable as error:
            logger.warning("%s gives no answer: %s", self.model_id, error)
            self._count_failure()
            return None
        self._failures = 0
        return reply

    def _count_failure(self) -> None:
        self._failures += 1
        if self._failures >= FAILURES:
            self._not_before = time.monotonic() + PAUSE_SECONDS
            logger.warning("%s is left alone for %d s", self.model_id, PAUSE_SECONDS)
