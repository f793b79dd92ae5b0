"""A process whose SQLite database is on a read-only disk."""

import json
import subprocess
import sys

import pytest

from tests.deploy.files import ROOT
from tests.processes import GOOD, environment, manage

pytestmark = pytest.mark.scale

# Root ignores file permissions, but not a read-only mount.
MOUNT = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"'
GET = """
import json, django
django.setup()
from django.test import Client

client = Client(HTTP_HOST="127.0.0.1:8000")
answers = [client.get(path) for path in ("/reviews.json", "/api/reviews/search", "/readyz")]
print(json.dumps([[answer.status_code, answer.content.decode()] for answer in answers]))
"""


def test_read_only_disk_is_explained_and_nothing_is_lost(migrated):
    env = environment(migrated, **GOOD, DJANGO_SETTINGS_MODULE="config.settings")
    manage(("tools.demo_reviews", "--reviews", "20"), ("publish_documents",), env=env)
    unshared = ["unshare", "-m", "sh", "-c", MOUNT, "sh", str(migrated)]
    try:
        subprocess.run([*unshared, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("This user may not mount; run it as root")

    done = subprocess.run(
        [*unshared, sys.executable, "-c", GET],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )

    answers = json.loads(done.stdout.splitlines()[-1])
    assert [status for status, _ in answers] == [503, 503, 503]
    assert "The disk of the database cannot be read or written" in answers[2][1]
    assert "Traceback" not in done.stderr
    manage(("publish_documents",), env=env)  # The disk is writable again.
