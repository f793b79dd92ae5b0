"""Recipes, TOML texts that describe the requests and responses of an API.

`recipes/` holds the shipped recipes and the schema; `docs/sources.md` explains it. A recipe is
data: placeholders like `{place}` are replaced, and nothing is executed. All addresses of a recipe
are on one host, and only its `credentials` may use secrets.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator

FOLDER = Path(__file__).parent / "recipes"
MAX_LETTERS = 20_000
PLACEHOLDER = re.compile(r"\{(\w+)\}", re.ASCII)
FOUND, JOB = "found", "job"  # Placeholders for the id from the lookup, and the id of the order.
# Other fields of the form, and the secret in the push address.
_RESERVED = frozenset(
    {"name", "source", "interval_seconds", "is_complete", "holds_new", "recipe", "recipe_text"}
    | {"token", FOUND, JOB}
)

Recipe = Mapping[str, Any]


class RecipeInvalid(Exception):
    """A text that is not a recipe. `sentences` name each faulty entry and its remedy."""

    def __init__(self, *sentences: str) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


@cache
def shipped(name: str) -> Recipe:
    """Return a shipped recipe. Raises `RecipeInvalid` for an unknown name."""
    path = FOLDER / f"{name}.toml"
    if not name.isidentifier() or not path.is_file():
        raise RecipeInvalid(f"This version has no recipe “{name}”. Upgrade, or delete the source.")
    return parse(path.read_text(encoding="utf-8"))


def recipe_of(settings: Mapping[str, Any]) -> Recipe:
    """Return the recipe that the settings of a connection name or hold. Raises `RecipeInvalid`."""
    if name := settings.get("recipe"):
        return shipped(name)
    return parse(settings.get("recipe_text", ""))


@lru_cache(maxsize=64)
def parse(text: str) -> Recipe:
    """Parse a TOML text. Raises `RecipeInvalid` with a sentence for each fault."""
    if len(text) > MAX_LETTERS:
        raise RecipeInvalid(f"The recipe is longer than {MAX_LETTERS:,} letters.")
    try:
        recipe = tomllib.loads(text)
        json.dumps(recipe, allow_nan=False)
    except tomllib.TOMLDecodeError as error:
        raise RecipeInvalid(f"This is not TOML: {error}.") from None
    except (TypeError, ValueError):
        raise RecipeInvalid("Write days and times between quotation marks.") from None
    except RecursionError:
        raise RecipeInvalid("The recipe is nested too deeply.") from None
    faults = [
        f"{'.'.join(map(str, error.absolute_path)) or 'The recipe'}: {error.message}."
        for error in _schema().iter_errors(recipe)
    ]
    if faults := faults or list(_faults(recipe)):
        raise RecipeInvalid(*faults)
    return recipe


@cache
def _schema() -> Draft202012Validator:
    return Draft202012Validator(json.loads((FOLDER / "schema.json").read_text(encoding="utf-8")))


def _faults(recipe: Recipe) -> Iterator[str]:
    """Faults that the schema cannot express: unknown names, misplaced secrets, several hosts."""
    inputs = recipe.get("inputs", {})
    secrets = {name for name, given in inputs.items() if given.get("secret")}
    for name in sorted(inputs.keys() & _RESERVED):
        yield f"inputs.{name}: This name has a meaning of its own. Choose another."
    credentials, push = recipe.get("credentials", {}), recipe.get("push", {})
    used = credential_names(recipe)
    if used - secrets or (credentials and not used):
        yield "credentials: Name inputs that are secret, like value = “Bearer {key}”."
    if {push["signature"]["secret"]} - secrets if "signature" in push else ():
        yield "push.signature.secret: Name an input that is secret."
    if unknown := set(recipe.get("one_of", [])) - inputs.keys():
        yield f"one_of: There is no input “{unknown.pop()}”."
    known = inputs.keys() - secrets
    requests = {part: recipe[part] for part in ("lookup", "order", "request") if part in recipe}
    for part, request in requests.items():
        for name in sorted(_placeholders(request) - known):
            is_secret = name in secrets
            yield f"{part}: {{{name}}} is " + (
                "secret, and may stand under credentials alone." if is_secret else "no input."
            )
        known = known | {{"lookup": FOUND, "order": JOB}.get(part, "")}
    if "order" in requests and JOB not in _placeholders(recipe["request"]):
        yield "request: Use {job}, the id in the answer to the order."
    if len({urlsplit(request["address"])[:2] for request in requests.values()}) > 1:
        yield "Addresses must all be on one host: the secrets are meant for it alone."


def credential_names(recipe: Recipe) -> set[str]:
    """Return the inputs that authenticate the requests of a recipe."""
    credentials = recipe.get("credentials", {})
    return {*_placeholders(credentials), *credentials.get("basic", [])}


def _placeholders(template: Any) -> set[str]:
    return set(PLACEHOLDER.findall(json.dumps(template, ensure_ascii=False)))
