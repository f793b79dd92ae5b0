"""Lists of deleted reviews and forgotten authors, where an administrator revokes both."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from core.admin.base import ReadOnlyAdmin
from reviews import services
from reviews.models import DeletedReview, ForgottenAuthor
from reviews.stars import drawn_stars


@admin.register(DeletedReview)
class DeletedReviewAdmin(ReadOnlyAdmin):
    """Deleted reviews that imports skip."""

    list_display = ["stars", "source", "date", "ulid", "deleted_at", "deleted_by"]
    list_display_links = None
    list_select_related = ["deleted_by"]
    list_filter = ["source", "deleted_at"]
    search_fields = ["ulid"]
    search_help_text = _("The review's id.")
    list_per_page = 50
    actions = ["lift"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[DeletedReview]:
        return super().get_queryset(request).filter(kept_out=True)

    def has_lift_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("reviews.change_deletedreview")

    @admin.display(description=_("rating"), ordering="rating")
    def stars(self, deleted: DeletedReview) -> str:
        return drawn_stars(deleted.rating or 0)

    @admin.action(description=_("Let imports restore them"), permissions=["lift"])
    def lift(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        rows = DeletedReview.objects.filter(pk__in=queryset.order_by().values("pk"))
        count = services.lift_deletions(rows)
        again = (
            "1 review is no longer left out: the next import of a file that has it brings it back."
            if count == 1
            else f"{count} reviews are no longer left out: the next import of a file that has them "
            "brings them back."
        )
        self.message_user(request, again, messages.SUCCESS)


@admin.register(ForgottenAuthor)
class ForgottenAuthorAdmin(ReadOnlyAdmin):
    """People whose names imports anonymise."""

    list_display = ["forgotten_at", "forgotten_by", "reviews"]
    list_display_links = None
    list_select_related = ["forgotten_by"]
    list_per_page = 50
    actions = ["lift"]

    def has_lift_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("reviews.delete_forgottenauthor")

    @admin.action(description=_("Let imports show the names again"), permissions=["lift"])
    def lift(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        count, _ = ForgottenAuthor.objects.filter(
            pk__in=list(queryset.order_by().values_list("pk", flat=True))
        ).delete()
        people = "1 person" if count == 1 else f"{count} people"
        self.message_user(
            request,
            f"New reviews of {people} carry a name again. Reviews that are anonymous already stay "
            "so.",
            messages.SUCCESS,
        )
