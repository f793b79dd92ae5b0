"""Form of a connection: fields of all sources, and the settings of its connector."""

from typing import Any, ClassVar, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from reviews.sites import typed_source
from sources.connectors.protocol import Connector
from sources.models import SourceConnection
from sources.selectors import readable_secrets

INTERVALS = [
    (5, _("every 5 seconds")),
    (60, _("every minute")),
    (300, _("every 5 minutes")),
    (900, _("every 15 minutes")),
    (3_600, _("every hour")),
    (6 * 3_600, _("every 6 hours")),
    (12 * 3_600, _("every 12 hours")),
    (86_400, _("once a day")),
    (7 * 86_400, _("once a week")),
]
MIN_POLL_SECONDS = 60  # Only folders are polled more often.


class ConnectionForm(forms.ModelForm):  # type: ignore[type-arg]
    """A connection with the settings of its connector, which `kind_form` validates."""

    connector: ClassVar[Connector]

    source = forms.CharField(
        label=_("Site of the reviews"),
        required=False,
        max_length=50,
        help_text=_("Where the reviews were written, like Google, if the file does not say."),
    )
    interval_seconds = forms.TypedChoiceField(
        label=_("Check for new reviews"), coerce=int, choices=INTERVALS
    )

    class Meta:
        model = SourceConnection
        fields = ("name", "interval_seconds", "is_complete", "holds_new")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        connection = self.instance
        self._offer_intervals(self.initial.get("interval_seconds"))
        connection.kind = connection.kind or self.connector.name
        self.initial.setdefault("source", connection.import_options.get("source", ""))
        self.kind_form = self.connector.form(
            self.data if self.is_bound else None,
            stored_secrets=list(readable_secrets(connection)),
            stored_settings=connection.settings,
        )
        for name, field in self.kind_form.fields.items():
            self.fields[name] = field
            if name in connection.settings:
                self.initial.setdefault(name, connection.settings[name])

    def _offer_intervals(self, stored: int | None) -> None:
        """Offer the usual intervals, and the stored one."""
        least = min(self.connector.interval_seconds, MIN_POLL_SECONDS)
        offered: dict[int, Any] = {each: words for each, words in INTERVALS if each >= least}
        if stored:
            words = ngettext("every %d second", "every %d seconds", stored) % stored
            offered.setdefault(stored, words)
        field = cast("forms.TypedChoiceField", self.fields["interval_seconds"])
        field.choices = sorted(offered.items())

    def clean(self) -> dict[str, Any]:
        """Validate both forms. Errors of `kind_form` are shown at its fields."""
        cleaned = super().clean() or self.cleaned_data
        if not self.kind_form.is_valid():
            for name, errors in self.kind_form.errors.items():
                if name not in self.errors:
                    self.add_error(name if name in self.fields else None, list(errors))
        source = typed_source(cleaned.get("source") or "")
        options = {**self.instance.import_options, "source": source}
        self.instance.import_options = {name: value for name, value in options.items() if value}
        return cleaned
