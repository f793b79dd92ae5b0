"""Requests to a language model, its answers, and the rest of a day's budget."""

import datetime as dt
from collections.abc import Collection, Mapping

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from insights.models import ChatAnswer, ChatDay


def kept_answers(keys: Collection[str]) -> dict[str, str]:
    """The answers that are still known, by the keys of their questions."""
    return dict(ChatAnswer.objects.filter(key__in=keys).values_list("key", "content"))


@transaction.atomic
def take(wanted: int) -> int:
    """How many of so many questions may still be asked today; they count as asked."""
    day = ChatDay.objects.select_for_update().get(pk=_today().pk)
    left = settings.INSIGHTS_CHAT_REVIEWS_PER_DAY - day.reviews
    if day.tokens >= settings.INSIGHTS_CHAT_TOKENS_PER_DAY:
        left = 0
    taken = max(0, min(wanted, left))
    day.reviews += taken
    day.save()
    return taken


@transaction.atomic
def keep(answers: Mapping[str, str], tokens: int) -> None:
    """Keep what was answered, by the keys of the questions, and what all of it cost."""
    ChatAnswer.objects.bulk_create(
        [ChatAnswer(key=key, content=content) for key, content in answers.items()],
        ignore_conflicts=True,
    )
    ChatDay.objects.filter(pk=_today().pk).update(tokens=F("tokens") + tokens)


def count_fallbacks(count: int) -> None:
    """Note that so many reviews were left to the rules."""
    ChatDay.objects.filter(pk=_today().pk).update(fallbacks=F("fallbacks") + count)


def _today() -> ChatDay:
    day, _ = ChatDay.objects.get_or_create(day=timezone.now().astimezone(dt.UTC).date())
    return day
