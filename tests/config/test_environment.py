"""Files of settings, and what follows from the values of the environment."""

import runpy

import pytest

from config import env
from config.env import SettingRefused
from tests.processes import ROOT, environment, run

KEY = "k" * 50
URL = "https://reviews.example.com"
GOOD = {"SECRET_KEY": KEY, "BASE_URL": URL}


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])  # Some editors put a mark in front.
def test_values_are_read_from_the_file_that_is_named(tmp_path, encoding):
    values = "BASE_URL=https://shop.example\nSECRET_KEY=k\n"
    (tmp_path / "shop.env").write_text(values, encoding=encoding)
    show = "from config import settings; print(settings.BASE_URL)"

    done = run("-c", show, env=environment(tmp_path, ENV_FILE=str(tmp_path / "shop.env")))

    assert (done.stdout, done.stderr) == ("https://shop.example\n", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "ENV_FILE is '{path}', which is not there. Correct it.\n"),
        (b"# f\xfcr uns\n", "{path} is not UTF-8. Type it again, in plain letters and digits.\n"),
    ],
)
def test_file_that_is_named_and_cannot_be_taken_is_refused(tmp_path, content, sentence):
    path = tmp_path / "shop.env"
    if content is not None:
        path.write_bytes(content)

    done = run("-c", "import config", env=environment(tmp_path, **GOOD, ENV_FILE=str(path)))

    assert (done.returncode, done.stderr) == (1, sentence.format(path=path))


def test_file_that_cannot_be_read_does_not_pass_for_none(tmp_path, monkeypatch):
    env.take_values(tmp_path / "missing.env", is_named=False)
    env.take_values(tmp_path, is_named=False)  # SECRET_KEY is set already, as by systemd.
    monkeypatch.delenv("SECRET_KEY")

    with pytest.raises(SettingRefused, match=r"cannot be read \(Is a directory\). Let this user"):
        env.take_values(tmp_path, is_named=False)


UNSET = ("DATABASE_URL", "REDIS_URL", "CELERY_BROKER_URL", "LOG_LEVEL", "DEBUG", "WEB_WORKERS")
REDIS = {"REDIS_URL": "redis://127.0.0.1:6379/5"}
RABBITMQ = {"CELERY_BROKER_URL": "amqp://guest:guest@127.0.0.1:5672//"}
LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
FOLLOWS = [
    (
        dict.fromkeys(UNSET, ""),
        "[USES_SQLITE, REDIS_URL, CELERY_BROKER_URL, LOGGING['root']['level'], DEBUG, WEB_WORKERS]",
        [True, "", "filesystem://", "INFO", False, 1],
    ),
    (REDIS, "CELERY_BROKER_URL", "redis://127.0.0.1:6379/5"),
    (REDIS | RABBITMQ, "CELERY_BROKER_URL", "amqp://guest:guest@127.0.0.1:5672//"),
    ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS", ["reviews.example.com", *LOOPBACK]),
    (
        {"ALLOWED_HOSTS": "reviews.example.com, web,"},
        "ALLOWED_HOSTS",
        ["reviews.example.com", "web", *LOOPBACK],
    ),
    ({"SECRET_KEY_FALLBACKS": "one, two,"}, "SECRET_KEY_FALLBACKS", ["one", "two"]),
    ({"SECRET_KEY": "$b#{k}=y$"}, "SECRET_KEY", "$b#{k}=y$"),
]


@pytest.mark.parametrize(("values", "expression", "expected"), FOLLOWS)
def test_settings_follow_from_the_values_that_are_given(monkeypatch, values, expression, expected):
    for name, value in {**GOOD, "CELERY_BROKER_URL": "", **values}.items():
        monkeypatch.setenv(name, value)

    assert eval(expression, runpy.run_path(str(ROOT / "config/settings.py"))) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "address"),
    [({"BASE_URL": URL}, URL), ({"SECRET_KEY": "", "BASE_URL": " "}, "http://127.0.0.1:8000")],
)
def test_value_of_the_environment_wins_over_what_make_up_wrote(tmp_path, given, address):
    (tmp_path / "local.env").write_text("SECRET_KEY=local\nBASE_URL=http://127.0.0.1:8000\n")
    show = "from config import settings as s; print(s.SECRET_KEY, s.BASE_URL)"

    done = run("-c", show, env=environment(tmp_path, **given))

    assert (done.stdout, done.stderr) == (f"local {address}\n", "")
