"""Files for systemd, Debian, Kubernetes and platforms are valid for their tools."""

import json
import re
import shutil
import subprocess
import tomllib

import jsonschema
import pytest
import yaml
from granian.cli import cli as granian_cli

from config.celery import app
from config.http_probe import __file__ as probe
from reviews import VERSION
from tests.deploy.files import ROOT, explained_settings
from tools.benchmarks.measuring import find

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
SETTINGS = {"PORT", "STATE_DIR", *explained_settings()}
MANIFESTS = [
    document
    for file in sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    for document in yaml.safe_load_all(file.read_text())
]
PODS = {
    each["metadata"]["name"]: each["spec"]["template"]["spec"]
    for each in MANIFESTS
    if each["kind"] in {"Deployment", "Job"}
}


def command_of(unit):
    [command] = re.findall(r"(?m)^ExecStart=/usr/lib/reviews/\.venv/bin/(.*)$", unit.read_text())
    return command.split()


@pytest.mark.slow
@pytest.mark.skipif(not find("systemd-analyze"), reason="systemd is not installed.")
def test_units_are_valid_for_systemd(tmp_path):
    files = []
    for unit in UNITS:  # systemd checks the paths of programs, which differ here.
        text = re.sub(r"/usr/lib/reviews/\.venv/bin/\w+", "/bin/true", unit.read_text())
        files.append(tmp_path / unit.name)
        files[-1].write_text(text)

    command = ["systemd-analyze", "verify", "--man=no", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        command_of(DEPLOY / "systemd/reviews-web.service"),
        PODS["web"]["containers"][0]["command"],
    ],
    ids=["systemd", "Kubernetes"],
)
def test_web_server_accepts_its_options(command):
    program, *arguments = command

    context = granian_cli.make_context(program, list(arguments))

    assert context.params["app"] == "config.wsgi:application"
    assert context.params["backpressure"] == 512


def test_queues_are_served_in_cluster():
    served = []
    for name in ("worker", "hub"):
        command = PODS[name]["containers"][0]["command"]
        served += command[command.index("-Q") + 1].split(",")

    assert sorted(served) == sorted(queue.name for queue in app.conf.task_queues)


@pytest.mark.parametrize("name", PODS)
def test_pods_have_limits_and_no_rights(name):
    pod, [container] = PODS[name], PODS[name]["containers"]

    assert pod["securityContext"]["runAsUser"] == 10001
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["limits"]["memory"]
    assert "livenessProbe" in container or name == "migrate"


@pytest.mark.slow
@pytest.mark.skipif(not find("kubectl"), reason="kubectl is not installed.")
def test_manifests_use_existing_settings():
    command = ["kubectl", "kustomize", str(DEPLOY / "kubernetes")]
    built = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    documents = list(yaml.safe_load_all(built))

    data = {each["kind"]: each for each in documents}
    names = {*data["ConfigMap"]["data"], *data["Secret"]["data"]}
    assert names <= SETTINGS
    pods = [each for each in documents if each["kind"] in {"Deployment", "Job"}]
    images = {pod["spec"]["template"]["spec"]["containers"][0]["image"] for pod in pods}
    assert images == {"ghcr.io/OWNER/reviews:1.0.0"}
    if validator := shutil.which("kubernetes-validate"):
        subprocess.run([validator, "--strict", "-"], input=built, text=True, check=True)


def test_platforms_use_existing_settings():
    fly = tomllib.loads((DEPLOY / "platforms/fly.toml").read_text())
    [render] = yaml.safe_load((DEPLOY / "platforms/render.yaml").read_text())["services"]

    assert {*fly["env"], *(each["key"] for each in render["envVars"])} <= SETTINGS


def test_coolify_file_is_valid_by_compose_specification():
    schema = json.loads((ROOT / "tests/deploy/compose-spec.json").read_text())
    coolify = yaml.safe_load((DEPLOY / "platforms/coolify.yaml").read_text())

    jsonschema.validate(coolify, schema, cls=jsonschema.Draft7Validator)
    service = coolify["services"]["reviews"]
    names = {line.partition("=")[0] for line in service["environment"]}
    assert {name for name in names if not name.startswith("SERVICE_")} <= SETTINGS
    assert (ROOT / service["healthcheck"]["test"][3]).samefile(probe)


@pytest.mark.slow
@pytest.mark.skipif(not find("caddy"), reason="caddy is not installed.")
def test_caddyfile_is_valid(monkeypatch, tmp_path):
    monkeypatch.setenv("SITE_DOMAIN", "reviews.example.com")
    caddy = str(find("caddy"))
    text = (DEPLOY / "Caddyfile").read_text()
    if subprocess.check_output([caddy, "version"], text=True).startswith(("2.6", "v2.6")):
        pytest.skip("Debian's caddy is older than the directives; the image is newer.")
    (tmp_path / "Caddyfile").write_text(text)

    command = [caddy, "validate", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not find("dpkg-parsechangelog"), reason="dpkg-dev is not installed.")
def test_debian_package_has_service_version():
    command = ["dpkg-parsechangelog", "-l", DEPLOY / "debian/changelog", "-S", "Version"]

    assert subprocess.check_output(command, text=True).strip() == VERSION
