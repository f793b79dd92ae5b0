"""A wrong setting is one sentence on stderr and exit code 1, whichever process meets it."""

import re
import stat
from contextlib import closing
from pathlib import Path

import pytest
from django.db.utils import ConnectionHandler

from config import env
from config.env import SQLITE, SettingRefused
from config.settings import SQLITE_OPTIONS
from guarded_http.addresses import parse_networks, parse_ports
from mcp_server import urls as mcp_urls
from publishing.registry import registry
from tests.processes import ROOT, environment, run
from website import urls as website_urls

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
def test_without_a_secret_key_no_process_starts(tmp_path, command):
    done = run(*command, env=environment(tmp_path, BASE_URL=URL))

    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{NO_KEY}\n")


@pytest.mark.slow
def test_without_a_secret_key_the_web_server_stops_with_the_sentence(tmp_path, silent_port):
    server = f"-m granian --interface wsgi --port {silent_port} --log-level error".split()

    done = run(*server, "config.wsgi:application", env=environment(tmp_path, BASE_URL=URL))

    assert done.returncode == 1
    assert NO_KEY in done.stderr.splitlines()
    assert "Traceback" not in done.stdout + done.stderr


PUBLIC = "Set it to the public address."
NOT_AN_ORIGIN = (
    "BASE_URL is {!r}, not an origin. Set it to scheme, host and port alone, like "
    "BASE_URL=https://reviews.example.com."
)


@pytest.mark.parametrize(
    "value",
    [
        "reviews.example.com",
        "ftp://reviews.example.com",
        "https://reviews.example.com/path",
        "https://reviews.example.com?q",
        "https://reviews.example.com#f",
        "https://user:password@reviews.example.com",
        "https://reviews.example.com:99999",
        "https://reviews.example.com:http",
        "https://[::1",
        "https://two words",
    ],
)
def test_public_address_is_an_origin_and_nothing_else(monkeypatch, value):
    monkeypatch.setenv("BASE_URL", value)

    with pytest.raises(SettingRefused) as refused:
        env.origin("BASE_URL", PUBLIC)

    assert str(refused.value) == NOT_AN_ORIGIN.format(value)


@pytest.mark.parametrize("value", ["", "  "])
def test_blank_value_is_as_good_as_none(monkeypatch, value):
    monkeypatch.setenv("BASE_URL", value)

    with pytest.raises(
        SettingRefused, match=r"^BASE_URL is not set. Set it to the public address.$"
    ):
        env.origin("BASE_URL", PUBLIC)


@pytest.mark.parametrize(
    ("value", "origin"),
    [
        ("https://reviews.example.com/", "https://reviews.example.com"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_public_address_loses_its_last_slash(monkeypatch, value, origin):
    monkeypatch.setenv("BASE_URL", value)

    assert env.origin("BASE_URL", PUBLIC).geturl() == origin


@pytest.mark.parametrize(
    ("scheme", "value"),
    [
        ("mysql", "mysql://user:password@host/name"),
        ("postgres", "postgres://"),
        ("postgres", "postgres:///"),
        ("nonsense", "nonsense"),
    ],
)
def test_unknown_database_is_refused_without_repeating_its_password(monkeypatch, scheme, value):
    monkeypatch.setenv("DATABASE_URL", value)

    with pytest.raises(SettingRefused) as refused:
        env.database("DATABASE_URL", default=Path("reviews.sqlite3"))

    assert str(refused.value) == (
        f"DATABASE_URL (which starts with {scheme!r}) names no database. Set it like "
        "DATABASE_URL=postgres://user:password@host:5432/reviews, or leave it out."
    )


@pytest.mark.parametrize("value", ["://user:se/cret@host:5432/x", "://user:secret@host:port/x"])
@pytest.mark.parametrize(
    ("name", "scheme", "read"),
    [
        ("DATABASE_URL", "postgres", lambda: env.database("DATABASE_URL", default=Path("x"))),
        ("REDIS_URL", "redis", lambda: env.service_url("REDIS_URL", ("redis",), "redis://host/0")),
    ],
    ids=("DATABASE_URL", "REDIS_URL"),
)
def test_address_whose_port_is_none_is_refused_without_its_password(
    monkeypatch, name, scheme, read, value
):
    monkeypatch.setenv(name, f"{scheme}{value}")

    with pytest.raises(SettingRefused) as refused:
        read()

    sentence = str(refused.value)
    assert sentence.startswith(f"{name} has no host and port that can be read. In a password, ")
    assert f"Set it like {name}={scheme}://" in sentence
    assert "se/cret" not in sentence
    assert "secret" not in sentence


@pytest.mark.parametrize(
    ("name", "value", "read", "sentence"),
    [
        (
            "REDIS_URL",
            "localhost:6379",
            lambda: env.service_url("REDIS_URL", ("redis", "rediss"), "redis://127.0.0.1:6379/0"),
            (
                "REDIS_URL (which starts with 'localhost:6379') is none of redis://, rediss://. "
                "Set it like REDIS_URL=redis://127.0.0.1:6379/0."
            ),
        ),
        (
            "LOG_LEVEL",
            "loud",
            lambda: env.one_of("LOG_LEVEL", ("DEBUG", "INFO"), "INFO"),
            "LOG_LEVEL is 'loud'. Set it to one of DEBUG, INFO.",
        ),
        (
            "DEBUG",
            "maybe",
            lambda: env.flag("DEBUG", default=False),
            "DEBUG is 'maybe', not a yes or no. Set DEBUG=1 or DEBUG=0.",
        ),
        (
            "WEB_WORKERS",
            "-1",
            lambda: env.positive_int("WEB_WORKERS", 1),
            (
                "WEB_WORKERS is '-1', not a whole number from 0 to 1000000000. Set it like "
                "WEB_WORKERS=1."
            ),
        ),
        (
            "ADMIN_LOCKOUT_HOURS",
            "inf",
            lambda: env.positive_float("ADMIN_LOCKOUT_HOURS", 0.25),
            (
                "ADMIN_LOCKOUT_HOURS is 'inf', not a number from 0 to 1000000000. Set it like "
                "ADMIN_LOCKOUT_HOURS=0.25."
            ),
        ),
        (
            "IMPORT_UNDO_DAYS",
            "3000000",
            lambda: env.positive_int("IMPORT_UNDO_DAYS", 90, most=100_000),
            (
                "IMPORT_UNDO_DAYS is '3000000', not a whole number from 0 to 100000. Set it like "
                "IMPORT_UNDO_DAYS=90."
            ),
        ),
        (
            "WEBSUB_SWEEP_SECONDS",
            "0",
            lambda: env.positive_float("WEBSUB_SWEEP_SECONDS", 5, least=0.01),
            (
                "WEBSUB_SWEEP_SECONDS is '0', not a number from 0.01 to 1000000000. Set it like "
                "WEBSUB_SWEEP_SECONDS=5."
            ),
        ),
        (
            "WEBSUB_LEASE_MAX_SECONDS",
            "0",
            lambda: env.whole_seconds("WEBSUB_LEASE_MAX_SECONDS", 2_592_000),
            (
                "WEBSUB_LEASE_MAX_SECONDS is '0', not a number from 0.01 to 1000000000. Set it "
                "like WEBSUB_LEASE_MAX_SECONDS=2592000."
            ),
        ),
        (
            "WEBSUB_RETRY_SECONDS",
            "300,1e300",
            lambda: env.seconds_list("WEBSUB_RETRY_SECONDS", "300,3600"),
            (
                "WEBSUB_RETRY_SECONDS is '300,1e300', not a list of seconds from 0 to 1000000000. "
                "Set it like WEBSUB_RETRY_SECONDS=300,3600."
            ),
        ),
        (
            "ALLOWED_HOSTS",
            "www.example.com,https://reviews.example.com",
            lambda: env.host_names("ALLOWED_HOSTS"),
            (
                "ALLOWED_HOSTS holds 'https://reviews.example.com', which is not a host name. Set "
                "it to names alone, like ALLOWED_HOSTS=reviews.example.com,www.example.com."
            ),
        ),
        (
            "RATE_LIMIT_SEARCH",
            "lots",
            lambda: env.rate("RATE_LIMIT_SEARCH", "600/min"),
            (
                "RATE_LIMIT_SEARCH is 'lots', not a rate. Set it like RATE_LIMIT_SEARCH=600/min, "
                "or leave it empty for no limit."
            ),
        ),
        (
            "RATE_LIMIT_MCP",
            "9" * 5_000 + "/min",
            lambda: env.rate("RATE_LIMIT_MCP", "600/min"),
            (
                f"RATE_LIMIT_MCP is {'9' * 30!r}, not a rate. Set it like RATE_LIMIT_MCP=600/min, "
                "or leave it empty for no limit."
            ),
        ),
        (
            "HUB_ALLOW_NETS",
            "10.0.0.0/40",
            lambda: env.readable(
                "HUB_ALLOW_NETS", "", lambda text: parse_networks([text]), "Set it like 10.0.0.0/8."
            ),
            (
                "HUB_ALLOW_NETS is '10.0.0.0/40', which cannot be used ('10.0.0.0/40' does not "
                "appear to be an IPv4 or IPv6 network). Set it like 10.0.0.0/8."
            ),
        ),
        (
            "HUB_ALLOWED_PORTS",
            "443,99999",
            lambda: env.readable("HUB_ALLOWED_PORTS", "443", parse_ports, "Set it like 443,8443."),
            (
                "HUB_ALLOWED_PORTS is '443,99999', which cannot be used ('99999' is not a port: "
                "write a number from 1 to 65535). Set it like 443,8443."
            ),
        ),
        (
            "STATE_DIR",
            "/dev/null/state",
            lambda: env.folder("STATE_DIR", Path("/dev/null/state")),
            (
                "STATE_DIR is '/dev/null/state', which cannot be made (Not a directory). Set it "
                "to a folder that this user may write."
            ),
        ),
    ],
)
def test_wrong_value_is_refused_with_its_name_and_the_remedy(
    monkeypatch, name, value, read, sentence
):
    monkeypatch.setenv(name, value)

    with pytest.raises(SettingRefused) as refused:
        read()

    assert str(refused.value) == sentence


@pytest.mark.parametrize("path", ["reviews", "0/1", "-1"])
def test_number_of_a_redis_database_is_a_number(monkeypatch, path):
    monkeypatch.setenv("REDIS_URL", f"redis://:secret@host:6379/{path}")

    with pytest.raises(SettingRefused) as refused:
        env.service_url("REDIS_URL", ("redis",), "redis://host:6379/0")

    assert str(refused.value) == (
        f"REDIS_URL names the database '{path}', which is not a number. "
        "Set it like REDIS_URL=redis://host:6379/0."
    )


@pytest.mark.parametrize(
    "url",
    ["redis://:secret@host/0?socket_timeout=1", "amqp://guest:secret@host//?heartbeat=often"],
)
def test_option_that_no_broker_takes_is_refused_without_the_password(monkeypatch, url):
    monkeypatch.setenv("CELERY_BROKER_URL", url)

    with pytest.raises(SettingRefused) as refused:
        env.broker_url("CELERY_BROKER_URL", ("redis", "amqp"), "redis://host:6379/0")

    assert str(refused.value) == (
        "CELERY_BROKER_URL has an option that no broker takes. "
        "Leave out what follows the ?, like CELERY_BROKER_URL=redis://host:6379/0."
    )


@pytest.mark.parametrize(
    "url",
    ["rediss://host/0?ssl_cert_reqs=required", "amqp://guest:guest@host//?heartbeat=5", ""],
)
def test_option_that_a_broker_takes_is_left_to_it(monkeypatch, url):
    monkeypatch.setenv("CELERY_BROKER_URL", url)

    assert env.broker_url("CELERY_BROKER_URL", ("rediss", "amqp"), "redis://host:6379/0") == url


def test_value_that_is_no_text_is_refused_without_repeating_it(monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "k" * 50 + "\udcff")

    with pytest.raises(SettingRefused) as refused:
        env.required("SECRET_KEY", "Set it to a long random text.")

    assert str(refused.value) == (
        "SECRET_KEY holds bytes that are not UTF-8. Type it again, in plain letters and digits."
    )


@pytest.mark.parametrize("value", ["schl\u00fcssel", "two words", "line\nbreak"])
def test_key_that_no_header_carries_is_refused_without_repeating_it(monkeypatch, value):
    monkeypatch.setenv("INSIGHTS_CHAT_KEY", value)

    with pytest.raises(SettingRefused) as refused:
        env.bearer_token("INSIGHTS_CHAT_KEY")

    assert str(refused.value) == (
        "INSIGHTS_CHAT_KEY holds a character that no header carries. Set it to the key alone: "
        "letters, digits and signs of ASCII, without blanks."
    )


NONSENSE = {
    "WEB_WORKERS": "0",
    "GRANIAN_BLOCKING_THREADS": "2",
    "HUB_THREADS": "0",
    "MCP_SESSION_SECONDS": "0",
    "IMPORT_MAX_BYTES": "0",
    "IMPORT_MAX_ROWS": "0",
    "ADMIN_LOCKOUT_HOURS": "0",
    "WEBSUB_LEASE_MIN_SECONDS": "9999999",
    "SECURITY_CONTACT": "security@example.com",
    "WELL_KNOWN_TEXTS": "security.txt=mine",
    "INSIGHTS_CHAT_KEY": "two words",
    "METRICS_TOKEN": "sixteen characters and blanks",
}


@pytest.mark.slow
def test_useless_value_is_refused(tmp_path):
    try_each = (
        "import os, sys\n"
        "from config.env import SettingRefused\n"
        f"for name, value in {NONSENSE}.items():\n"
        "    os.environ[name] = value\n"
        "    try:\n"
        "        import config.settings\n"
        "    except SettingRefused as refused:\n"
        "        print(refused)\n"
        "    del os.environ[name]\n"
        "    sys.modules.pop('config.settings', None)\n"
    )

    done = run("-c", try_each, env=environment(tmp_path, **GOOD))

    assert done.stderr == ""
    refused = done.stdout.splitlines()
    said = {sentence.split()[0]: sentence for sentence in refused}
    assert list(said) == list(NONSENSE)
    assert "Set it to at most 2592000." in said["WEBSUB_LEASE_MIN_SECONDS"]
    assert "mailto:security@example.com" in said["SECURITY_CONTACT"]


@pytest.mark.parametrize(
    ("given", "seconds"), [("", 3_600), ("60", 60), ("1.5", 2), ("0.5", 1), ("3600.0", 3_600)]
)
def test_fraction_of_a_lease_is_rounded_up(monkeypatch, given, seconds):
    monkeypatch.setenv("WEBSUB_LEASE_MIN_SECONDS", given)

    assert env.whole_seconds("WEBSUB_LEASE_MIN_SECONDS", 3_600) == seconds


@pytest.mark.slow
def test_deployment_check_has_nothing_to_say_about_production_values(tmp_path):
    env = environment(tmp_path, SECRET_KEY="abcdefgh" * 8, BASE_URL=URL)

    done = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", env=env)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.django_db  # Of a database of its own.
def test_log_of_changes_is_short_again_after_a_large_one(tmp_path):
    values = {"ENGINE": SQLITE, "NAME": tmp_path / "large.sqlite3", "OPTIONS": SQLITE_OPTIONS}
    with closing(ConnectionHandler({"default": values})["default"]) as database:
        with database.cursor() as cursor:
            cursor.execute("CREATE TABLE change (content)")
            cursor.execute("INSERT INTO change VALUES (zeroblob(80000000))")
            cursor.execute("INSERT INTO change VALUES (1)")
        length = (tmp_path / "large.sqlite3-wal").stat().st_size

    assert length <= 64 * 1024 * 1024


def test_folder_is_made_for_this_user_alone_and_left_as_it_is(tmp_path):
    made, there = tmp_path / "made", tmp_path / "there"
    there.mkdir()
    there.chmod(0o755)  # Whatever the umask is.

    assert stat.S_IMODE(env.folder("STATE_DIR", made).stat().st_mode) == 0o700
    assert stat.S_IMODE(env.folder("STATE_DIR", there).stat().st_mode) == 0o755


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("token", "holds 'token'"),
        ("a=", "holds 'a='"),
        ("a=1,a=2", "names 'a' twice"),
        ("../a=1", "holds '../a', which is no name of a file"),
        ("a/b=1", "holds 'a/b', which is no name of a file"),
        ("api-catalog=1", "names 'api-catalog', which this service writes itself"),
        ("a=\N{SNOWMAN}", "has a text for 'a' that is not 1 to 1000 signs of ASCII"),
        (f"a={'1' * 1001}", "has a text for 'a' that is not 1 to 1000 signs of ASCII"),
        (",".join(f"a{number}=1" for number in range(21)), "has 21 texts"),
    ],
)
def test_text_at_a_fixed_place_that_cannot_be_served_is_refused(monkeypatch, given, why):
    monkeypatch.setenv("WELL_KNOWN_TEXTS", given)

    with pytest.raises(SettingRefused, match=f"^WELL_KNOWN_TEXTS {re.escape(why)}"):
        env.well_known_texts("WELL_KNOWN_TEXTS")


def test_texts_at_fixed_places_may_hold_signs_of_equality(monkeypatch):
    monkeypatch.setenv("WELL_KNOWN_TEXTS", "mcp-registry-auth=v=MCPv1; k=ed25519; p=Ab+/=, other=1")

    assert env.well_known_texts("WELL_KNOWN_TEXTS") == {
        "mcp-registry-auth": "v=MCPv1; k=ed25519; p=Ab+/=",
        "other": "1",
    }


def test_well_known_places_of_the_service_are_kept_from_the_setting():
    documents = {spec.path for spec in registry}
    patterns = [*website_urls.urlpatterns, *mcp_urls.urlpatterns]
    paths = documents | {f"/{pattern.pattern}" for pattern in patterns}
    places = {path.removeprefix("/.well-known/") for path in paths if "/.well-known/" in path}
    assert places == {*env.WELL_KNOWN, "<str:name>"}


@pytest.mark.slow
def test_limits_of_bytes_may_be_above_a_gigabyte(tmp_path):
    large = str(8 * 1024**3)
    limits = {"MAX_UNSENT_BYTES": large, "IMPORT_MEMORY_LIMIT": large}
    show = "from config import settings as s; print(s.MAX_UNSENT_BYTES, s.IMPORT_MEMORY_LIMIT)"

    done = run("-c", show, env=environment(tmp_path, **GOOD, **limits))

    assert (done.stdout, done.stderr) == (f"{large} {large}\n", "")


@pytest.mark.slow
def test_relative_paths_lie_below_the_folder_of_the_project(tmp_path):
    relative = {"INBOX_DIR": "var/inbox", "STATIC_ROOT": "static", "HUB_CA_BUNDLE": "ca.pem"}
    names = ", ".join(f"s.{name}" for name in relative)
    show = f"import os; from config import settings as s; os.chdir('/'); print({names})"

    done = run("-c", show, env=environment(tmp_path, **GOOD, **relative))

    assert done.stdout == " ".join(str(ROOT / path) for path in relative.values()) + "\n"


@pytest.mark.slow
def test_analyser_that_is_no_class_is_refused(tmp_path):
    named = {"INSIGHTS_ANALYSER": "os.path"}

    done = run("manage.py", "check", env=environment(tmp_path, **GOOD, **named))

    assert (done.returncode, done.stderr) == (
        1,
        (
            "INSIGHTS_ANALYSER is 'os.path', which cannot be used (os.path is no class). "
            "Set it to the dotted path of a class, or leave it out.\n"
        ),
    )


@pytest.mark.slow
def test_proxy_without_the_name_of_its_header_is_refused(tmp_path):
    done = run("manage.py", "check", env=environment(tmp_path, **GOOD, TRUSTED_PROXY_COUNT="1"))

    assert done.returncode == 1
    assert done.stderr.startswith("FORWARDED_HEADER is not set. Set it to the header in which")
