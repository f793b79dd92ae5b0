"""Saved answers for the replies of the inbox."""

from django.contrib import admin
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from core.admin.base import EditableModelAdmin
from reviews.models import SavedAnswer


@admin.register(SavedAnswer)
class SavedAnswerAdmin(EditableModelAdmin):
    list_display = ["title", "excerpt"]
    search_fields = ["title", "text"]

    class Media:
        css = {"all": ["reviews/admin.css"]}

    @admin.display(description=_("text"))
    def excerpt(self, answer: SavedAnswer) -> str:
        return Truncator(answer.text).chars(80)
