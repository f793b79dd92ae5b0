"""Form fields and a mixin for the forms of the administration."""

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.core.validators import URLValidator
from django.http import QueryDict
from django.utils.text import Truncator

if TYPE_CHECKING:
    AnyForm = forms.BaseForm
else:
    AnyForm = object  # The form that the mixin is mixed into.


class TextField(forms.CharField):
    """A text with normalised line ends; the CRLF of browsers must not count as an edit."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return text.replace("\r\n", "\n").replace("\r", "\n") if isinstance(text, str) else text


class WebAddressField(forms.URLField):
    """An http or https address."""

    default_error_messages = {
        "invalid": "Write a complete web address, like https://example.com/review."
    }
    default_validators = [URLValidator(schemes=["http", "https"])]


class LinesField(forms.Field):
    """A list of texts, one on each line."""

    widget: Any = forms.Textarea(attrs={"rows": 6, "cols": 60})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(map(self.as_line, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[Any]:
        lines = (line.strip() for line in str(value or "").splitlines())
        return [self.as_entry(line) for line in dict.fromkeys(filter(None, lines))]

    def as_line(self, entry: Any) -> str:
        return str(entry)

    def as_entry(self, line: str) -> Any:
        return line


class MergingForm(AnyForm):
    """Form mixin that merges concurrent edits of different fields.

    The page carries the values that it showed. An unedited field keeps its current value. If
    another user has changed an edited field, the form reports the conflict once, and accepts the
    edit when it is sent again.
    """

    def carry_shown_values(self) -> None:
        for name, field in self.fields.items():
            field.show_hidden_initial = not self.is_bound or self._initial_name(name) in self.data

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        carried = [name for name, field in self.fields.items() if field.show_hidden_initial]
        for name in carried:
            field = self.fields[name]
            now = self.get_initial_for_field(field, name)
            if name not in self.changed_data:
                if name in cleaned:
                    cleaned[name] = now
            elif field.has_changed(now, self.data[self._initial_name(name)]) and field.has_changed(
                now, self[name].data
            ):
                self._add_conflict(name, now)
        return cleaned

    def _add_conflict(self, name: str, now: Any) -> None:
        value = self.fields[name].prepare_value(now)
        shown = "" if value is None else str(value)
        data = cast("QueryDict", self.data).copy()
        data[self._initial_name(name)] = shown
        self.data = data
        words = Truncator(", ".join(shown.splitlines()) or "empty").chars(200)
        self.add_error(
            name,
            "Somebody else has changed this since you opened the page. Now it is: "
            f"“{words}”. Save again to replace that.",
        )

    def _initial_name(self, name: str) -> str:
        return self.add_initial_prefix(name)
