"""Upload form."""

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from imports.models import ImportOptions
from review_exports.recognition import FORMATS
from reviews.admin.forms import source_of

_LABELS = [(known.name, known.label) for known in FORMATS]


def too_large() -> str:
    """Message about a file that is too large to be uploaded."""
    return gettext(
        "The file is larger than %(size)s. Upload it in parts, each with the headings, or "
        "import it on the server with `manage.py import_reviews FILE`, which accepts files "
        "of any length."
    ) % {"size": filesizeformat(settings.IMPORT_MAX_BYTES)}


class UploadForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        error_messages={
            "required": _("Choose a file."),
            "empty": _("This file is empty. Export the reviews again."),
        },
        help_text=_(
            "An export from any review site: CSV, TSV, Excel, JSON, JSON Lines or HTML, "
            "also packed as ZIP or GZIP."
        ),
    )
    format = forms.ChoiceField(
        required=False,
        label=_("Format"),
        choices=[
            ("", _("Detect automatically")),
            *sorted(_LABELS, key=lambda known: known[1].lower()),
        ],
        help_text=_("Detected from the content, unless you choose one."),
    )
    source = forms.CharField(
        required=False,
        max_length=50,
        label=_("Source"),
        help_text=_("Where the reviews were written, like Google, if the file does not say."),
    )
    verified = forms.ChoiceField(
        required=False,
        choices=[("", _("Only where the file says so")), ("yes", _("Yes")), ("no", _("No"))],
        label=_("These reviews are verified"),
    )
    round_half_up = forms.BooleanField(required=False, label=_("Round half stars up"))
    skip_blank_ratings = forms.BooleanField(required=False, label=_("Leave out rows without stars"))
    complete = forms.BooleanField(
        required=False,
        label=_("This file is complete"),
        help_text=_("Reviews of its source that it lacks are hidden. You see them first."),
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
