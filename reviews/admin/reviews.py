"""List, edit, hide and delete reviews."""

from collections.abc import Iterator
from typing import Any, cast

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator, smart_split, unescape_string_literal
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.admin.base import (
    EditableModelAdmin,
    KeyPaginator,
    choice_filter,
    is_key,
    signed_in_user,
)
from review_analysis.text import fold_for_search
from reviews import services
from reviews.admin.forms import ForgettingForm, HidingForm, ReviewForm
from reviews.forgetting import reviews_by, reviews_naming
from reviews.models import Mention, Review
from reviews.models.deletion import name_digest
from reviews.models.review import HiddenReason
from reviews.published_json import ANONYMOUS
from reviews.sites import source_name
from reviews.stars import STARS, drawn_stars
from reviews.ulids import is_ulid

LISTED = 50  # Reviews that the confirmation page of an action lists.


# --- Filters of the list --------------------------------------------------------------------------


class MentionFilter(admin.SimpleListFilter):
    """Filter that the roster links to; listed only while it is active."""

    title, parameter_name = "mentions", "mentions"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        value = request.GET.get("mentions", "")
        kind, _, slug = value.partition(":")
        return [(value, slug)] if kind in Mention.Kind.values and slug else []

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        for value, slug in self.lookup_choices:
            kind = str(value).partition(":")[0]
            queryset = queryset.filter(mentions__kind=kind, mentions__subject=slug)
        return queryset


def _sources() -> list[tuple[str, str]]:
    sources = Review.objects.order_by("source").values_list("source", flat=True).distinct()
    return [(source, source_name(source)) for source in sources]


FILTERS: list[Any] = [
    choice_filter(
        "state",
        [("public", _("Public")), ("hidden", _("Hidden"))],
        lambda reviews, value: reviews.filter(hidden=value == "hidden"),
    ),
    choice_filter(
        "rating",
        [(str(n), "★" * n) for n in reversed(STARS)],
        lambda reviews, value: reviews.filter(rating=int(value)),
    ),
    choice_filter(
        "reply",
        [("missing", _("Missing")), ("there", _("Present"))],
        lambda reviews, value: reviews.filter(has_reply=value == "there"),
    ),
    choice_filter("source", _sources, lambda reviews, value: reviews.filter(source=value)),
    "date",
    choice_filter(
        "edited",
        [("yes", _("Yes")), ("no", _("No"))],
        lambda reviews, value: (
            reviews.exclude(edited_fields=[])
            if value == "yes"
            else reviews.filter(edited_fields=[])
        ),
        title=_("edited by hand"),
    ),
    MentionFilter,
]


# --- The pages ------------------------------------------------------------------------------------


@admin.register(Review)
class ReviewAdmin(EditableModelAdmin):
    form = ReviewForm
    list_display = [
        "stars",
        "author_name",
        "date",
        "excerpt",
        "is_shown",
        "source_name",
        "is_edited",
        "batch",
    ]
    list_display_links = ["stars", "author_name"]
    list_select_related = ["created_by_batch"]
    list_filter = FILTERS
    search_fields = ["text_folded", "author", "ulid", "external_id"]  # See `get_search_results`.
    search_help_text = _("Words in the text or the author's name, or an id.")
    ordering = ["-date", "-ulid"]
    paginator = KeyPaginator
    actions = ["hide", "show", "release", "forget", "delete_selected"]
    readonly_fields = [
        "ulid",
        "mentioned",
        "edited_by_hand",
        "hidden_since",
        "created_by_batch",
        "changed_by_batch",
        "created_at",
        "updated_at",
        "published",
    ]

    class Media:
        css = {"all": ["reviews/admin.css"]}

    def get_fieldsets(self, request: HttpRequest, obj: Review | None = None) -> Any:
        identity = ["source", "external_id"]
        review = ["rating", "author", "date", "text", "verified"]
        links = (_("Links"), {"fields": ["source_url", "author_avatar_url", "photos"]})
        reply = (_("Reply of the owner"), {"fields": ["reply_text", "reply_date"]})
        if obj is None:
            return [(None, {"fields": [*identity, *review, "page"]}), reply, links]
        origin = ["ulid", *identity, "created_by_batch", "changed_by_batch"]
        kept = ["mentioned", "edited_by_hand", "created_at", "updated_at", "published"]
        return [
            (None, {"fields": review}),
            (_("Hidden from the public"), {"fields": ["hidden", "hidden_reason", "hidden_since"]}),
            reply,
            links,
            (_("Origin"), {"fields": origin}),
            (_("Additional data"), {"fields": kept}),
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Review | None = None) -> list[str]:
        # The merge key: after a change the next import would add the review again.
        fixed = ["source", "external_id"] if obj else []
        if not self.has_hide_permission(request):
            fixed += ["hidden", "hidden_reason"]
        return [*self.readonly_fields, *fixed]

    def get_inlines(self, request: HttpRequest, obj: Review | None) -> Any:
        return self.inlines if obj else []

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find each word in the text or the author's name, or as an id."""
        for word in _words(search_term):
            found = Q(text_folded__contains=fold_for_search(word))
            # SQLite ignores the case of ASCII letters alone.
            for spelling in {word, word.casefold(), word.capitalize(), word.upper()}:
                found |= Q(author__icontains=spelling)
            found |= Q(ulid__iexact=word) | Q(external_id__iexact=word)
            queryset = queryset.filter(found)
        return queryset, False

    def view_on_site(self, review: Review) -> str | None:
        return None if review.hidden else f"{settings.BASE_URL}/reviews/{review.ulid}"

    # Columns

    @admin.display(description=_("rating"), ordering="rating")
    def stars(self, review: Review) -> str:
        return drawn_stars(review.rating)

    @admin.display(description=_("author"), ordering="author")
    def author_name(self, review: Review) -> str:
        return Truncator(review.author).chars(40)

    @admin.display(description=_("loaded by"), ordering="created_by_batch", empty_value="")
    def batch(self, review: Review) -> str:
        return Truncator(review.created_by_batch or "").chars(40)

    @admin.display(description=_("text"), empty_value="(stars alone)")
    def excerpt(self, review: Review) -> str:
        return Truncator(review.text).chars(80)

    @admin.display(description=_("public"), boolean=True, ordering="hidden")
    def is_shown(self, review: Review) -> bool:
        return not review.hidden

    @admin.display(description=_("source"), ordering="source")
    def source_name(self, review: Review) -> str:
        return source_name(review.source)

    @admin.display(description=_("edited"), empty_value="")
    def is_edited(self, review: Review) -> str:
        return "by hand" if review.edited_fields else ""

    @admin.display(description=_("mentions"))
    def mentioned(self, review: Review) -> str:
        found = review.mentions.order_by("kind", "subject").values_list("kind", "subject")
        return ", ".join(f"{subject} ({kind})" for kind, subject in found) or gettext("nothing")

    @admin.display(description=_("edited by hand"))
    def edited_by_hand(self, review: Review) -> str:
        names = [name.replace("_", " ") for name in review.edited_fields]
        return (
            gettext("%s (imports do not change these)") % ", ".join(names)
            if names
            else gettext("nothing")
        )

    @admin.display(description=_("hidden since"))
    def hidden_since(self, review: Review) -> str:
        if not review.hidden_at:
            return gettext("not hidden")
        since = date_format(timezone.localtime(review.hidden_at), "DATETIME_FORMAT")
        return f"{since}, by {review.hidden_by}" if review.hidden_by else since

    @admin.display(description=_("published as"))
    def published(self, review: Review) -> str:
        return review.fragment

    # Changes

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        page = request.POST.get("page", "")
        added = Review.objects.filter(ulid=page).first() if is_ulid(page) else None
        if added is None or not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)
        text = gettext("This review has been added already. To add another one, open “Add”.")
        self.message_user(request, text, messages.WARNING)
        return HttpResponseRedirect(reverse("admin:reviews_review_change", args=[added.pk]))

    def save_model(self, request: HttpRequest, obj: Review, form: Any, change: bool) -> None:  # noqa: FBT001  (Django's)
        values, hiding = form.cleaned_data, {"hidden", "hidden_reason"}
        if change:
            changed = {name: values[name] for name in form.changed_data if name not in hiding}
            if "reply_text" in changed:
                changed["reply_date"] = values["reply_date"]
            services.edit_review(obj, changed)
            if hiding.intersection(form.changed_data):
                services.hide(
                    Review.objects.filter(pk=obj.pk),
                    hidden=values["hidden"],
                    reason=values["hidden_reason"],
                    by=signed_in_user(request),
                )
        else:
            written = {name: value for name, value in values.items() if name not in hiding}
            written["ulid"] = written.pop("page")
            written["external_id_is_synthetic"] = not values["external_id"]
            stored = services.add_review(Review(**written))
            obj.pk, obj.ulid = stored.pk, stored.ulid

    def has_hide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("reviews.hide_review")

    @admin.action(description=_("Hide from the public"), permissions=["hide"])
    def hide(self, request: HttpRequest, queryset: QuerySet[Review]) -> HttpResponse | None:
        """Ask for a reason, then hide the reviews."""
        reviews = _rows(queryset)
        form = HidingForm(request.POST if "post" in request.POST else None)
        if form.is_valid():
            reason = form.cleaned_data["reason"]
            label = str(HiddenReason(reason).label).lower()
            self._log(request, reviews.filter(hidden=False), CHANGE, f"Hidden: {label}.")
            count = services.hide(reviews, reason=reason, by=signed_in_user(request))
            self._report(request, count, "is hidden now", "are hidden now")
            return None
        return self._confirm(request, reviews, "hide", title=gettext("Hide reviews"), form=form)

    @admin.action(description=_("Show to the public"), permissions=["hide"])
    def show(self, request: HttpRequest, queryset: QuerySet[Review]) -> None:
        reviews = _rows(queryset)
        self._log(request, reviews.filter(hidden=True), CHANGE, "Shown again.")
        count = services.hide(reviews, hidden=False)
        self._report(request, count, "is public now", "are public now")

    @admin.action(description=_("Forget the author"), permissions=["delete"])
    def forget(self, request: HttpRequest, queryset: QuerySet[Review]) -> HttpResponse | None:
        """Ask whether to keep the author's reviews, then forget the author."""
        author = self._one_author(request, _rows(queryset))
        if author is None:
            return None
        reviews = reviews_by(author)
        form = ForgettingForm(request.POST if "post" in request.POST else None)
        if form.is_valid():
            count = services.forget_author(
                author,
                others=_namesakes(request),
                delete_reviews=form.cleaned_data["reviews"] == "delete",
                by=signed_in_user(request),
            )
            self._report(
                request, count, "no longer names its author", "no longer name their author"
            )
            return None
        named = reviews_naming(reviews.select_related("answer"), author)
        title = gettext("Forget %s") % author
        return self._confirm(
            request, reviews, "forget", title=title, form=form, named=named[:LISTED]
        )

    def _one_author(self, request: HttpRequest, reviews: QuerySet[Review]) -> str | None:
        authors = reviews.exclude(author=ANONYMOUS).order_by().values_list("author", flat=True)
        names = {name_digest(author): author for author in authors.distinct()[:LISTED]}
        if len(names) == 1:
            return next(iter(names.values()))
        text = (
            gettext("Choose reviews of one person; these have several authors.")
            if names
            else gettext("These reviews have no author's name.")
        )
        self.message_user(request, text, messages.ERROR)
        return None

    def _confirm(
        self, request: HttpRequest, reviews: QuerySet[Review], action: str, **context: Any
    ) -> HttpResponse:
        """Confirmation page of an action on the chosen reviews."""
        count = reviews.count()
        context |= self.admin_site.each_context(request) | {
            "opts": self.opts,
            "count": count,
            "reviews": reviews.order_by("-date", "-ulid")[:LISTED],
            "unlisted": max(0, count - LISTED),
            "chosen": request.POST.getlist(ACTION_CHECKBOX_NAME),
            "select_across": request.POST.get("select_across", "0"),
            "action": action,
        }
        return TemplateResponse(request, f"admin/reviews/review/{action}.html", context)

    def _log(
        self, request: HttpRequest, reviews: QuerySet[Review], flag: int, message: str = ""
    ) -> None:
        """Log one line for each review, or one for all if there are many."""
        user_id = cast("int", request.user.pk)
        if (count := reviews.count()) <= LISTED:
            LogEntry.objects.log_actions(user_id, reviews, flag, message)
        else:
            LogEntry.objects.create(
                user_id=user_id,
                content_type=ContentType.objects.get_for_model(Review),
                object_repr=f"{count} reviews",
                action_flag=flag,
                change_message=message,
            )

    @admin.action(description=_("Let imports overwrite edits by hand"), permissions=["change"])
    def release(self, request: HttpRequest, queryset: QuerySet[Review]) -> None:
        count = services.release_edits(_rows(queryset))
        self._report(request, count, "follows imports again", "follow imports again")

    # Deletion: rows that refer to a review are deleted without a permission of their own.

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Names of reviews, and numbers of the rows that would be deleted."""
        reviews = Review.objects.filter(pk__in=[review.pk for review in objs])
        return [str(review) for review in reviews], services.rows_of(reviews), set(), []

    @admin.action(description=_("Delete"), permissions=["delete"])
    def delete_selected(
        self, request: HttpRequest, queryset: QuerySet[Review]
    ) -> HttpResponse | None:
        reviews = _rows(queryset)
        if "post" in request.POST:
            self._log(request, reviews, DELETION)
            count = services.delete(reviews, by=signed_in_user(request))
            self._report(request, count, "is deleted", "are deleted")
            return None
        rows = services.rows_of(reviews)
        return self._confirm(request, reviews, "delete", title=gettext("Delete reviews"), rows=rows)

    def delete_model(self, request: HttpRequest, obj: Review) -> None:
        services.delete(Review.objects.filter(pk=obj.pk), by=signed_in_user(request))

    def _report(self, request: HttpRequest, count: int, one: str, many: str) -> None:
        if count:
            text = f"1 review {one}." if count == 1 else f"{count} reviews {many}."
            self.message_user(request, text, messages.SUCCESS)
        else:
            text = gettext("Nothing has changed: they are already in that state.")
            self.message_user(request, text, messages.INFO)


def _words(search_term: str) -> Iterator[str]:
    """Words of a search; a quoted phrase is one word."""
    for word in smart_split(search_term):
        is_quoted = word[0] in "\"'" and word[0] == word[-1]
        yield unescape_string_literal(word) if is_quoted else word


def _namesakes(request: HttpRequest) -> set[int]:
    """Keys of the reviews that the user did not tick: those of other people with the name."""
    shown, ticked = (
        {int(pk) for pk in request.POST.getlist(name) if is_key(pk)} for name in ("shown", "of")
    )
    return shown - ticked


def _rows(selected: QuerySet[Review]) -> QuerySet[Any]:
    """Chosen reviews without the joins of the list, since outer joins cannot be locked."""
    return Review.objects.filter(pk__in=selected.order_by().values("pk"))
