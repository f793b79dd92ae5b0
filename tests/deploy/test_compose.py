"""docker-compose.yml and the Dockerfile say what the Compose specification and our own entry points
understand. No container engine is needed.

`compose-spec.json` is the schema of github.com/compose-spec/compose-spec, Apache License 2.0.
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


def test_file_is_what_the_compose_specification_describes():
    schema = json.loads((ROOT / "tests/deploy/compose-spec.json").read_text())

    jsonschema.validate(compose(), schema, cls=jsonschema.Draft7Validator)


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_is_bounded_and_watched(name):
    service = SERVICES[name]

    assert service["networks"]
    assert service["logging"]["options"] == {"max-size": "10m", "max-file": "5"}
    if name == "migrate":  # It runs once and ends.
        assert service["restart"] == "no"
        return
    assert service["restart"] == "unless-stopped"
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
    assert service["healthcheck"]["test"]
    assert "stop_grace_period" in service


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "postgres"])
def test_no_service_may_gain_rights_or_change_its_image(name):
    service = SERVICES[name]

    # Compose refuses a service that is read-only and has a secret from the environment.
    assert service.get("read_only", False) is ("secrets" not in service)
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service


def test_image_dumps_databases_of_the_version_that_runs_beside_it():
    [version] = re.findall(r"postgresql-client-(\d+)", (ROOT / "Dockerfile").read_text())

    assert SERVICES["postgres"]["image"].startswith(f"postgres:{version}-")


def test_web_server_understands_how_it_is_started():
    program, *arguments = SERVICES["web"]["command"]

    context = granian_cli.make_context(program, arguments)

    assert program == "granian"
    assert context.params["app"] == "config.wsgi:application"
    assert context.params["interface"].value == "wsgi"
    assert context.params["host"] == "0.0.0.0"


def test_image_runs_a_whole_installation_without_a_command():
    python, script, command, *arguments = image_command("CMD")

    parser = Command().create_parser(script, command)

    assert (python, script, command) == ("python", "manage.py", "up")
    assert parser.parse_args(arguments).no_demo is True


def test_every_queue_has_a_worker_and_every_worker_a_queue():
    served = []
    for name in ("worker", "hub"):
        command = SERVICES[name]["command"]
        served += command[command.index("-Q") + 1].split(",")

    assert sorted(served) == sorted(queue.name for queue in app.conf.task_queues)


def test_image_runs_as_somebody_who_may_not_change_it():
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
        "compression off",  # Of the connection to the web server, whose answers are packed.
        # WSGI has one name for `X_Forwarded_For` and `X-Forwarded-For`, and the last one would win.
        "header_up -*_*\n",
        'header_up Forwarded `for="{remote_host}"`',
    ],
)
def test_proxy_guards_the_web_server(directive):
    assert directive in (ROOT / "deploy/Caddyfile").read_text()


def test_proxy_logs_no_token_of_a_source():
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
    # One for requests, one for faults.
    assert others == [rule]


def test_proxy_lets_the_largest_import_through(settings):
    caddyfile = (ROOT / "deploy/Caddyfile").read_text()
    [administration, others] = re.findall(r"max_size (\d+)MB", caddyfile)

    assert int(administration) * 1_000_000 > settings.IMPORT_MAX_BYTES + 100_000
    assert int(others) == 1
