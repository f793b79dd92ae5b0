"""Forms of the administration, with lines of text instead of JSON.

Model and fields of a form are set by its `ModelAdmin`.
"""

import datetime as dt
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import MaxLengthValidator
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.admin.forms import LinesField, MergingForm
from core.images import UPLOAD_BYTES, UnusableImage, safe_picture
from review_exports.values.dates import EARLIEST
from review_exports.values.people import is_contact
from review_exports.values.photos import PHOTOS_MAX, read_photos
from review_exports.values.texts import TEXT_MAX
from reviews.admin.places import PlaceFields
from reviews.models import Logo, Vertical
from reviews.models.review import HiddenReason
from reviews.selectors import today
from reviews.sites import typed_source
from reviews.stars import STARS, drawn_stars
from reviews.ulids import is_ulid, new_ulid
from reviews.validators import check_characters

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Any]
else:
    ModelForm = forms.ModelForm

# --- Forms ----------------------------------------------------------------------------------------


class CleanForm(MergingForm, ModelForm):
    """A form that merges concurrent changes and refuses control characters."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            self.carry_shown_values()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for name, value in list(cleaned.items()):
            if isinstance(value, str):
                try:
                    check_characters(value)
                except ValidationError as error:
                    self.add_error(name, error)
        return cleaned


class SlugForm(CleanForm):
    """A form that derives an empty slug from the title."""

    title = "name"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "slug" in self.fields:
            self.fields["slug"].required = False
            self.fields["slug"].error_messages["unique"] = _(
                "Another entry has this id. Enter a different one."
            )
            self.fields["slug"].help_text = _(
                "Its id in every published document; made from the name if empty. It cannot be "
                "changed later."
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if "slug" in self.fields and "slug" not in self.errors and not cleaned.get("slug"):
            cleaned["slug"] = slugify(cleaned.get(self.title, ""))[:100].replace("_", "-")
            if not cleaned["slug"] and self.title not in self.errors:
                self.add_error("slug", gettext("Enter an id of lower-case letters and digits."))
        return cleaned


class LogoFields(forms.Form):
    """The field for uploading a logo."""

    logo_file = forms.FileField(
        required=False,
        label=_("Logo"),
        help_text=_(
            "A PNG, JPEG or WebP file of at most 2 MB, best square and 512 pixels wide. Pages, "
            "their icon and the picture for social networks show it."
        ),
        widget=forms.FileInput({"accept": "image/png,image/jpeg,image/webp,image/gif"}),
    )

    def clean_logo_file(self) -> bytes:
        """Return the bytes of a usable picture; empty if no file was chosen."""
        file = self.cleaned_data["logo_file"]
        if not file:
            return b""
        # One more byte than allowed is enough to detect a large file.
        content: bytes = file.read(UPLOAD_BYTES + 1)
        try:
            safe_picture(content, within=Logo.SIDE)
        except UnusableImage as error:
            raise ValidationError(str(error)) from error
        return content


class BusinessForm(SlugForm, LogoFields, PlaceFields):
    class Meta:
        labels = {
            "name": _("Name"),
            "slug": _("Id"),
            "phone": _("Telephone"),
            "street": _("Street and number"),
            "city": _("Town"),
            "latitude": _("Latitude"),
            "longitude": _("Longitude"),
            "legal_name": _("Full name of the company"),
            "description": _("What you do"),
            "vertical": _("Kind of business"),
            "url": _("Website"),
            "logo_url": _("Address of the logo elsewhere"),
            "attribution": _("Note at the foot of each page"),
            "license": _("Licence number"),
            "email": _("E-mail address"),
            "region": _("State or region"),
            "postal_code": _("Postal code"),
            "author_names": _("Names of authors"),
            "photos": _("Photos of customers"),
        }
        help_texts = {
            "legal_name": _("If it differs from the name, like Tern Hollow Plumbing LLC."),
            "description": _("One or two sentences for visitors and search engines."),
            "vertical": _(
                "Insights use the vocabulary of this kind of business. Choose “Other” if "
                "none fits. Until you choose a kind, texts that depend on it are not "
                "published."
            ),
            "logo_url": _(
                "Published in data and feeds. Pages for visitors show only the uploaded "
                "logo, because they load nothing from other sites."
            ),
            "license": _("The licence of your trade, if you have one. Visitors see it."),
            "latitude": _("For search engines and maps, like 45.52. Leave both empty if unsure."),
            "longitude": _("Like -122.68."),
            "author_names": _(
                "How much of each name the public sees everywhere. Names inside texts and "
                "replies are not changed."
            ),
            "photos": _(
                "Publish them only if the terms of their site allow it. Images on the pages are "
                "loaded from that site, which therefore learns about each visitor."
            ),
        }
        error_messages = {"vertical": {"required": _("Choose the kind of business.")}}

    remove_logo = forms.BooleanField(required=False, label=_("Remove the logo"))
    review_links = LinesField(
        required=False,
        label=_("Where customers review you"),
        help_text=_(
            "Addresses at which customers write a review, one per line, like "
            "https://g.page/r/abc/review. Pages link to them by the name of the site."
        ),
    )
    same_as = LinesField(
        required=False,
        label=_("Your profiles elsewhere"),
        help_text=_("Web addresses of the same business, one per line."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "vertical" in self.fields and not self.instance.has_vertical:
            field = cast("forms.TypedChoiceField", self.fields["vertical"])
            # The default counts once it is confirmed.
            field.choices = [("", _("Choose what you do")), *Vertical.choices]
            self.initial["vertical"] = ""
        for name in {"author_names", "photos"} & self.fields.keys():
            self.fields[name].required = False  # A request without them changes nothing.
        for name in ("logo_file", "remove_logo"):
            if name in self.fields:  # Not fields of the model, so that they cannot conflict.
                self.fields[name].show_hidden_initial = False

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002  (Django's)
        if "vertical" in self.fields:
            self.instance.vertical_confirmed = True
        return super().save(commit)


class TechnicianForm(SlugForm):
    aliases = LinesField(
        required=False,
        label=_("Other names"),
        help_text=_(
            "One per line. A capitalised name matches only capitalised words; a lower-case "
            "name matches both. The first name alone also counts while nobody else has it."
        ),
    )


class ServiceForm(SlugForm):
    title = "label"
    keywords = LinesField(
        required=False,
        label=_("Keywords"),
        help_text=_(
            "Keywords and phrases, one per line. A * at the end matches any ending. The "
            "name always counts."
        ),
    )


class ServiceAreaForm(SlugForm):
    aliases = LinesField(
        required=False,
        label=_("Other names"),
        help_text=_("Other names of the place, one per line."),
    )


def source_of(name: str) -> str:
    """Return the source of a name that a person typed. Raises `ValidationError`."""
    source = typed_source(name)
    if not source:
        raise ValidationError(gettext("Enter a name with a letter or digit, like Google."))
    return source


def check_id(text: str) -> None:
    if not is_ulid(text):
        raise ValidationError(gettext("Load this page again."))


validate_text_length = MaxLengthValidator(
    TEXT_MAX,
    f"The text has %(show_value)d characters; at most {TEXT_MAX:,} are taken in. Shorten it.",
)


REASONS = [(value, label) for value, label in HiddenReason.choices if value != HiddenReason.ABSENT]


class HidingForm(forms.Form):
    """The reason for hiding reviews."""

    reason = forms.ChoiceField(
        choices=REASONS,
        widget=forms.RadioSelect,
        error_messages={"required": _("Say why these reviews are hidden.")},
    )


class ForgettingForm(forms.Form):
    """Whether to keep or delete the reviews of a forgotten person."""

    reviews = forms.ChoiceField(
        choices=[
            ("keep", _("Keep their stars and texts, with “Anonymous” as the author")),
            ("delete", _("Delete the reviews")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what should happen to the reviews.")},
    )


class ReviewForm(CleanForm):
    class Meta:
        labels = {
            "external_id": _("Id at the source"),
            "source_url": _("Link to the review"),
            "author_avatar_url": _("Link to the author's picture"),
        }
        help_texts = {
            "source": _("Where it was written, like Google."),
            "external_id": _("If the site gives the review one."),
            "reply_text": _(
                "Published only here. It is not sent to the site where the review was "
                "written; post it there too."
            ),
            "reply_date": _("If you leave it empty, a reply that you write now gets today's date."),
            "hidden_reason": _("The public sees how many reviews are withheld for each reason."),
        }
        error_messages = {
            NON_FIELD_ERRORS: {
                "unique_together": _("This review already exists. Find its id in the list.")
            }
        }

    photos = LinesField(
        required=False,
        help_text=_(
            "Addresses of the customer's photos that begin with https://, one per line. "
            "The page “Business” sets whether they are published."
        ),
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
    )
    rating = forms.TypedChoiceField(
        coerce=int,
        choices=[("", "---"), *((n, f"{drawn_stars(n)}  {n}") for n in reversed(STARS))],
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose 1 to 5 stars.")),
    )

    # The id of the new review, so that sending the page twice adds it once.
    page = forms.CharField(
        required=False, initial=new_ulid, validators=[check_id], widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            del self.fields["page"]
        if "hidden_reason" in self.fields:
            is_absent = self.instance.hidden_reason == HiddenReason.ABSENT
            choices = HiddenReason.choices if is_absent else REASONS
            field = cast("forms.ChoiceField", self.fields["hidden_reason"])
            field.choices = [("", "---"), *choices]
        if "external_id" in self.fields:
            self.fields["external_id"].required = False
        self.initial["photos"] = self.instance.photos or []
        for name in ("text", "reply_text"):
            if name in self.fields:
                self.fields[name].validators.append(validate_text_length)
        for name in ("date", "reply_date"):
            if name in self.fields:
                # Django would also accept 11/12/2026, as an American date.
                cast("forms.DateField", self.fields[name]).input_formats = ["%Y-%m-%d"]
                self.fields[name].error_messages["invalid"] = gettext(
                    "Enter a date like 2026-01-31."
                )

    def clean_source(self) -> str:
        return source_of(self.cleaned_data["source"])

    def clean_photos(self) -> list[str] | None:
        """Return the addresses, or None if there are none."""
        lines: list[str] = self.cleaned_data["photos"]
        photos, unusable = read_photos(lines)
        if unusable or len(lines) > PHOTOS_MAX:
            raise ValidationError(
                f"Write at most {PHOTOS_MAX} complete web addresses that begin with https://, one "
                "on each line."
            )
        return list(photos) or None

    def clean_author(self) -> str:
        author: str = self.cleaned_data["author"]
        if is_contact(author):
            raise ValidationError(
                gettext(
                    "This is a contact address, which is never published. Enter the display name."
                )
            )
        return author

    def clean_date(self) -> dt.date:
        date: dt.date = self.cleaned_data["date"]
        # It may be tomorrow already where the customer is.
        if date > timezone.localdate() + dt.timedelta(days=1):
            raise ValidationError(
                gettext("This date is in the future. Enter the date of the review.")
            )
        if date < EARLIEST:
            raise ValidationError(f"This day lies before {EARLIEST.year}. Correct the year.")
        return date

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if cleaned.get("hidden") and not cleaned.get("hidden_reason"):
            self.add_error("hidden_reason", gettext("Say why this review is hidden."))
        if "reply_text" in cleaned and not cleaned["reply_text"]:
            cleaned["reply_date"] = None
        elif "reply_text" in self.changed_data and not cleaned.get("reply_date"):
            cleaned["reply_date"] = max(today(), cleaned.get("date", today()))
        return cleaned
