"""What the pages have in common."""

from typing import Any

from django.contrib.auth.models import User
from django.db import models
from django.http import HttpRequest

from reviews.admin.forms import TextField, WebAddressField
from reviews.admin.lists import SturdyList


class Workplace(SturdyList):
    """Rows that are written by hand."""

    list_per_page = 50
    formfield_overrides = {
        models.CharField: {"form_class": TextField},
        models.TextField: {"form_class": TextField},
        models.URLField: {"form_class": WebAddressField, "assume_scheme": "https"},
    }

    class Media:
        css = {"all": ["reviews/admin.css"]}


class Slugged(Workplace):
    """Rows with an id of their own, which is made from their name and then stays."""

    title = "name"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [*super().get_readonly_fields(request, obj), *(["slug"] if obj else [])]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else {"slug": (self.title,)}


def user_of(request: HttpRequest) -> User | None:
    """Whoever is signed in, as rows keep them."""
    return request.user if isinstance(request.user, User) else None


def is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)
