"""`.env.example` lists exactly the settings that are read."""

import ast
import inspect
import json
import re

import pytest

from config import env
from tests.deploy.files import ROOT, compose, explained_settings
from tests.processes import GOOD, environment, run

READERS = {name for name, _ in inspect.getmembers(env, inspect.isfunction)} | {"env"}


def settings_read():
    """Return the first arguments of all calls of functions in `config.env`."""
    for path in [*ROOT.glob("config/**/*.py"), ROOT / "manage.py"]:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = ast.unparse(node.func).removeprefix("env.")
            if called in READERS or called == "os.environ.get":
                first = node.args[0]
                if isinstance(first, ast.Constant) and re.fullmatch(
                    r"[A-Z0-9_]+", str(first.value)
                ):
                    yield first.value


def interpolated():
    text = (ROOT / "docker-compose.yml").read_text()
    return set(re.findall(r"(?<!\$)\$\{([A-Z_]+)", text))


# Read elsewhere: a convention of terminals, a variable of Docker Compose.
NOT_OURS = {"NO_COLOR"}
COMPOSE = {"COMPOSE_PROFILES"}


def test_explained_settings_equal_read_settings():
    read = set(settings_read()) - NOT_OURS

    assert len(read) > 30
    assert explained_settings() == read | interpolated() | COMPOSE


def test_values_set_for_containers_are_settings():
    names = {name for name in compose()["x-app"]["environment"] if name != "GRANIAN_WORKERS"}

    assert names <= set(settings_read())


# Example values of settings without a default.
FORMS = {"CELERY_BROKER_URL", "DATABASE_URL", "INSIGHTS_CHAT_URL", "METRICS_LISTEN", "REDIS_URL"}
# Tests use their own.
OWN = {"BASE_URL", "ENV_FILE", "INBOX_DIR", "INSIGHTS_NEURAL_WEIGHTS", "STATE_DIR"}
SHOW = """
import json, django
django.setup()
from django.conf import settings
values = {name: getattr(settings, name) for name in dir(settings) if name.isupper()}
print(json.dumps({
    name: sorted(map(str, value)) if isinstance(value, (set, frozenset)) else str(value)
    for name, value in values.items()
}))
"""


@pytest.mark.slow
def test_every_value_is_the_default(tmp_path):
    lines = re.findall(r"(?m)^#([A-Z_]+)=(.+)$", (ROOT / ".env.example").read_text())
    explained = {name: value for name, value in lines if name not in FORMS | OWN}
    environ = {
        name: value
        for name, value in environment(tmp_path, **GOOD).items()
        if not name.startswith("RATE_LIMIT_")
    } | {"DJANGO_SETTINGS_MODULE": "config.settings"}

    default, given = (
        json.loads(run("-c", SHOW, env=environ | values).stdout) for values in ({}, explained)
    )

    assert len(explained) >= 50
    differing = {name for name in default if default[name] != given[name]}
    assert differing <= {name for name in default if " at 0x" in default[name]}
