"""The administration's page "On your website": options, a preview, code to copy, QR codes."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse

from core.admin.dashboard import Entry, Panel, Step
from core.images import LIGHT
from embed.languages import language, languages
from embed.options import FIELDS, LAYOUTS, MAX_REVIEWS, Options, UnusableOptions
from embed.snippets import snippets, with_qr_codes
from reviews.models import Business
from reviews.selectors import (
    are_first_steps_open,
    get_business,
    source_names,
    visible_sources,
)
from reviews.sites import review_links, source_label

PAGE = "admin:embed_website"
LAYOUT_LABELS = {"list": "List", "grid": "Grid", "carousel": "Carousel", "badge": "Badge"}


class WidgetForm(forms.Form):
    """The options of a widget as an office manager chooses them; `Options.parse` checks them."""

    layout = forms.ChoiceField(choices=[(name, LAYOUT_LABELS[name]) for name in LAYOUTS])
    min_rating = forms.ChoiceField(
        label="Stars",
        choices=[
            (1, "All reviews"),
            *((stars, f"{stars} stars and more") for stars in (2, 3, 4)),
            (5, "5 stars only"),
        ],
        help_text="The widget always shows the mean of all reviews, and says what it lists.",
    )
    max = forms.ChoiceField(label="Number", choices=[(n, n) for n in range(1, MAX_REVIEWS + 1)])
    source = forms.ChoiceField(required=False)
    sort = forms.ChoiceField(
        label="Order",
        choices=[
            ("newest", "Newest first"),
            ("oldest", "Oldest first"),
            ("highest", "Highest rating first"),
            ("lowest", "Lowest rating first"),
        ],
    )
    theme = forms.ChoiceField(
        label="Colours",
        choices=[("auto", "As the visitor's device"), ("light", "Light"), ("dark", "Dark")],
    )
    accent = forms.CharField(
        required=False,
        label="Colour of the stars",
        widget=forms.TextInput(attrs={"placeholder": LIGHT["star"], "size": 9}),
        help_text="Like #0b6b57; empty for the usual one.",
    )
    lang = forms.ChoiceField(required=False, label="Language")

    def __init__(self, *args: Any, business: Business, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        typed = source_names()
        sources = [(source, source_label(source, typed)) for source in visible_sources()]
        named = [(source, label) for source, label in sources if label]
        self.fields["source"].choices = [("", "Every source"), *named]  # type: ignore[attr-defined]
        own = language(business.language).name
        self.fields["lang"].choices = [  # type: ignore[attr-defined]
            ("", f"Of the business ({own})"),
            *((tag, each.name) for tag, each in languages().items()),
        ]


def website(request: HttpRequest) -> HttpResponse:
    """The page; each choice changes the preview and the code."""
    business = get_business() or Business()
    refusals: Mapping[str, str] = {}
    try:
        options = Options.parse(request.GET)
    except UnusableOptions as error:
        options, refusals = error.usable, error.refusals
    chosen = {name: request.GET.get(name) or getattr(options, name) for name in FIELDS}
    form = WidgetForm(initial=chosen, business=business)
    problems = [f"{form[name].label} {refusal}" for name, refusal in refusals.items()]
    spoken = language(options.lang, business.language)
    title = spoken.phrase("title_of", business=business.name) if business.name else ""
    context = {
        **admin.site.each_context(request),
        "title": "On your website",
        "form": form,
        "problems": problems,
        "options": options,
        "snippets": snippets(options, title or spoken.phrase("title")),
        "links": with_qr_codes(review_links(business)),
        "business": business if business.name else None,
        "script": f"{settings.BASE_URL}/embed.js",
    }
    return TemplateResponse(request, "admin/embed/website.html", context)


def entries(request: HttpRequest) -> Iterator[Entry]:
    """The link to the page, and the step that leads there."""
    if request.user.has_perm("reviews.view_review"):
        if request.user.has_perm("reviews.change_business") and are_first_steps_open():
            yield Step(
                6,
                "Show the reviews on your website",
                "Copy a line into it, or a badge into your e-mails; the page shows both.",
                reverse(PAGE),
                is_done=False,  # Nothing here knows the other site.
                is_optional=True,
            )
        yield Panel("admin/embed/panel.html", {"url": reverse(PAGE)})
