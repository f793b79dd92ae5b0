"""The form of a connection: what all sources share, and the settings of its kind."""

from typing import Any, ClassVar

from django import forms

from reviews.sites import typed_source
from sources.connectors.protocol import Connector, ConnectorForm
from sources.models import LEAST_INTERVAL_SECONDS, SourceConnection
from sources.selectors import readable_secrets


class ConnectionForm(forms.ModelForm):  # type: ignore[type-arg]
    """A connection with the settings of its kind, which `kind_form` validates."""

    connector: ClassVar[Connector | None] = None

    source = forms.CharField(
        label="Source of the reviews",
        required=False,
        max_length=50,
        help_text="Where the reviews are from, like google, if the content does not say.",
    )
    interval_seconds = forms.IntegerField(
        label="Look every (seconds)", min_value=LEAST_INTERVAL_SECONDS, max_value=31 * 86_400
    )

    class Meta:
        model = SourceConnection
        fields = ("name", "interval_seconds", "is_complete", "holds_new")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        connection = self.instance
        connection.kind = connection.kind or (self.connector.name if self.connector else "")
        self.initial.setdefault("source", connection.import_options.get("source", ""))
        form = self.connector.form if self.connector else ConnectorForm
        self.kind_form = form(
            self.data if self.is_bound else None,
            stored_secrets=list(readable_secrets(connection)),
            stored_settings=connection.settings,
        )
        for name, field in self.kind_form.fields.items():
            self.fields[name] = field
            if name in connection.settings:
                self.initial.setdefault(name, connection.settings[name])

    def clean(self) -> dict[str, Any]:
        """Values of both forms; errors of the kind's form stand at its fields."""
        cleaned = super().clean() or self.cleaned_data
        if not self.kind_form.is_valid():
            for name, errors in self.kind_form.errors.items():
                if name not in self.errors:
                    self.add_error(name if name in self.fields else None, list(errors))
        source = typed_source(cleaned.get("source") or "")
        options = {**self.instance.import_options, "source": source}
        self.instance.import_options = {name: value for name, value in options.items() if value}
        return cleaned
