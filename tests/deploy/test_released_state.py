"""Upgrade an installation of the last released state with its data."""

import gzip
import json
from pathlib import Path

import pytest

from tests.processes import environment, run

pytestmark = pytest.mark.slow

# Twelve reviews of the demo (one hidden, one with a reply), an Apify source and a subscription.
DATABASE = Path(__file__).parent / "released" / "reviews.sqlite3.gz"
SECRET_KEY = "released-state-of-a-test-0123456789abcdefghijklmnop"

UPGRADE = """
import json, sys
import django
django.setup()
from django.core.management import call_command
from django.test import Client

call_command("migrate", verbosity=0)
call_command("publish_documents", verbosity=0)

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from reviews.models import Review
from sources.models import SourceConnection
from websub.models import Subscription
from websub.secrets import decrypt

client = Client(headers={"host": "reviews.example.com", "X-Forwarded-Proto": "https"})
source = SourceConnection.objects.get()
replied = Review.objects.get(pk=1)
search = {"query": replied.text, "limit": 1}
result = client.get("/api/reviews/search", search, secure=True).json()
print(json.dumps({
    "reviews": Review.objects.count(),
    "published": len(client.get("/reviews.json", secure=True).json()["reviews"]),
    "reply": [replied.has_reply, str(replied.reply_date)],
    "found": [each["id"] for each in result["reviews"]] == [replied.ulid],
    "source": [source.kind, source.settings["recipe"], source.secrets["key"]],
    "subscription": decrypt(Subscription.objects.get().encrypted_secret),
    "upload": sorted(
        Permission.objects.get(content_type__app_label="imports", codename="add_importbatch")
        .group_set.values_list("name", flat=True)
    ),
    "user": get_user_model().objects.get(username="anna").check_password("anna-released-1"),
}))
"""


# As described in docs/upgrade.md.
GO_BACK = """
import django
django.setup()
from django.core.management import call_command

call_command("migrate", verbosity=0)
for app, state in (
    ("websub", "0004_forget_request_fields"),
    ("sources", "0005_set_aside"),
    ("imports", "zero"),
    ("sign_in", "zero"),
):
    call_command("migrate", app, state, verbosity=0)

from django.contrib.auth.models import Permission

uploading = Permission.objects.get(codename="add_importbatch")
assert uploading.content_type.app_label == "reviews"
assert uploading.group_set.get().name == "Editor"
"""


@pytest.mark.parametrize(
    "steps", [[UPGRADE], [GO_BACK, UPGRADE]], ids=["upgraded", "back and upgraded"]
)
def test_released_state_is_upgraded_with_data(tmp_path, steps):
    tmp_path.chmod(0o700)
    (tmp_path / "reviews.sqlite3").write_bytes(gzip.decompress(DATABASE.read_bytes()))
    env = environment(tmp_path, SECRET_KEY=SECRET_KEY, BASE_URL="https://reviews.example.com")

    for step in steps:
        done = run("-c", step, env=env | {"DJANGO_SETTINGS_MODULE": "config.settings"})
        assert done.returncode == 0, done.stderr

    assert json.loads(done.stdout.splitlines()[-1]) == {
        "reviews": 12,
        "published": 11,
        "reply": [True, "2026-03-14"],
        "found": True,
        "source": ["api", "apify", "apify_api_released"],
        "subscription": "shared-secret",
        "upload": ["Editor"],
        "user": True,
    }
