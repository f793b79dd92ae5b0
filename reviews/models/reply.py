"""Drafts and states of replies, and saved answers for many replies."""

import re

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reviews.models.review import Review
from reviews.published_json import ANONYMOUS


class Reply(models.Model):
    """A reply that is written here; the waiting rows are the queue of replies to send.

    The published reply is `Review.reply_text`, which may come from the review's site.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        WAITING = "waiting", _("Being sent")
        SENT = "sent", _("Sent")
        ELSEWHERE = "elsewhere", _("Answered elsewhere")

    review = models.OneToOneField(Review, on_delete=models.CASCADE, related_name="answer")
    text = models.TextField(blank=True)  # May be empty if the review was answered elsewhere.
    state = models.CharField(max_length=10, choices=State, default=State.DRAFT)
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    written_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    problem = models.TextField(blank=True)  # Why it could not be sent, as shown to its author.

    attempts = models.PositiveIntegerField(default=0)
    next_attempt_at = models.DateTimeField(default=timezone.now)
    claimed_until = models.DateTimeField(null=True)
    claim_token = models.CharField(max_length=32, blank=True)

    class Meta:
        default_permissions = ()  # Replies are changed with their reviews.
        verbose_name = _("reply")
        verbose_name_plural = _("replies")
        indexes = [
            models.Index(
                fields=["next_attempt_at"], condition=Q(state="waiting"), name="reply_waiting"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_state_display()}: {self.review_id}"


class SavedAnswer(models.Model):
    """A text for replies with placeholders for the customer and the business."""

    title = models.CharField(_("title"), max_length=100, unique=True)
    text = models.TextField(
        _("text"),
        max_length=4_000,
        help_text=_("{name} becomes the customer's name, and {business} that of the business."),
    )

    class Meta:
        ordering = ["title"]
        verbose_name = _("saved reply")
        verbose_name_plural = _("saved replies")

    def __str__(self) -> str:
        return self.title

    def clean(self) -> None:
        unknown = set(re.findall(r"\{.*?\}", self.text)) - {"{name}", "{business}"}
        if unknown:
            sentence = gettext("%(unknown)s is not a placeholder. Use {name} or {business}.")
            raise ValidationError({"text": sentence % {"unknown": ", ".join(sorted(unknown))}})

    def filled(self, review: Review, business: str) -> str:
        """Fill in the placeholders; drop that of an anonymous customer and the blank before."""
        name = "" if review.author == ANONYMOUS else review.author
        text = self.text if name else re.sub(r"[^\S\n]*\{name\}", "", self.text)
        values = {"{name}": name, "{business}": business}
        return re.sub(r"\{(?:name|business)\}", lambda found: values[found[0]], text)
