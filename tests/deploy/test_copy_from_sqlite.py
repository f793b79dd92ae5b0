"""Copy an upgraded SQLite installation to PostgreSQL with one command."""

import gzip
import os

import psycopg
import pytest

from tests.deploy.test_released_state import DATABASE, SECRET_KEY
from tests.processes import environment, run

pytestmark = pytest.mark.slow

SERVER = "postgres://postgres@127.0.0.1:5432"
SUMMARY = """
import django
django.setup()
from django.contrib.auth import get_user_model
from django.test import Client
from reviews.models import Review
from websub.models import Subscription
from websub.secrets import decrypt

replied = Review.objects.get(pk=1)
assert Review.objects.count() == 12 and replied.has_reply
assert decrypt(Subscription.objects.get().encrypted_secret) == "shared-secret"
assert get_user_model().objects.get(username="anna").check_password("anna-released-1")
client = Client(headers={"host": "reviews.example.com"})
found = client.get("/api/reviews/search", {"query": replied.text, "limit": 1}).json()
assert [each["id"] for each in found["reviews"]] == [replied.ulid]
"""


@pytest.fixture
def postgres():
    """Yield the URL of an empty database."""
    name = f"reviews_copy_{os.getpid()}"
    try:
        server = psycopg.connect(f"{SERVER}/postgres", autocommit=True, connect_timeout=2)
    except psycopg.OperationalError:
        pytest.skip("No PostgreSQL server runs at 127.0.0.1:5432.")
    with server:
        server.execute(f"CREATE DATABASE {name}")
        yield f"{SERVER}/{name}"
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def values(tmp_path):
    tmp_path.chmod(0o700)
    (tmp_path / "reviews.sqlite3").write_bytes(gzip.decompress(DATABASE.read_bytes()))
    return environment(tmp_path, SECRET_KEY=SECRET_KEY, BASE_URL="http://reviews.example.com")


def test_everything_is_copied_once(postgres, values):
    values |= {"DATABASE_URL": postgres, "DJANGO_SETTINGS_MODULE": "config.settings"}

    done = run("manage.py", "copy_from_sqlite", env=values)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Copied 12 reviews, and all that belongs to them.\n"
    summary = run("-c", SUMMARY, env=values)
    assert (summary.returncode, summary.stderr) == (0, "")
    again = run("manage.py", "copy_from_sqlite", env=values)
    assert again.returncode == 1
    assert "holds 12 reviews already" in again.stderr


def test_target_database_is_required(values):
    done = run("manage.py", "copy_from_sqlite", env=values)

    assert done.returncode == 1
    assert "Set DATABASE_URL to the PostgreSQL database" in done.stderr
