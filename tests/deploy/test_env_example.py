"""`.env.example` lists every setting that is read, and no other."""

import ast
import inspect
import re

from config import env
from tests.deploy.files import ROOT, compose, explained_settings

READERS = {name for name, _ in inspect.getmembers(env, inspect.isfunction)} | {"env"}


def settings_read():
    """The first arguments of the functions of `config.env`, wherever they are called."""
    for path in [*ROOT.glob("config/**/*.py"), ROOT / "manage.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
            if called in READERS or called == "os.environ.get":
                first = node.args[0]
                if isinstance(first, ast.Constant) and re.fullmatch(r"[A-Z_]+", str(first.value)):
                    yield first.value


def interpolated():
    text = (ROOT / "docker-compose.yml").read_text()
    return set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", text))


# Read by others: a convention of terminals, a variable of docker compose.
NOT_OURS = {"NO_COLOR"}
COMPOSE = {"COMPOSE_PROFILES"}


def test_every_setting_that_is_read_is_explained_and_every_explained_one_is_read():
    read = set(settings_read()) - NOT_OURS

    assert len(read) > 30
    assert explained_settings() == read | interpolated() | COMPOSE


def test_every_value_has_a_comment_above_it():
    for paragraph in (ROOT / ".env.example").read_text().split("\n\n"):
        first = paragraph.strip().splitlines()[0]

        assert first.startswith("# "), paragraph


def test_values_set_for_containers_are_settings():
    names = {name for name in compose()["x-app"]["environment"] if name != "GRANIAN_WORKERS"}

    assert names <= set(settings_read())
