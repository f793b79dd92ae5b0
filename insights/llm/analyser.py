"""A language model as the analyser, with the rules to fall back on; off unless it is asked for.

One request holds some reviews. Whatever fails - the server, the budget, an answer
without a review - leaves that one review to the rules, is counted, and is requested another day.
Answers are kept, so that reading everything again costs nothing.
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

THREADS = 4  # One, as for reviews of a request, after a server was too slow.
TOGETHER, MOST_CHARACTERS = 5, 6_000  # Reviews of one request, and their texts.
FAILURES = 3  # So many requests in a row without an answer are the server's fault, not theirs.
PAUSE_SECONDS = 60.0  # Then the rules go on alone for so long.
ANSWER_TOKENS = 200  # Of one review, as an estimate.


@dataclass(frozen=True, slots=True)
class Question:
    """One review that a model reads."""

    key: str  # Of all that decides the answer; the same question is never paid for twice.
    text: str
    rating: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """Cost of reading some reviews, before any of them is sent."""

    reviews: int
    requests: int
    tokens: int
    days: int  # By the budgets of a day.


class ChatAnalyser:
    """Asks the model that INSIGHTS_CHAT_MODEL names about each review that has words."""

    batch_size = 20
    batch_seconds = 900.0  # Of a slow server, which is sent one review after another.

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
        """The model's readings where it gave some, the rules' for the others."""
        results = self._rules.analyse(batch, taxonomy, roster)
        names = Names.on(taxonomy, roster)
        read = partial(self._rules.compiled(taxonomy, roster).read, rating=None)
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

    def left_today(self) -> int:
        return client.left_today()

    def estimate(
        self, reviews: Iterable[tuple[str, int]], taxonomy: Taxonomy, roster: Roster
    ) -> Estimate:
        """Cost of these reviews, without those whose answers are kept."""
        names = Names.on(taxonomy, roster)
        wanted = (self._question(text, rating, names) for text, rating in reviews if text)
        questions = {question.key: question for question in wanted}
        kept = client.kept_answers(questions)
        new = [question for key, question in questions.items() if key not in kept]
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
        """The answers that are kept, and those to be had now within the budget, by key."""
        wanted = {question.key: question for question in questions}
        answers = client.kept_answers(wanted)
        new = [question for key, question in wanted.items() if key not in answers]
        if not new or time.monotonic() < self._not_before:
            return answers
        groups = list(_groups(new[: client.take(len(new))], 1 if self._is_slow else TOGETHER))
        with ThreadPoolExecutor(1 if self._is_slow else THREADS) as pool:
            for found, tokens in pool.map(lambda group: self._ask(group, names), groups):
                client.keep(found, tokens)  # At once: a process that is killed has kept the rest.
                answers |= found
        return answers

    def _ask(self, group: Sequence[Question], names: Names) -> tuple[dict[str, str], int]:
        """The answers about a group by key, and their tokens.

        Those that it lacks are requested alone; one that gives none then is kept as empty.
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
            found = prompts.split(reply.content, len(group))
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
        if group and (len(group) == together or size > MOST_CHARACTERS):
            yield group
            group = []
        group.append(question)
    if group:
        yield group
