"""Form fields of the business's country, time zone, language and opening hours."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from django import forms
from django.conf.locale import LANG_INFO
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.admin.forms import LinesField
from reviews.languages import language_name
from reviews.validators import DAYS

Choices = list[tuple[str, Any]]

_OPENING = re.compile(r"(?P<day>\w+) (?P<opens>[\d:]*)-(?P<closes>[\d:]*)", re.ASCII)
DAY_NAMES: Mapping[str, Any] = {
    "monday": _("Monday"),
    "tuesday": _("Tuesday"),
    "wednesday": _("Wednesday"),
    "thursday": _("Thursday"),
    "friday": _("Friday"),
    "saturday": _("Saturday"),
    "sunday": _("Sunday"),
}
WEEKDAYS = DAYS[1:5]  # Days to which Monday's hours may apply.
MIN_OPENINGS, MAX_OPENINGS = 2, 6  # Rows per day; a day with a break has two.

# --- Lists ----------------------------------------------------------------------------------------


def _table(name: str) -> Iterator[list[str]]:
    """Rows of a table of the IANA time zone database."""
    text = files("tzdata.zoneinfo").joinpath(name).read_text("utf-8")
    return (line.split("\t") for line in text.splitlines() if not line.startswith("#"))


@cache
def countries() -> dict[str, str]:
    """English names of countries by two-letter code, sorted by name."""
    return dict(sorted(((row[0], row[1]) for row in _table("iso3166.tab")), key=lambda row: row[1]))


@cache
def country_of_zone() -> dict[str, str]:
    """Countries by time zone."""
    return {row[2]: row[0] for row in _table("zone.tab")}


@cache
def present_zone_names() -> dict[str, str]:
    """Current names of time zones by former name, like Asia/Kolkata by Asia/Calcutta."""
    text = files("tzdata.zoneinfo").joinpath("tzdata.zi").read_text("utf-8")
    links = (line.split() for line in text.splitlines() if line.startswith("L "))
    return {former: current for _, current, former in links}


@cache
def _zone_choices() -> Choices:
    """Time zones grouped by continent, labelled with city and country."""
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for zone, country in sorted(country_of_zone().items()):
        continent, _, city = zone.partition("/")
        place = city.replace("_", " ").replace("/", ", ")
        groups[continent].append((zone, f"{place} ({countries()[country]})"))
    return [("UTC", "UTC"), *groups.items()]


@cache
def language_tags() -> dict[str, str]:
    """English names of languages by tag, like `en-GB`, sorted by name."""
    tags = [tag for tag, about in LANG_INFO.items() if "name" in about]
    named = {_cased(tag): language_name(tag) for tag in tags}
    return dict(sorted(named.items(), key=lambda entry: entry[1]))


def _cased(tag: str) -> str:
    """Format tags like `zh-hans` and `en-gb` as RFC 5646 2.1.1 recommends."""
    first, *others = tag.split("-")
    return "-".join([first, *(o.upper() if len(o) == 2 else o.title() for o in others)])


def known_language(tag: str) -> str:
    """Find the listed tag that is closest to a browser's; empty if there is none."""
    tags = {known.lower(): known for known in language_tags()}
    lower = tag.strip().lower()
    return tags.get(lower) or tags.get(lower.partition("-")[0], "")


# --- Fields ---------------------------------------------------------------------------------------


class ListedField(forms.ChoiceField):
    """A choice that also accepts a stored value outside its list."""

    def __init__(self, listed: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._listed = listed
        self.choices = listed

    def keep(self, stored: str) -> None:
        if stored and not self.valid_value(stored):
            self.choices = [(stored, stored), *self._listed()]


class HoursGrid(forms.Widget):
    """Opening and closing times of each day; the field receives lines of text."""

    template_name = "admin/reviews/hours.html"
    use_fieldset = True

    class Media:
        css = {"all": ["reviews/hours.css"]}

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        openings = _openings(value)
        most = max(MIN_OPENINGS, *(len(openings[day]) for day in DAYS))
        is_same = all(openings[day] == openings["monday"] for day in WEEKDAYS)
        days = [
            {
                "day": day,
                "name": DAY_NAMES[day],
                "is_weekday": day in WEEKDAYS,
                "openings": [*openings[day], *[("", "")] * (most - len(openings[day]))],
            }
            for day in DAYS
        ]
        return super().get_context(name, value, attrs) | {"days": days, "is_same": is_same}

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> str:
        is_same = bool(data.get(f"{name}-same"))
        lines = []
        for day in DAYS:
            row = "monday" if is_same and day in WEEKDAYS else day
            for number in range(MAX_OPENINGS):
                start = f"{name}-{row}-{number}"
                opens, closes = data.get(f"{start}-opens", ""), data.get(f"{start}-closes", "")
                if opens or closes:
                    lines.append(f"{day} {opens}-{closes}")
        return "\n".join(lines)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return not any(key.startswith(f"{name}-monday-") for key in data)

    def id_for_label(self, id_: str) -> str:
        return ""


def _openings(lines: Any) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {day: [] for day in DAYS}
    for line in str(lines or "").splitlines():
        if (match := _OPENING.fullmatch(line)) and match["day"] in found:
            found[match["day"]].append((match["opens"][:5], match["closes"][:5]))
    return found


class HoursField(LinesField):
    """Opening hours in the format of `Business.hours`."""

    widget: Any = HoursGrid()

    def as_line(self, entry: Any) -> str:
        if not isinstance(entry, dict):
            return str(entry)
        return f"{entry.get('day', '')} {entry.get('opens', '')}-{entry.get('closes', '')}"

    def as_entry(self, line: str) -> Any:
        day, _, times = line.partition(" ")
        opens, _, closes = times.partition("-")
        return {"day": day, "opens": opens[:5], "closes": closes[:5]}

    def validate(self, value: Any) -> None:
        super().validate(value)
        for entry in value:
            day = {"day": DAY_NAMES.get(entry["day"], entry["day"])}
            if not entry["opens"] or not entry["closes"]:
                message = gettext(
                    "%(day)s: enter when you open and when you close, or leave both empty."
                )
                raise ValidationError(message % day)
            if entry["opens"] == entry["closes"]:
                message = gettext(
                    "%(day)s: you cannot open and close at the same time. For the whole day enter "
                    "00:00 and 23:59."
                )
                raise ValidationError(message % day)


class PlaceFields(forms.Form):
    """Country, time zone, language and opening hours of the business."""

    country = ListedField(
        lambda: [("", gettext("Choose a country")), *countries().items()],
        required=False,
        label=_("Country"),
    )
    time_zone = ListedField(
        _zone_choices,
        initial="UTC",
        label=_("Time zone"),
        help_text=_("Dates and times are shown in this time zone."),
    )
    language = ListedField(
        lambda: [*language_tags().items()],
        initial="en",
        label=_("Language"),
        help_text=_("The language of your public pages and widgets, if it is available."),
    )
    hours = HoursField(
        required=False,
        label=_("Opening hours"),
        help_text=_("Leave a day empty if you are closed."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("country", "time_zone", "language"):
            field = self.fields.get(name)
            if isinstance(field, ListedField):
                field.keep(str(self.get_initial_for_field(field, name) or ""))
