"""Administration page "On your website": options, preview, code to copy, QR codes."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from core.images import LIGHT
from embed.languages import language, languages
from embed.options import FIELDS, MAX_REVIEWS, Options, UnusableOptions
from embed.responses import current_content
from embed.snippets import attributes, snippets, with_qr_codes
from embed.widget import widget
from publishing.selectors import DocumentUnavailable
from reviews.models import Business
from reviews.selectors import get_business, source_names, visible_sources
from reviews.sites import review_links, source_label

LABELS = {
    "layout": {
        "list": _("List"),
        "wall": _("Wall of cards"),
        "carousel": _("Carousel"),
        "quote": _("One quote"),
        "badge": _("Badge"),
        "bar": _("Bar for header or footer"),
        "floating": _("Floating badge that opens the reviews"),
    },
    "sort": {
        "newest": _("Newest first"),
        "oldest": _("Oldest first"),
        "highest": _("Highest rating first"),
        "lowest": _("Lowest rating first"),
    },
    "theme": {"auto": _("Same as the visitor's device"), "light": _("Light"), "dark": _("Dark")},
    "background": {
        "transparent": _("Cards on your page"),
        "card": _("Cards on a card"),
        "none": _("No cards"),
    },
    "density": {"comfortable": _("Comfortable"), "compact": _("Compact")},
    "size": {"small": _("Small"), "medium": _("Medium"), "large": _("Large")},
    "autoplay": {
        "off": _("When visitors move it"),
        "on": _("Automatically, until someone uses it"),
    },
}
PRESETS = (
    (_("Wall"), Options(layout="wall", max=9)),
    (_("Carousel"), Options(layout="carousel", max=9)),
    (_("Plain list"), Options(layout="list", max=5, background="none")),
    (_("One quote"), Options(layout="quote", sort="highest")),
    (_("Bar"), Options(layout="bar")),
    (_("Large badge"), Options(layout="badge", size="large")),
)


def _choice(name: str, label: Any) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=list(LABELS[name].items()))


class WidgetForm(forms.Form):
    """Form of a widget's options; `Options.parse` validates them."""

    layout = _choice("layout", _("Layout"))
    min_rating = forms.ChoiceField(
        label=_("Stars"),
        choices=[
            (1, _("All reviews")),
            *((stars, _("%(stars)d stars or more") % {"stars": stars}) for stars in (2, 3, 4)),
            (5, _("5 stars only")),
        ],
        help_text=_(
            "The widget always shows the average of all reviews and says which ones it lists."
        ),
    )
    max = forms.ChoiceField(label=_("Number"), choices=[(n, n) for n in range(1, MAX_REVIEWS + 1)])
    source = forms.ChoiceField(label=_("Source"), required=False)
    sort = _choice("sort", _("Order"))
    theme = _choice("theme", _("Colours"))
    background = _choice("background", _("Background"))
    accent = forms.CharField(
        label=_("Accent"),
        required=False,
        widget=forms.TextInput(attrs={"placeholder": LIGHT["star"], "size": 9}),
        help_text=_("Such as #0b6b57. Leave empty for the default colours."),
    )
    star_color = forms.CharField(
        required=False,
        label=_("Colour of the stars"),
        widget=forms.TextInput(attrs={"placeholder": LIGHT["star"], "size": 9}),
        help_text=_("If it differs from the accent."),
    )
    radius = forms.ChoiceField(
        label=_("Corners"),
        choices=[
            (0, _("Square")),
            (6, _("Slightly rounded")),
            (12, _("Rounded")),
            (24, _("Very round")),
        ],
    )
    density = _choice("density", _("Space"))
    size = _choice("size", _("Size of a badge"))
    autoplay = _choice("autoplay", _("Carousel moves"))
    lang = forms.ChoiceField(required=False, label=_("Language"))

    def __init__(self, *args: Any, business: Business, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        typed = source_names()
        sources = [(source, source_label(source, typed)) for source in visible_sources()]
        named = [(source, label) for source, label in sources if label]
        self.fields["source"].choices = [("", _("Every source")), *named]  # type: ignore[attr-defined]
        own = language(business.language).name
        self.fields["lang"].choices = [  # type: ignore[attr-defined]
            ("", _("Language of the business (%(language)s)") % {"language": own}),
            *((tag, each.name) for tag, each in languages().items()),
        ]


def website(request: HttpRequest) -> HttpResponse:
    business = get_business() or Business()
    refusals: Mapping[str, str] = {}
    try:
        options = Options.parse(request.GET)
    except UnusableOptions as error:
        options, refusals = error.usable, error.refusals
    chosen = {name: request.GET.get(name) or getattr(options, name) for name in FIELDS}
    form = WidgetForm(initial=chosen, business=business)
    problems = [f"{form[name].label} {refusal}" for name, refusal in refusals.items()]
    try:
        content = widget(current_content(), options)
    except DocumentUnavailable:
        content = {"title": language(options.lang, business.language).phrase("title")}
        content["reviews"] = []
    context = {
        **admin.site.each_context(request),
        "title": _("On your website"),
        "form": form,
        "problems": problems,
        "options": options,
        "presets": [(name, f"?{preset.query()}") for name, preset in PRESETS],
        "attributes": attributes(options),
        "snippets": snippets(options, content),
        "links": with_qr_codes(review_links(business)),
        "business": business if business.name else None,
        "script": f"{settings.BASE_URL}/embed.js",
    }
    return TemplateResponse(request, "admin/embed/website.html", context)
