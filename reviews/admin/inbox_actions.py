"""Actions of the inbox on the open review, and their permissions.

An action returns forms with errors or values to show again, or `DONE`.
"""

import re
from collections.abc import Callable, Mapping

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.admin.base import signed_in_user
from core.admin.forms import LinesField, TextField
from reviews import replies, services
from reviews.admin.forms import HidingForm, validate_text_length
from reviews.models import Review, SavedAnswer
from reviews.models.review import HiddenReason
from reviews.redaction import MARKERS, is_redaction
from reviews.selectors import get_business

Forms = dict[str, forms.Form]
DONE: Forms = {}


# --- Replies --------------------------------------------------------------------------------------


class ReplyForm(forms.Form):
    """The text of a reply, and a saved answer to insert."""

    saved = forms.ModelChoiceField(
        SavedAnswer.objects.all(),
        required=False,
        label=gettext_lazy("Saved reply"),
        empty_label=gettext_lazy("Choose one"),
    )
    text = TextField(
        required=False,
        label=gettext_lazy("Your reply"),
        widget=forms.Textarea(attrs={"rows": 6, "dir": "auto"}),
        validators=[validate_text_length],
    )


def _insert(request: HttpRequest, review: Review) -> Forms:
    """Append the saved answer to the text."""
    form = ReplyForm(request.POST)
    form.is_valid()
    saved = form.cleaned_data.get("saved")
    if saved is None:
        form.add_error("saved", _("Choose a saved reply."))
        return {"reply_form": form}
    business = get_business()
    filled = saved.filled(review, business.name if business else "")
    text = "\n\n".join(filter(None, [form.cleaned_data.get("text", ""), filled]))
    return {"reply_form": ReplyForm(initial={"text": text})}


def _draft(request: HttpRequest, review: Review) -> Forms:
    form = _reply(request, needs_text=True)
    if not form.is_valid():
        return {"reply_form": form}
    replies.save_draft(review, form.cleaned_data["text"], signed_in_user(request))
    messages.success(request, _("The draft is saved."))
    return DONE


def _send(request: HttpRequest, review: Review) -> Forms:
    form, channel = _reply(request, needs_text=True), replies.channel_of(review)
    if form.is_valid():
        text = form.cleaned_data["text"]
        if channel is None:
            form.add_error(None, _("Replies to this review cannot be sent from here."))
        elif channel.longest and len(text.encode()) > channel.longest:
            sentence = _("%(site)s accepts at most %(longest)d bytes; this text has %(bytes)d.")
            sizes = {"longest": channel.longest, "bytes": len(text.encode())}
            form.add_error("text", sentence % {"site": channel.site, **sizes})
    if not form.is_valid() or channel is None:
        return {"reply_form": form}
    if replies.send(review, form.cleaned_data["text"], signed_in_user(request)):
        sentence = _("The reply to %(author)s is being sent to %(site)s.")
        names = {"author": review.author, "site": channel.site}
        messages.success(request, sentence % names)
    else:
        messages.info(request, _("This reply has already been sent or queued."))
    return DONE


def _answered(request: HttpRequest, review: Review) -> Forms:
    form = _reply(request)
    if not form.is_valid():
        return {"reply_form": form}
    replies.mark_answered(review, form.cleaned_data["text"], signed_in_user(request))
    sentence = _("The review by %(author)s is marked as answered.")
    messages.success(request, sentence % {"author": review.author})
    return DONE


def _withdraw(request: HttpRequest, review: Review) -> Forms:
    replies.withdraw(review, signed_in_user(request))
    messages.success(request, _("The reply is a draft again."))
    return DONE


def _reply(request: HttpRequest, *, needs_text: bool = False) -> ReplyForm:
    form = ReplyForm(request.POST)
    form.fields["text"].required = needs_text
    form.fields["text"].error_messages["required"] = _("Write the reply first.")
    return form


# --- Reviews --------------------------------------------------------------------------------------


class RedactionForm(forms.Form):
    """Words to redact."""

    words = LinesField(
        label=gettext_lazy("Words to be replaced by [...]"),
        help_text=gettext_lazy("Exactly as in the text, one passage per line."),
        widget=forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
        error_messages={"required": gettext_lazy("Write the words to be replaced.")},
    )

    def redacted(self, text: str) -> str:
        """Redact whole words; return the text unchanged if one of them does not occur."""
        shown = text
        for words in sorted(self.cleaned_data["words"], key=len, reverse=True):
            shown, found = re.subn(rf"(?<!\w){re.escape(words)}(?!\w)", MARKERS[0], shown)
            if not found:
                return text
        return shown if is_redaction(text, shown) else text


def _redact(request: HttpRequest, review: Review) -> Forms:
    form = RedactionForm(request.POST)
    if form.is_valid():
        shown = form.redacted(review.text)
        if shown != review.text:
            services.edit_review(review, {"text": shown})
            replies.record(review, signed_in_user(request), _("Words redacted."))
            messages.success(request, _("The public now sees [...] in place of these words."))
            return DONE
        form.add_error("words", _("Copy whole words from the text, exactly as they appear there."))
    return {"redaction": form}


def _hide(request: HttpRequest, review: Review) -> Forms:
    form = HidingForm(request.POST)
    if not form.is_valid():
        return {"hiding": form}
    reason, user = form.cleaned_data["reason"], signed_in_user(request)
    services.hide(Review.objects.filter(pk=review.pk), reason=reason, by=user)
    label = str(HiddenReason(reason).label)
    replies.record(review, user, _("Hidden: %(reason)s.") % {"reason": label.lower()})
    sentence = _("The review by %(author)s is hidden now.")
    messages.success(request, sentence % {"author": review.author})
    return DONE


def _show(request: HttpRequest, review: Review) -> Forms:
    services.hide(Review.objects.filter(pk=review.pk), hidden=False)
    replies.record(review, signed_in_user(request), _("Shown again."))
    sentence = _("The review by %(author)s is public now.")
    messages.success(request, sentence % {"author": review.author})
    return DONE


# Permissions and functions of the actions by name.
Action = Callable[[HttpRequest, Review], Forms]
CHANGE, HIDE = "reviews.change_review", "reviews.hide_review"
ACTIONS: Mapping[str, tuple[str, Action]] = {
    "insert": (CHANGE, _insert),
    "draft": (CHANGE, _draft),
    "send": (CHANGE, _send),
    "answered": (CHANGE, _answered),
    "withdraw": (CHANGE, _withdraw),
    "redact": (CHANGE, _redact),
    "hide": (HIDE, _hide),
    "show": (HIDE, _show),
}


def act(request: HttpRequest, review: Review, action: Action) -> Forms:
    """Run an action, and report conflicts with a worker or a deletion as a message."""
    try:
        return action(request, review)
    except replies.ReplyUnderWay:
        sentence = _("The reply is being sent. Check again in a minute.")
    except Review.DoesNotExist:
        sentence = _("The review has been deleted in the meantime.")
    messages.error(request, sentence)
    return DONE
