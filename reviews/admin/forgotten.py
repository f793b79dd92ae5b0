"""The people whose names were removed, and that imports therefore read as anonymous."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from core.admin.base import ReadOnlyAdmin
from reviews.models import ForgottenAuthor


@admin.register(ForgottenAuthor)
class ForgottenAuthorAdmin(ReadOnlyAdmin):
    list_display = ["forgotten_at", "forgotten_by", "reviews"]
    list_display_links = None
    list_select_related = ["forgotten_by"]
    list_per_page = 50
    actions = ["lift"]

    def has_lift_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("reviews.delete_forgottenauthor")

    @admin.action(description="Let imports name them again", permissions=["lift"])
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
