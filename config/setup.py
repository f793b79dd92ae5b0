"""Setup of a new installation in five steps. Each is saved separately and can be skipped."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, cast

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.text import slugify
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.admin.dashboard import Step
from embed.admin import PRESETS
from embed.responses import current_content
from embed.snippets import snippets, with_qr_codes
from embed.widget import widget
from imports.admin.upload_form import UploadForm
from publishing.selectors import DocumentUnavailable
from review_analysis.taxonomies import builtin
from reviews import services
from reviews.admin.forms import CleanForm, LogoFields
from reviews.admin.places import (
    PlaceFields,
    country_of_zone,
    known_language,
    present_zone_names,
)
from reviews.models import Business, Review, Vertical
from reviews.selectors import are_first_steps_open, get_business, logo_of
from reviews.sites import Profile

SESSION_KEY = "setup"  # The step that the user has interrupted.
ASPECTS_SHOWN = 5

# --- Forms ----------------------------------------------------------------------------------------


class StepForm(CleanForm):
    """Fields of the business, with its name while it has none."""

    class Meta:
        model = Business
        fields: ClassVar[list[str]] = ["name"]
        labels: ClassVar[dict[str, Any]] = {"name": _("Name of the business")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.name and not isinstance(self, NameForm):
            del self.fields["name"]

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002  (Django's)
        if not self.instance.slug:
            slug = slugify(self.instance.name)[:100].replace("_", "-").strip("-")
            self.instance.slug = slug or "business"
        return super().save(commit)


@cache
def _vertical_choices() -> list[tuple[str, str]]:
    """Kinds of business, each with some aspects of its insights."""
    choices: list[tuple[str, str]] = []
    for value, label in Vertical.choices:
        aspects = [aspect["label"] for aspect in builtin(value)["aspects"]]
        words = ", ".join(aspects[:ASPECTS_SHOWN]).lower()
        choices.append((value, format_html("<strong>{}</strong> <span>{}</span>", label, words)))
    return choices


class NameForm(StepForm):
    class Meta(StepForm.Meta):
        fields: ClassVar[list[str]] = ["name", "vertical"]

    vertical = forms.ChoiceField(
        choices=_vertical_choices,
        required=False,
        widget=forms.RadioSelect,
        label=_("What do you do?"),
        help_text=_(
            "Your reviews are analysed with the vocabulary of your trade. You can change it later."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.has_vertical:
            self.initial["vertical"] = ""

    def clean_vertical(self) -> str:
        """Confirm the kind of business if one was chosen."""
        chosen: str = self.cleaned_data["vertical"]
        self.instance.vertical_confirmed = bool(chosen) or self.instance.vertical_confirmed
        return chosen or self.instance.vertical


class PlaceForm(StepForm, PlaceFields):
    class Meta(StepForm.Meta):
        fields: ClassVar[list[str]] = [
            *("name", "street", "postal_code", "city", "region"),
            *("country", "phone", "time_zone", "language", "hours"),
        ]
        labels: ClassVar[dict[str, Any]] = {
            "name": _("Name of the business"),
            "street": _("Street and number"),
            "postal_code": _("Postal code"),
            "city": _("Town"),
            "region": _("State or region"),
            "phone": _("Telephone"),
        }

    field_order = Meta.fields


class LogoForm(StepForm, LogoFields):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["logo_file"].show_hidden_initial = False

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002  (Django's)
        business = super().save(commit)
        if self.cleaned_data["logo_file"]:
            services.set_logo(business, self.cleaned_data["logo_file"])
        return business


def _from_browser(request: HttpRequest) -> dict[str, str]:
    """Guess country, time zone and language from the query (set by a script) or the header."""
    accepted = request.headers.get("Accept-Language", "").partition(",")[0].partition(";")[0]
    tag = request.GET.get("language") or accepted
    zone = request.GET.get("zone", "")
    zone = present_zone_names().get(zone, zone)
    zones = country_of_zone()
    country = zones.get(zone) or tag.rpartition("-")[2].upper()
    of_country = [name for name, code in zones.items() if code == country]
    if zone not in zones:
        zone = of_country[0] if len(of_country) == 1 else ""
    found = {"time_zone": zone, "language": known_language(tag)}
    found["country"] = country if of_country else ""
    return {name: value for name, value in found.items() if value}


# --- Steps ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetupStep:
    """A step with a form, or with a part of the template."""

    slug: str
    title: str | Promise
    text: str | Promise
    is_done: Callable[[Business | None], bool]
    form: type[StepForm] | None = None


STEPS = (
    SetupStep(
        "name",
        _("Name and kind"),
        _("What your business is called, and what it does."),
        lambda business: business is not None and business.has_vertical,
        NameForm,
    ),
    SetupStep(
        "place",
        _("Address and hours"),
        _("Where visitors find you, and when."),
        lambda business: business is not None and bool(business.country),
        PlaceForm,
    ),
    SetupStep(
        "logo",
        _("Logo"),
        _("It appears at the top of your public pages."),
        lambda business: logo_of(business) is not None,
        LogoForm,
    ),
    SetupStep(
        "reviews",
        _("Import your reviews"),
        _("Upload a file from any review site, or let a source import them automatically."),
        lambda _business: Review.objects.exists(),
    ),
    SetupStep(
        "website",
        _("Put them on your site"),
        _("A few lines to copy into your website, and a code to print."),
        lambda _business: False,  # This installation cannot see the website of the business.
    ),
)


def steps(request: HttpRequest) -> Iterator[Step]:
    """Return the steps for the front page, until the setup is finished."""
    if may_set_up(request) and are_first_steps_open():
        business = get_business()
        for step in STEPS:
            is_optional = step is not STEPS[0]
            yield Step(step.title, step.text, _url(step), step.is_done(business), is_optional)


def may_set_up(request: HttpRequest) -> bool:
    return bool(request.user.has_perms(["reviews.add_business", "reviews.change_business"]))


def is_offered(request: HttpRequest) -> bool:
    """Whether the sign-in leads to the setup, while the business has no name."""
    business = get_business()
    return may_set_up(request) and not (business and business.name)


def _url(step: SetupStep) -> str:
    return reverse("admin:setup_step", args=[step.slug])


def urls() -> list[URLPattern]:
    wrap = admin.site.admin_view
    return [
        path("setup/", wrap(start), name="setup"),
        path("setup/<slug:slug>/", wrap(show_step), name="setup_step"),
    ]


def start(request: HttpRequest) -> HttpResponse:
    """Redirect to the first step that is not done."""
    business = get_business()
    return redirect(next(_url(step) for step in STEPS if not step.is_done(business)))


def show_step(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and save one step, with links to the previous and the next step."""
    if not may_set_up(request):
        raise PermissionDenied
    number = next((place for place, step in enumerate(STEPS) if step.slug == slug), None)
    if number is None:
        raise Http404(gettext("The setup has no such step."))
    step, business = STEPS[number], get_business()
    following = STEPS[number + 1] if number + 1 < len(STEPS) else None
    request.session[SESSION_KEY] = slug
    if request.method == "POST" and following is None:
        services.finish_first_steps()
        del request.session[SESSION_KEY]
        return redirect("/")
    form = None
    if step.form:
        is_new = business is None or (business.time_zone == "UTC" and not business.country)
        form = step.form(
            request.POST or None,
            request.FILES or None,
            instance=business,
            initial=_from_browser(request) if is_new else {},
        )
        if request.method == "POST" and form.is_valid():
            _save(request, form)
            return redirect(_url(following or step))
    context = {
        **admin.site.each_context(request),
        "title": step.title,
        "step": step,
        "number": number + 1,
        "steps": [
            {"title": each.title, "url": _url(each), "is_done": each.is_done(business)}
            for each in STEPS
        ],
        "previous_url": _url(STEPS[number - 1]) if number else "",
        "next_url": _url(following) if following else "",
        "form": form,
        "logo": logo_of(business),
        "asks_browser": step.form is PlaceForm
        and is_new
        and request.method == "GET"
        and "zone" not in request.GET,
        "file": UploadForm()["file"],
        "has_reviews": Review.objects.exists(),
        **(_website_context(business) if following is None else {}),
    }
    return TemplateResponse(request, "admin/setup.html", context)


def _save(request: HttpRequest, form: StepForm) -> None:
    pages = admin.site.get_model_admin(Business)
    is_added = form.instance._state.adding
    with transaction.atomic():
        business = form.save()
        said = pages.construct_change_message(request, cast("Any", form), [], is_added)
        log = pages.log_addition if is_added else pages.log_change
        log(request, business, said)


def _website_context(business: Business | None) -> dict[str, Any]:
    """Return the snippet of the first preset, and the public page with its QR code."""
    _, options = PRESETS[0]
    try:
        content = widget(current_content(), options)
    except DocumentUnavailable:  # Nothing is published yet.
        content = {"title": business.name if business else "", "reviews": []}
    page = f"{settings.BASE_URL}/"
    return {
        "snippet": snippets(options, content)[0].text,
        "public_page": page,
        "link": with_qr_codes([Profile(gettext("your public page"), page)])[0],
    }
