"""Filters of admin lists, for every app that has some."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest


class ChoiceFilter(admin.SimpleListFilter):
    """A filter that knows all its values, so that any other is simply no filter."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        known = {str(choice) for choice, _ in self.lookup_choices}
        return self.narrow(queryset, value) if value in known else queryset

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """The rows of one of the filter's values; each filter says which."""
        raise NotImplementedError
