"""Analyse reviews by a language model, with the rules as the fallback.

A request contains several reviews. A review without a valid answer is left to the rules, counted,
and requested again on another day. Answers are stored, so another analysis needs no requests.
"""

import hashlib
import json
import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import ceil

from django.conf import settings

from insights.aggregate import Names
from insights.backends import ReviewInput, ReviewResult, RulesAnalyser, Taxonomy
from insights.llm import client, prompts
from insights.llm.client import ChatClient, ChatTooSlow, ChatUnavailable, QuestionRefused
from insights.llm.extraction import read_answer
from insights.llm.prompts import AnswerRefused
from review_analysis.name_matching import Roster

logger = logging.getLogger(__name__)

# A slow server gets one thread, with one review per request.
THREADS = 4
TOGETHER, MAX_CHARACTERS = 5, 6_000  # Reviews of a request, and characters of their texts.
FAILURES = 3  # Consecutive failed requests before a pause.
PAUSE_SECONDS = 60.0
ANSWER_TOKENS = 200  # Estimate for one review.


@dataclass(frozen=True, slots=True)
class Question:
    """A review for the model."""

    key: str  # Hash of everything that determines the answer.
    text: str
    rating: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimated cost of analysing some reviews."""

    reviews: int
    requests: int
    tokens: int
    days: int  # By the daily budgets.


class ChatAnalyser:
    """Ask the model INSIGHTS_CHAT_MODEL about each review with words."""

    batch_size = 20
    batch_seconds = 900.0  # A slow server gets one review at a time.

    def __init__(self) -> None:
        self.model_id = f"llm:{settings.INSIGHTS_CHAT_MODEL}/prompt-{prompts.PROMPT}"
        self._rules = RulesAnalyser()
        self._client = ChatClient(
            settings.INSIGHTS_CHAT_URL, settings.INSIGHTS_CHAT_KEY, settings.INSIGHTS_CHAT_MODEL
        )
        self._failures = 0
        self._not_before = 0.0
        self._is_slow = False

    def analyse(
        self, batch: Sequence[ReviewInput], taxonomy: Taxonomy, roster: Roster
    ) -> list[ReviewResult]:
        """Return the readings of the model, or of the rules if the model has none."""
        results = self._rules.analyse(batch, taxonomy, roster)
        names = Names.collect(taxonomy, roster)
        read = partial(self._rules.compile(taxonomy, roster).read, rating=None)
        questions = {
            index: self._question(review.text, review.rating, names)
            for index, review in enumerate(batch)
            if review.text
        }
        answers = self._answers(questions.values(), names)
        fallbacks = 0
        for index, question in questions.items():
            try:
                answer = read_answer(
                    answers[question.key], question.text, names, results[index].reading, read
                )
            except (KeyError, AnswerRefused):
                fallbacks += 1
            else:
                results[index] = ReviewResult(answer.reading, self.model_id, answer.complaints)
                if answer.dropped:
                    logger.info("%s: %d entries are not shown", self.model_id, answer.dropped)
        if fallbacks:
            client.count_fallbacks(fallbacks)
        return results

    def remaining_today(self) -> int:
        return client.remaining_today()

    def estimate(
        self, reviews: Iterable[tuple[str, int]], taxonomy: Taxonomy, roster: Roster
    ) -> Estimate:
        """Estimate the cost of the reviews without a stored answer."""
        names = Names.collect(taxonomy, roster)
        wanted = (self._question(text, rating, names) for text, rating in reviews if text)
        questions = {question.key: question for question in wanted}
        stored = client.stored_answers(questions)
        new = [question for key, question in questions.items() if key not in stored]
        groups = list(_groups(new, TOGETHER))
        tokens = len(new) * ANSWER_TOKENS
        for group in groups:
            messages = prompts.messages([(each.text, each.rating) for each in group], names)
            tokens += sum(len(message["content"]) for message in messages) // 4
        days = max(
            ceil(len(new) / settings.INSIGHTS_CHAT_REVIEWS_PER_DAY),
            ceil(tokens / settings.INSIGHTS_CHAT_TOKENS_PER_DAY),
        )
        return Estimate(len(new), len(groups), tokens, days)

    def _question(self, text: str, rating: int, names: Names) -> Question:
        known = {kind: names.of(kind) for kind in prompts.KINDS}
        parameters = json.dumps([self.model_id, known, text, rating])
        key = hashlib.sha256(parameters.encode(errors="replace")).hexdigest()
        return Question(key, text, rating)

    def _answers(self, questions: Iterable[Question], names: Names) -> dict[str, str]:
        """Return stored answers and, within the budget, new ones, by key."""
        wanted = {question.key: question for question in questions}
        answers = client.stored_answers(wanted)
        new = [question for key, question in wanted.items() if key not in answers]
        if not new or time.monotonic() < self._not_before:
            return answers
        groups = list(_groups(new[: client.reserve(len(new))], 1 if self._is_slow else TOGETHER))
        with ThreadPoolExecutor(1 if self._is_slow else THREADS) as pool:
            for found, tokens in pool.map(lambda group: self._ask(group, names), groups):
                client.store_answers(found, tokens)  # At once, in case the process is killed.
                answers |= found
        return answers

    def _ask(self, group: Sequence[Question], names: Names) -> tuple[dict[str, str], int]:
        """Request the answers about a group; return them by key, with the tokens used.

        A missing answer is requested again on its own. If it is missing again, it is stored as
        empty.
        """
        if time.monotonic() < self._not_before:
            return {}, 0
        messages = prompts.messages([(each.text, each.rating) for each in group], names)
        found, tokens = dict[int, str](), 0
        try:
            reply = self._client.ask(messages, prompts.schema(names))
        except QuestionRefused as refused:
            logger.warning("%s does not take a question: %s", self.model_id, refused)
        except ChatUnavailable as error:
            logger.warning("%s gives no answer: %s", self.model_id, error)
            if len(group) == 1 or not isinstance(error, ChatTooSlow):
                self._failures += 1
                if self._failures >= FAILURES:
                    self._not_before = time.monotonic() + PAUSE_SECONDS
                    logger.warning("%s is left alone for %d s", self.model_id, PAUSE_SECONDS)
                return {}, 0
            self._is_slow = True
        else:
            self._failures = 0
            tokens = reply.tokens
            found = prompts.split_answer(reply.content, len(group))
        answers = {group[number - 1].key: part for number, part in found.items()}
        if len(group) == 1:
            return answers or {group[0].key: ""}, tokens
        for question in group:
            if question.key not in answers:
                alone, more = self._ask([question], names)
                answers |= alone
                tokens += more
        return answers, tokens


def _groups(questions: Sequence[Question], together: int) -> Iterator[Sequence[Question]]:
    group: list[Question] = []
    for question in questions:
        size = sum(len(each.text) for each in group) + len(question.text)
        if group and (len(group) == together or size > MAX_CHARACTERS):
            yield group
            group = []
        group.append(question)
    if group:
        yield group
