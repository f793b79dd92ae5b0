"""Rows for the tests of backups."""

import datetime as dt
import re
import shutil
import subprocess

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.utils import timezone

from imports.models import ImportBatch
from insights.refresh import refresh
from publishing import publisher
from tests.factories import make_business, make_review, make_service, make_technician
from tests.websub.rows import make_attempt, make_subscription, make_verification


@pytest.fixture
def pg_dump(db):
    """Skip without a `pg_dump`, or with one older than the database server."""
    if connection.vendor == "postgresql":
        program = shutil.which("pg_dump") or pytest.skip("pg_dump is not installed.")
        said = subprocess.check_output([program, "--version"], text=True)
        if int(re.search(r"\d+", said)[0]) < connection.pg_version // 10_000:
            pytest.skip("pg_dump is older than the database server.")


@pytest.fixture
def all_rows():
    """Create and publish rows of every kind, with a claimed subscription."""
    make_business()
    make_technician("Maren Holt", aliases=["Mar"])
    make_service("Leak detection")
    batch = ImportBatch.objects.create(
        file_name="ätna.csv", sha256="0" * 64, preview={"big": 10**30}
    )
    make_review(text="Maren fixed it: 5★ \u2028 «so quick»", technicians=["maren-holt"])
    make_review(text="", rating=1, created_by_batch=batch, reply_text="Sorry.")
    user = get_user_model().objects.create_superuser("root", "root@example.com", "long enough")
    user.groups.add(Group.objects.create(name="editors"))
    user.user_permissions.add(Permission.objects.get(codename="change_review"))
    hour = dt.timedelta(hours=1)
    subscription = make_subscription(
        secret="open sesame",
        acknowledged_version=1,
        claimed_until=timezone.now() + hour,
        claim_token="held",
    )
    make_verification(claimed_until=timezone.now() + hour, claim_token="held")
    make_attempt(subscription=subscription)
    refresh()
    publisher.publish_due()
