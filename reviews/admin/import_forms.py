"""Forms of the import pages: the file with its missing facts, and the meanings of its columns."""

from typing import Any, cast

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat

from review_exports.formats.base import FIELDS, NO_SOURCE
from review_exports.opening import FORMATS
from review_exports.options import BEST_RATINGS
from review_exports.readers.tables import column_letters
from review_exports.values.identifiers import KNOWN_SOURCES
from reviews.admin.forms import source_of
from reviews.imports.opening import Column, ImportOptions
from reviews.models import ImportAnswer, Review
from reviews.sites import source_name

_LABELS = [(known.name, known.label) for known in FORMATS]


def too_large() -> str:
    """Advice for a file that is too large to be uploaded."""
    return (
        f"The file is larger than {filesizeformat(settings.IMPORT_MAX_BYTES)}. Upload it in parts, "
        "each with the headings, or have it imported on the server with `manage.py import_reviews "
        "FILE`, which takes files of any length."
    )


_MEANINGS = {
    "published": "may be published",
    "withheld": "must not be published",
    "status": "status (published, pending, ...)",
    "place": "place or business reviewed",
}


class UploadForm(forms.Form):
    file = forms.FileField(
        error_messages={
            "required": "Choose a file.",
            "empty": "This file is empty. Export the reviews again.",
        },
        help_text="CSV, TSV, Excel, JSON, JSON Lines, HTML, also packed as ZIP or GZIP: an export "
        "of any review site.",
    )
    format = forms.ChoiceField(
        required=False,
        choices=[("", "Recognise it"), *sorted(_LABELS, key=lambda known: known[1].lower())],
        help_text="Recognised by content if left alone.",
    )
    source = forms.CharField(
        required=False,
        max_length=50,
        help_text="Where the reviews are from, like google, if the file does not say.",
    )
    date_order = forms.ChoiceField(
        required=False,
        choices=[
            ("", "The file decides"),
            ("dmy", "day/month/year: 31/12/2025"),
            ("mdy", "month/day/year: 12/31/2025"),
            ("ymd", "year/month/day: 25/12/31"),
        ],
        label="Dates in numbers",
    )
    best_rating = forms.TypedChoiceField(
        required=False,
        coerce=int,
        empty_value=None,
        choices=[("", "The file decides"), *((best, f"up to {best}") for best in BEST_RATINGS)],
        label="Stars count",
    )
    verified = forms.ChoiceField(
        required=False,
        choices=[("", "Only where the file says so"), ("yes", "Yes"), ("no", "No")],
        label="These reviews are verified",
    )
    round_half_up = forms.BooleanField(required=False, label="Round half stars up")
    skip_blank_ratings = forms.BooleanField(required=False, label="Leave out rows without stars")
    complete = forms.BooleanField(
        required=False,
        label="This file is complete",
        help_text="Reviews of its source that it does not have are hidden. You see them first.",
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if file.size is None or file.size > settings.IMPORT_MAX_BYTES:
            raise forms.ValidationError(too_large())
        return file

    def clean_source(self) -> str:
        source: str = self.cleaned_data["source"]
        return source and source_of(source)

    def options(self) -> ImportOptions:
        options = {name: value for name, value in self.cleaned_data.items() if value != ""}
        options["verified"] = {"yes": True, "no": False}.get(options.get("verified", ""))
        del options["file"]
        return ImportOptions(**options)


_Answer = ImportAnswer.Answer
# What may be answered, in the words of a button or a choice.
_ANSWERS = {
    ImportAnswer.Kind.PUBLICATION: (
        (_Answer.PUBLISHED, "A yes there permits it"),
        (_Answer.WITHHELD, "A yes there forbids it"),
        (_Answer.IGNORE, "It has nothing to do with publication"),
    ),
    ImportAnswer.Kind.STATUS: (
        (_Answer.PUBLIC, "Such reviews are public"),
        (_Answer.HIDDEN, "Such reviews are not public"),
    ),
    ImportAnswer.Kind.PLACE: (
        (_Answer.OURS, "It is ours"),
        (_Answer.OTHER, "It is another business"),
    ),
}
_QUESTIONS = {
    ImportAnswer.Kind.PUBLICATION: "Do these columns say whether a review may be published?",
    ImportAnswer.Kind.STATUS: "What do these statuses mean?",
    ImportAnswer.Kind.PLACE: "Which of these places are yours?",
}


class AnswersForm(forms.Form):
    """One choice per column, status or place that a file leaves open."""

    def __init__(self, question: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = ImportAnswer.Kind(question["kind"])
        self.title = _QUESTIONS[self.kind]
        self.subjects = question["subjects"]
        for number, subject in enumerate(self.subjects):
            rows = "1 row" if subject["count"] == 1 else f"{subject['count']:,} rows"
            samples = ", ".join(subject["samples"]) if self.kind == "publication" else ""
            self.fields[f"answer-{number}"] = forms.ChoiceField(
                choices=_ANSWERS[self.kind],
                widget=forms.RadioSelect,
                label=subject["name"],
                help_text=f"{rows}: {samples}" if samples else rows,
                error_messages={"required": f"Answer for {subject['name']}, too."},
            )

    def answers(self) -> dict[str, str]:
        """Subject -> answer; a place is known by its id as well."""
        answers: dict[str, str] = {}
        for number, subject in enumerate(self.subjects):
            answer = self.cleaned_data[f"answer-{number}"]
            names = [subject["name"]]
            names += subject["samples"] if self.kind == "place" else ()
            answers |= dict.fromkeys(names, answer)
        return answers


UNKNOWN = "unknown"  # Of the choices below the one that names no site.


class SourceForm(forms.Form):
    """Where the reviews of a file are from, if nothing in it says so."""

    known = forms.ChoiceField(required=False, label="They are from")
    other = forms.CharField(
        required=False, max_length=50, label="or from", help_text="Another name, like my-survey."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored = Review.objects.order_by().values_list("source", flat=True).distinct()
        sources = sorted({*KNOWN_SOURCES, *stored} - {NO_SOURCE})
        field = cast("forms.ChoiceField", self.fields["known"])
        field.choices = [
            ("", "---"),
            *((source, source_name(source)) for source in sources),
            (UNKNOWN, "No site, or I do not know"),
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        other, known = data.get("other"), data.get("known")
        if not other and not known:
            raise forms.ValidationError("Say where these reviews are from.")
        data["source"] = source_of(other) if other else known
        if data["source"] == UNKNOWN:
            data["source"] = NO_SOURCE
        return data


class MappingForm(forms.Form):
    """One choice of field per column of the file."""

    def __init__(self, columns: list[Column], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.columns = columns
        fields = [(name, _MEANINGS.get(name, name.replace("_", " "))) for name in FIELDS]
        for number, column in enumerate(columns):
            self.fields[f"column-{number}"] = forms.ChoiceField(
                choices=[("", "---"), *fields],
                required=False,
                initial=column.field,
                label=column.heading or f"Column {column_letters(number)}, without a heading",
                disabled=not column.heading,  # Nothing to remember it by.
            )

    def rows(self) -> list[tuple[Column, Any]]:
        return [(column, self[f"column-{number}"]) for number, column in enumerate(self.columns)]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for field in ("rating", "date"):
            if field not in data.values():
                raise forms.ValidationError(f"Say which column holds the {field}.")
        return data

    def chosen(self) -> dict[str, str]:
        """Heading -> field; "" for a column that was recognised and shall not be read."""
        chosen = {}
        for number, column in enumerate(self.columns):
            field = self.cleaned_data[f"column-{number}"]
            # Names are compared by their letters and digits; a database may refuse the rest.
            heading = "".join(filter(str.isprintable, column.heading))
            if heading and (field or column.field):
                chosen[heading] = field
        return chosen
