"""Parse, validate and normalise the options of a widget."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self
from urllib.parse import urlencode

from django.http import QueryDict
from rest_framework import serializers

LIST, WALL, CAROUSEL, QUOTE = "list", "wall", "carousel", "quote"
BADGE, BAR, FLOATING = "badge", "bar", "floating"
LAYOUTS = (LIST, WALL, CAROUSEL, QUOTE, BADGE, BAR, FLOATING)
WITHOUT_REVIEWS = (BADGE, BAR)
ALIASES = {"grid": WALL}  # Former names, which pages of other sites still use.
NEWEST, OLDEST, HIGHEST, LOWEST = "newest", "oldest", "highest", "lowest"
SORTS = (NEWEST, OLDEST, HIGHEST, LOWEST)
CHOICES: Mapping[str, Sequence[str]] = {
    "layout": LAYOUTS,
    "sort": SORTS,
    "theme": ("auto", "light", "dark"),
    "size": ("small", "medium", "large"),
    "background": ("transparent", "card", "none"),
    "density": ("comfortable", "compact"),
    "autoplay": ("off", "on"),
}
MAX_REVIEWS, MAX_RADIUS = 12, 32

LOOK = ("accent", "star_color", "radius")  # Options that become values in the style sheet.

MAX_SOURCE = 50
_SOURCE = re.compile(rf"(?!.{{{MAX_SOURCE + 1}}})[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_COLOUR = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})", re.ASCII | re.IGNORECASE)
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]{1,8}){0,3}", re.ASCII | re.IGNORECASE)


class LayoutField(serializers.ChoiceField):
    """A layout by its current or former name."""

    def to_internal_value(self, data: Any) -> str:
        return str(super().to_internal_value(ALIASES.get(data, data)))


def _choice(name: str, help_text: str, field: type[Any] = serializers.ChoiceField) -> Any:
    names = CHOICES[name]
    refusals: Any = {"invalid_choice": f"must be one of: {', '.join(names)}."}
    return field(names, error_messages=refusals, help_text=help_text)


def _number(most: int, help_text: str, least: int = 1) -> Any:
    refusals: Any = {"invalid_choice": f"must be a whole number from {least} to {most}."}
    numbers = range(least, most + 1)
    return serializers.ChoiceField(numbers, error_messages=refusals, help_text=help_text)


class PatternField(serializers.CharField):
    """A text that matches a pattern, normalised to its group in lower case."""

    def __init__(self, pattern: re.Pattern[str], refusal: str, **options: Any) -> None:
        self.pattern = pattern
        super().__init__(error_messages={"invalid": refusal}, **options)

    def to_internal_value(self, data: str) -> str:
        found = self.pattern.fullmatch(data)
        if not found:
            raise serializers.ValidationError(self.error_messages["invalid"])
        return found[self.pattern.groups].lower()


class ColourField(PatternField):
    """A colour of three or six hexadecimal digits, normalised to six."""

    def to_internal_value(self, data: str) -> str:
        digits = super().to_internal_value(data)
        return digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)


class OptionsSerializer(serializers.Serializer[Any]):
    """Options of a widget, all optional, as in URLs and HTML attributes."""

    layout = _choice("layout", "How the reviews are laid out.", LayoutField)
    min_rating = _number(5, "Reviews with so many stars and more.")
    max = _number(MAX_REVIEWS, "How many reviews are listed at most.")
    source = PatternField(  # type: ignore[assignment]  # A field's name.
        _SOURCE,
        "must be the id of a source, like google.",
        help_text="Reviews of this source, like google.",
    )
    sort = _choice("sort", "The order of the reviews.")
    theme = _choice("theme", "Light, dark, or as the device.")
    accent = ColourField(
        _COLOUR,
        "must be a colour like #0b6b57.",
        help_text="The colour of ticks, lines and stars, like 0b6b57.",
    )
    star_color = ColourField(
        _COLOUR,
        "must be a colour like #c77d06.",
        help_text="The colour of the stars, where it is not the accent.",
    )
    background = _choice("background", "Cards on the page, cards on a card, or no cards.")
    radius = _number(MAX_RADIUS, "The radius of corners in pixels.", least=0)
    density = _choice("density", "The space around texts.")
    size = _choice("size", "The size of a badge.")
    autoplay = _choice("autoplay", "Whether a carousel moves by itself until it is used.")
    lang = PatternField(
        _LANGUAGE,
        "must be a language tag, like en or de-AT.",
        help_text="The language of the widget's own words, like de.",
    )


FIELDS: Mapping[str, Any] = dict(OptionsSerializer().fields)


class UnusableOptions(ValueError):
    """Some options are invalid.

    `problems` has a sentence per invalid option, `refusals` the error messages by name, and
    `usable` the valid options.
    """

    def __init__(self, refusals: Mapping[str, str], usable: "Options") -> None:
        self.refusals, self.usable = refusals, usable
        self.problems = [f"{_spelled(name)} {refusal}" for name, refusal in refusals.items()]
        super().__init__(" ".join(self.problems))


@dataclass(frozen=True, slots=True)
class Options:
    """Normalised options of one widget; equal options give equal responses."""

    layout: str = LIST
    min_rating: int = 1
    max: int = 6
    source: str = ""  # Every source.
    sort: str = NEWEST
    theme: str = "auto"
    accent: str = ""  # Six hexadecimal digits; empty for the default.
    star_color: str = ""  # Six hexadecimal digits; empty for the accent.
    background: str = "transparent"
    radius: int = 12
    density: str = "comfortable"
    size: str = "medium"
    autoplay: str = "off"
    lang: str = ""  # A primary language tag; empty for the language of the business.

    @classmethod
    def parse(cls, query: QueryDict) -> Self:
        """Parse the options of a query; raises UnusableOptions.

        Names may have hyphens or underscores. Unknown names and empty values are ignored.
        """
        found: dict[str, Any] = {}
        refusals: dict[str, str] = {}
        for name, field in FIELDS.items():
            names = dict.fromkeys([_spelled(name), name])
            values = [value for each in names for value in query.getlist(each) if value]
            if len(values) > 1:
                refusals[name] = f"is given {len(values)} times; give it once."
            elif values:
                try:
                    found[name] = field.run_validation(values[0])
                except serializers.ValidationError as error:
                    detail: Any = error.detail
                    refusals[name] = str(detail[0])
        options = cls(**found)
        if refusals:
            raise UnusableOptions(refusals, options)
        return options

    def query(self, *names: str) -> str:
        """Return the query string of these or all options without default values."""
        given = {
            _spelled(field.name): value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
            and (not names or field.name in names)
        }
        return urlencode(given)

    def only(self, *names: str) -> "Options":
        """Return a copy with only these options, others at their defaults, as a cache key."""
        return Options(**{name: getattr(self, name) for name in names})

    @property
    def look(self) -> str:
        """Colours and radius other than the defaults, as part of a CSS class name."""
        default = Options()
        return "-".join(
            f"{name[0]}{value}"
            for name in LOOK
            if (value := getattr(self, name)) != getattr(default, name)
        )


def _spelled(name: str) -> str:
    return name.replace("_", "-")
