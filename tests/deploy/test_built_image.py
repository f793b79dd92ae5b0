"""Build the real Dockerfile without a registry, and start the image.

The base consists of Debian packages: the same system and Python at another path. The image is
process 1 of a bubblewrap container: user 10001, a read-only root and a volume.
"""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from contextlib import closing, contextmanager

import pytest

from tests.deploy.files import ROOT
from tests.waiting import wait_until

TOOLS = ("buildah", "mmdebstrap", "bwrap")
pytestmark = [
    pytest.mark.standalone,
    pytest.mark.skipif(
        os.geteuid() != 0 or not all(map(shutil.which, TOOLS)), reason="buildah is not installed."
    ),
]

BASE, IMAGE = "localhost/reviews-base", "localhost/reviews-trial"
MOST_BYTES, MOST_BYTES_OVER_BASE = 250_000_000, 135_000_000
# Possible paths of pip's settings and of this machine's certificates.
OF_THIS_MACHINE = ("/etc/xdg/pip", "/etc/pip.conf", "/etc/ssl/certs", "/opt/pypi", "/opt/pypi-more")
ENVIRONMENT = {"STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}


def buildah(*arguments, given=None):
    command = ["buildah", *map(str, arguments)]
    return subprocess.run(
        command,
        env=os.environ | ENVIRONMENT,
        input=given,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


@contextmanager
def mounted(image):
    container = buildah("from", "--pull-never", image)
    try:
        yield buildah("mount", container)
    finally:
        buildah("rm", container)


def make_base(folder):
    archive = folder / "base.tar"
    command = ["mmdebstrap", "--variant=minbase"]
    command += ["--include=python3,python3-venv,python3-pip,ca-certificates,tzdata,netbase"]
    for kept_out in ("doc", "locale", "man"):
        command += [f"--dpkgopt=path-exclude=/usr/share/{kept_out}/*"]
    # As in the official image: `python` without compiled copies of the standard library.
    command += ['--customize-hook=ln -s ../../bin/python3 "$1/usr/local/bin/python"']
    command += ['--customize-hook=find "$1/usr/lib" -name "*.pyc" -delete']
    subprocess.run([*command, "trixie", str(archive)], check=True, capture_output=True)
    container = buildah("from", "scratch")
    buildah("add", container, archive)
    buildah("commit", "--rm", container, BASE)


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """Return the root folder of the built image."""
    folder = tmp_path_factory.mktemp("image")
    make_base(folder)
    text = re.sub(r"FROM python:\S+", f"FROM {BASE}", (ROOT / "Dockerfile").read_text())
    (folder / "Dockerfile").write_text(text)
    volumes = [f"-v{path}:{path}:ro" for path in OF_THIS_MACHINE if os.path.exists(path)]  # noqa: PTH110
    buildah(
        *("bud", "--pull-never", "--network", "host", "-t", IMAGE, *volumes),
        *("-f", folder / "Dockerfile", ROOT),
    )
    with mounted(IMAGE) as root:
        yield root


@contextmanager
def running(root, state, port):
    """Run process 1 of the image. Its output goes to a file beside the volume."""
    described = json.loads(buildah("inspect", "--type", "image", IMAGE))
    values = [line.partition("=") for line in described["OCIv1"]["config"]["Env"]]
    settings = [part for name, _, value in values for part in ("--setenv", name, value)]
    command = ["bwrap", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    command += ["--ro-bind", root, "/", "--bind", str(state), "/var/lib/reviews"]
    command += [
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--perms",
        "1777",
        "--tmpfs",
        "/tmp",
        "--unshare-pid",
    ]
    command += ["--as-pid-1", "--clearenv", *settings, "--chdir", "/app", "--"]
    command += ["setpriv", "--reuid=10001", "--regid=10001", "--clear-groups"]
    command += ["python", "manage.py", "up", "--no-demo", "--port", str(port)]
    with (state.parent / "output").open("a") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def is_ready(port):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False


def size(root):
    command = ["du", "--summarize", "--bytes", "--one-file-system", root]
    return int(subprocess.check_output(command, text=True).split()[0])


def test_image_is_small(image):
    with mounted(BASE) as base:
        over = size(image) - size(base)

    assert size(image) <= MOST_BYTES
    assert over <= MOST_BYTES_OVER_BASE


def test_image_runs_installation_and_stops_cleanly(image, tmp_path):
    state = tmp_path / "volume"
    state.mkdir(mode=0o700)
    os.chown(state, 10001, 10001)
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o711)  # Accessible to user 10001.
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with running(image, state, port) as process:
        wait_until(lambda: is_ready(port))
        [supervisor] = (
            (ROOT / f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        )
        os.kill(int(supervisor), signal.SIGTERM)
        began = time.monotonic()
        assert process.wait(timeout=20) == 0
        assert time.monotonic() - began < 10

    said = (tmp_path / "output").read_text()
    assert said.count("Made the administrator 'admin' with the password ") == 1
    assert "BASE_URL is not set: published links start with http://localhost:" in said
    assert (state / "local.env").stat().st_mode & 0o777 == 0o600
    assert (state / "local.env").stat().st_uid == 10001
