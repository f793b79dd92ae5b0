"""Form and connector of a recipe, whether shipped or written by an administrator."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from sources.connectors import api, trustpilot_replies, webhooks
from sources.connectors.protocol import Connector, ConnectorForm, SecretField, refuse
from sources.connectors.recipe import (
    FOLDER,
    MAX_LETTERS,
    Recipe,
    RecipeInvalid,
    parse,
    recipe_of,
)

NAME = "api"
LABEL = _("Any paged JSON API")
EXAMPLE = (FOLDER / "example.toml").read_text(encoding="utf-8")
_PATH = re.compile(r"(?:[\w~-][\w.~-]*)(?:/[\w~-][\w.~-]*)*", re.ASCII)


class RecipeForm(ConnectorForm):
    recipe: ClassVar[Recipe] = {}

    def clean(self) -> dict[str, Any]:
        """Extract values from pasted addresses, and require one input of `one_of`."""
        cleaned, inputs = super().clean(), self.recipe.get("inputs", {})
        for name in cleaned.keys() & inputs.keys():
            if "after" in inputs[name] and cleaned[name]:
                cleaned[name] = _unpasted(inputs[name], cleaned[name].strip())
                if not _PATH.fullmatch(cleaned[name]):
                    self.add_error(
                        name, gettext("Open its page, and copy the address from the browser.")
                    )
        names = self.recipe.get("one_of", [])
        if names and not any(map(cleaned.get, names)):
            titles = " or ".join(f"“{inputs[name]['title']}”" for name in names)
            self.add_error(names[0], f"Enter {titles}.")
        return cleaned

    def host(self, settings: Mapping[str, Any]) -> str:
        try:
            return str(urlsplit(recipe_of(settings)["request"]["address"]).netloc)
        except RecipeInvalid:
            return ""


class ShippedRecipeForm(RecipeForm):
    name: ClassVar[str] = ""

    def settings(self) -> dict[str, Any]:
        return {**super().settings(), "recipe": self.name}


class OwnRecipeForm(RecipeForm):
    """A recipe text, and the inputs of the recipe once the text is valid."""

    recipe_text = forms.CharField(
        label=_("Recipe"),
        initial=EXAMPLE,
        max_length=MAX_LETTERS,
        widget=forms.Textarea(attrs={"rows": 24, "cols": 90, "spellcheck": "false"}),
        help_text=_(
            "TOML, as docs/sources.md describes it. The fields that a recipe needs appear below it."
        ),
    )

    def clean_recipe_text(self) -> str:
        text: str = self.cleaned_data["recipe_text"]
        try:
            parse(text)
        except RecipeInvalid as invalid:
            raise ValidationError(list(invalid.sentences)) from None
        return text


def _unpasted(given: Mapping[str, Any], text: str) -> str:
    """Return the value in a pasted address, which follows a word of `after`."""
    for words, start in given["after"].items():
        _, found, rest = f"/{text}".partition(f"/{words}")
        if found:
            return f"{start}{re.split('[/?#]', rest)[0]}"
    for old, new in given.get("replace", {}).items():
        text = text.replace(old, new)
    return f"{given.get('otherwise', '')}{text}"


def _text(given: Mapping[str, Any], name: str) -> str | Promise:
    """Return a text of a recipe, translated if the recipe is shipped."""
    text = given.get(name, "")
    return _(text) if text else ""


def _field(recipe: Recipe, name: str) -> forms.Field:
    given = recipe["inputs"][name]
    options: dict[str, Any] = {
        "label": _text(given, "title"),
        "help_text": _text(given, "help"),
        "required": not given.get("optional") and name not in recipe.get("one_of", []),
        "initial": given.get("preset"),
    }
    if given.get("secret"):
        return SecretField(**options)
    if "most" in given:
        least, most = given.get("least", 0), given["most"]
        return forms.IntegerField(min_value=least, max_value=most, **options)
    return forms.CharField(max_length=300, **options)


def connector(settings: Mapping[str, Any]) -> Connector:
    """Return the connector of a recipe. Without one, its form offers an example to edit."""
    name = settings.get("recipe", "")
    base = ShippedRecipeForm if name else OwnRecipeForm
    try:
        recipe = recipe_of({"recipe_text": EXAMPLE, **settings})
    except RecipeInvalid as invalid:
        return Connector(
            name=NAME, recipe=name, label=LABEL, form=base, fetch=partial(refuse, str(invalid))
        )
    inputs = recipe.get("inputs", {})
    members = {each: _field(recipe, each) for each in inputs} | {
        "recipe": recipe,
        "name": name,
        "secret_fields": tuple(each for each, given in inputs.items() if given.get("secret")),
    }
    return Connector(
        name=NAME,
        recipe=name,
        label=_text(recipe, "title") if settings else LABEL,
        form=type("RecipeFormOfInputs", (base,), members),
        terms=_text(recipe, "terms"),
        help=_text(recipe, "help"),
        interval_seconds=recipe.get("interval_seconds", 3_600),
        fetch=partial(api.fetch, recipe),
        replies=trustpilot_replies.REPLIES if name == "trustpilot" else None,
        receive=partial(webhooks.receive, recipe) if "push" in recipe else None,
    )
