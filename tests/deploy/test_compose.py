"""docker-compose.yml and the Dockerfile are valid for Compose and our entry points.

No container engine is needed. `compose-spec.json` is the schema of
github.com/compose-spec/compose-spec, Apache License 2.0.
"""

import json
import re

import jsonschema
import pytest
from granian.cli import cli as granian_cli

from config.celery import app
from config.management.commands.up import Command
from tests.deploy.files import ROOT, compose, instructions

SERVICES = compose()["services"]


def image_command(instruction):
    [rest] = [rest for name, rest in instructions() if name == instruction]
    return json.loads(rest[rest.index("[") :])


def test_file_is_valid_by_compose_specification():
    schema = json.loads((ROOT / "tests/deploy/compose-spec.json").read_text())

    jsonschema.validate(compose(), schema, cls=jsonschema.Draft7Validator)


@pytest.mark.parametrize("name", SERVICES)
def test_services_have_limits_and_health_checks(name):
    service = SERVICES[name]

    assert service["networks"]
    assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}
    if name == "migrate":  # Runs once and ends.
        assert service["restart"] == "no"
        return
    assert service["restart"] == "unless-stopped"
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
    assert service["healthcheck"]["test"]
    assert "stop_grace_period" in service


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "postgres"])
def test_services_cannot_gain_rights_or_change_image(name):
    service = SERVICES[name]

    # Compose refuses a read-only service with a secret from the environment.
    assert service.get("read_only", False) is ("secrets" not in service)
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service


def test_pg_dump_of_image_matches_database_version():
    [version] = re.findall(r"postgresql-client-(\d+)", (ROOT / "Dockerfile").read_text())

    assert SERVICES["postgres"]["image"].startswith(f"postgres:{version}-")


def test_web_server_accepts_its_options():
    program, *arguments = SERVICES["web"]["command"]

    context = granian_cli.make_context(program, arguments)

    assert program == "granian"
    assert context.params["app"] == "config.wsgi:application"
    assert context.params["interface"].value == "wsgi"
    assert context.params["host"] == "0.0.0.0"


def test_image_without_command_runs_installation():
    python, script, command, *arguments = image_command("CMD")

    parser = Command().create_parser(script, command)

    assert (python, script, command) == ("python", "manage.py", "up")
    assert parser.parse_args(arguments).no_demo is True


def test_queues_and_workers_match():
    served = []
    for name in ("worker", "hub"):
        command = SERVICES[name]["command"]
        served += command[command.index("-Q") + 1].split(",")

    assert sorted(served) == sorted(queue.name for queue in app.conf.task_queues)


def test_image_user_cannot_change_image():
    steps = instructions()
    names = [name for name, _ in steps]

    assert ("USER", "10001:10001") in steps
    assert names.index("USER") > names.index("COPY")
    copies = [rest for name, rest in steps if name == "COPY"]
    assert not any("--chown" in copy for copy in copies)
    assert "--require-hashes --only-binary :all:" in " ".join(rest for _, rest in steps)


@pytest.mark.parametrize(
    "directive",
    [
        "error @metrics 404",
        "compression off",  # Hop-by-hop headers to the web server, which compresses responses.
        # WSGI has one name for `X_Forwarded_For` and `X-Forwarded-For`, and the last one would win.
        "header_up -*_*\n",
        'header_up Forwarded `for="{remote_host}"`',
    ],
)
def test_proxy_protects_web_server(directive):
    assert directive in (ROOT / "deploy/Caddyfile").read_text()


def test_proxy_does_not_log_source_tokens():
    caddyfile = (ROOT / "deploy/Caddyfile").read_text()
    [rule, *others] = re.findall(r"request>uri regexp (\S+) (\S+)", caddyfile)
    pattern, replacement = rule

    for path in (
        "/api/sources/5/token",
        "/api//sources/5/token?event=new",
        "//api/sources/5/token",
    ):
        assert re.sub(pattern, replacement, path) == "/api/sources/REDACTED"
    assert re.sub(pattern, replacement, "/reviews.json?a=1") == "/reviews.json?a=1"
    # One for requests, one for errors.
    assert others == [rule]


def test_proxy_accepts_largest_import(settings):
    caddyfile = (ROOT / "deploy/Caddyfile").read_text()
    [administration, others] = re.findall(r"max_size (\d+)MB", caddyfile)

    assert int(administration) * 1_000_000 > settings.IMPORT_MAX_BYTES + 100_000
    assert int(others) == 1
