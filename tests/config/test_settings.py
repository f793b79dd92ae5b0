"""A wrong setting is one sentence on stderr, and exit code 1."""

import runpy
import stat
from contextlib import closing

import pytest
from django.db.utils import ConnectionHandler

from config import env
from config.env import SQLITE, SettingRefused
from config.settings import SQLITE_OPTIONS
from tests.processes import ROOT, environment, run

KEY = "k" * 50
URL = "https://reviews.example.com"
GOOD = {"SECRET_KEY": KEY, "BASE_URL": URL}

NO_KEY = (
    "SECRET_KEY is not set. Set it to a long random text, or run `make up`, which makes one for a "
    "local installation."
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("manage.py", "check"),
        ("manage.py", "migrate"),
        ("manage.py", "publish_documents"),
        ("-m", "celery", "-A", "config", "worker"),
        ("-m", "celery", "-A", "config", "beat"),
    ],
    ids=" ".join,
)
def test_processes_need_secret_key(tmp_path, command):
    done = run(*command, env=environment(tmp_path, BASE_URL=URL))

    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{NO_KEY}\n")


@pytest.mark.slow
def test_web_server_without_secret_key_stops_with_sentence(tmp_path, silent_port):
    server = f"-m granian --interface wsgi --port {silent_port} --log-level error".split()

    done = run(*server, "config.wsgi:application", env=environment(tmp_path, BASE_URL=URL))

    assert done.returncode == 1
    assert NO_KEY in done.stderr.splitlines()
    assert "Traceback" not in done.stdout + done.stderr


def settings_with(monkeypatch, **values):
    """Return the settings for these environment variables."""
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "config/settings.py"))


@pytest.mark.parametrize(
    ("value", "origin"),
    [
        ("https://reviews.example.com/", "https://reviews.example.com"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_trailing_slash_of_base_url_is_removed(monkeypatch, value, origin):
    assert settings_with(monkeypatch, BASE_URL=value)["BASE_URL"] == origin


NO_PORT = "has no host and port that can be read. In a password, "
WRONG = [
    *(
        (f"BASE_URL={value}", f"is {value!r}, not an origin. Set it to scheme, host and port")
        for value in (
            *("reviews.example.com", "ftp://reviews.example.com", "https://two words"),
            *("https://reviews.example.com/path", "https://reviews.example.com?q", "https://[::1"),
            *("https://user:password@reviews.example.com", "https://reviews.example.com:99999"),
        )
    ),
    ("DATABASE_URL=mysql://user:secret@host/x", "(which starts with 'mysql') names no database."),
    ("DATABASE_URL=postgres:///", "(which starts with 'postgres') names no database. Set it like"),
    ("DATABASE_URL=postgres://user:secret@host:port/x", NO_PORT),
    ("DATABASE_URL=postgres://user:secr/secret@host:5432/x", NO_PORT),
    ("REDIS_URL=redis://user:secr/secret@host:5432/x", NO_PORT),
    (
        "REDIS_URL=localhost:6379",
        "(which starts with 'localhost:6379') is none of redis://, rediss:",
    ),
    ("REDIS_URL=redis://:secret@host:6379/0/1", "names the database '0/1', which is not a number."),
    ("CELERY_BROKER_URL=redis://:secret@host/0?socket_timeout=1", "has an option that no broker"),
    ("LOG_FORMAT=loud", "is 'loud'. Set it to one of line, json."),
    ("DEBUG=maybe", "is 'maybe', not a yes or no. Set DEBUG=1 or DEBUG=0."),
    ("IMPORT_UNDO_DAYS=3000000", "is '3000000', not a whole number from 0 to 100000."),
    ("ADMIN_SESSION_IDLE_HOURS=inf", "is 'inf', not a number from 0.1 to 336."),
    ("WEBSUB_RETRY_SECONDS=300,1e300", "is '300,1e300', not a list of seconds from 0 to 10000"),
    ("ALLOWED_HOSTS=a.example,https://b.example", "holds 'https://b.example', which is not a host"),
    (f"RATE_LIMIT_MCP={'9' * 5_000}/min", f"is {'9' * 30!r}, not a rate. Set it like RATE_LIMIT"),
    ("WEBSUB_ALLOWED_NETWORKS=10.0.0.0/40", "is '10.0.0.0/40', which cannot be used ('10.0"),
    ("SECRET_KEY=kkkk\udcff", "holds bytes that are not UTF-8. Type it again, in plain letters"),
    ("INSIGHTS_CHAT_KEY=two words", "holds a character that no header carries. Set it to the key"),
    ("TRUSTED_PROXY_COUNT=1", "is not set. Set it to the header in which"),
    ("WEB_WORKERS=0", "is '0', not a whole number from 1 to 1024."),
    ("GRANIAN_BLOCKING_THREADS=2", "is '2', not a whole number from 3"),
    ("WEBSUB_THREADS=0", "is '0', not"),
    ("MCP_SESSION_SECONDS=0", "is '0', not"),
    ("IMPORT_MAX_BYTES=0", "is '0', not"),
    ("IMPORT_MAX_ROWS=0", "is '0', not"),
    ("WEBSUB_LEASE_MIN_SECONDS=9999999", "is 9999999, more than WEBSUB_LEASE_MAX_SECONDS. Set it"),
    ("SECURITY_CONTACT=security@a.example", "is 'security@a.example', which starts with none of"),
    ("HSTS_PRELOAD=1", "is set without HSTS_INCLUDE_SUBDOMAINS. Set"),
    ("METRICS_TOKEN=short", "is shorter than 16 characters."),
    ("METRICS_LISTEN=127.0.0.1:9464", "is set without METRICS_TOKEN."),
    ("METRICS_LISTEN=::1:0", "is '::1:0', no address and port."),
]


@pytest.mark.parametrize(("given", "sentence"), WRONG, ids=[given[:30] for given, _ in WRONG])
def test_wrong_value_is_refused_with_name_and_remedy(monkeypatch, given, sentence):
    name, _, value = given.partition("=")

    with pytest.raises(SettingRefused) as refused:
        settings_with(monkeypatch, **{name: value})

    about = name if name != "TRUSTED_PROXY_COUNT" else "FORWARDED_HEADER"
    assert str(refused.value).startswith(f"{about} {sentence}")
    assert "secret" not in str(refused.value)


@pytest.mark.slow
def test_deployment_check_passes_with_production_values(tmp_path):
    env = environment(tmp_path, SECRET_KEY="abcdefgh" * 8, BASE_URL=URL)

    done = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", env=env)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.django_db  # These need a separate database.
def test_write_ahead_log_shrinks_after_large_change(tmp_path):
    values = {"ENGINE": SQLITE, "NAME": tmp_path / "large.sqlite3", "OPTIONS": SQLITE_OPTIONS}
    with closing(ConnectionHandler({"default": values})["default"]) as database:
        with database.cursor() as cursor:
            cursor.execute("CREATE TABLE change (content)")
            cursor.execute("INSERT INTO change VALUES (zeroblob(80000000))")
            cursor.execute("INSERT INTO change VALUES (1)")
        length = (tmp_path / "large.sqlite3-wal").stat().st_size

    assert length <= 64 * 1024 * 1024


def test_state_folder_is_created_private_and_kept(tmp_path):
    made, there = tmp_path / "made", tmp_path / "there"
    there.mkdir()
    there.chmod(0o755)  # Whatever the umask is.

    assert stat.S_IMODE(env.folder("STATE_DIR", made).stat().st_mode) == 0o700
    assert stat.S_IMODE(env.folder("STATE_DIR", there).stat().st_mode) == 0o755


@pytest.mark.slow
def test_analyser_must_be_a_class(tmp_path):
    named = {"INSIGHTS_ANALYSER": "os.path"}

    done = run("manage.py", "check", env=environment(tmp_path, **GOOD, **named))

    assert (done.returncode, done.stderr) == (
        1,
        (
            "INSIGHTS_ANALYSER is 'os.path', which cannot be used (os.path is not a class). "
            "Set it to the dotted path of a class, or leave it out.\n"
        ),
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig"]
)  # Some editors write a byte order mark.
def test_values_are_read_from_named_file(tmp_path, encoding):
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
def test_unusable_named_file_is_refused(tmp_path, content, sentence):
    path = tmp_path / "shop.env"
    if content is not None:
        path.write_bytes(content)

    done = run("-c", "import config", env=environment(tmp_path, **GOOD, ENV_FILE=str(path)))

    assert (done.returncode, done.stderr) == (1, sentence.format(path=path))


def test_unreadable_file_is_refused(tmp_path, monkeypatch):
    env.load_file(tmp_path / "missing.env", is_named=False)
    env.load_file(tmp_path, is_named=False)  # SECRET_KEY is set already, for example by systemd.
    monkeypatch.delenv("SECRET_KEY")

    with pytest.raises(SettingRefused, match=r"cannot be read \(Is a directory\). Let this user"):
        env.load_file(tmp_path, is_named=False)


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
    ({}, "HSTS", "max-age=31536000"),
    (
        {"HSTS_INCLUDE_SUBDOMAINS": "1", "HSTS_PRELOAD": "1"},
        "HSTS",
        "max-age=31536000; includeSubDomains; preload",
    ),
    ({"BASE_URL": "http://reviews.example.com"}, "HSTS", ""),
]


@pytest.mark.parametrize(("values", "expression", "expected"), FOLLOWS)
def test_settings_follow_from_environment(monkeypatch, values, expression, expected):
    for name, value in {**GOOD, "CELERY_BROKER_URL": "", **values}.items():
        monkeypatch.setenv(name, value)

    assert eval(expression, runpy.run_path(str(ROOT / "config/settings.py"))) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "address"),
    [({"BASE_URL": URL}, URL), ({"SECRET_KEY": "", "BASE_URL": " "}, "http://127.0.0.1:8000")],
)
def test_environment_overrides_file_of_make_up(tmp_path, given, address):
    (tmp_path / "local.env").write_text("SECRET_KEY=local\nBASE_URL=http://127.0.0.1:8000\n")
    show = "from config import settings as s; print(s.SECRET_KEY, s.BASE_URL)"

    done = run("-c", show, env=environment(tmp_path, **given))

    assert (done.stdout, done.stderr) == (f"local {address}\n", "")
