"""The screenshots of docs/images match the pages."""

import datetime as dt
import os

import pytest
import time_machine
from django.contrib.auth.models import Group

from tools import screenshots

STALE = f"Run `{screenshots.COMMAND}`, look at the pictures, and commit docs/images."


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_screenshots_match_pages():
    for name in ("Editor", "Viewer"):  # Another test of the process may have emptied the tables.
        Group.objects.get_or_create(name=name)
    with time_machine.travel(screenshots.NOW, tick=False):
        assert screenshots.stale(screenshots.load_demo()) == [], STALE


def test_pages_have_screenshots():
    names = [*screenshots.PUBLIC, *screenshots.ADMINISTRATION]
    missing = [name for name in names if not (screenshots.IMAGES / f"{name}-all.webp").exists()]

    assert missing == [], STALE
    assert sum(each.stat().st_size for each in screenshots.IMAGES.iterdir()) < 3_500_000


@pytest.mark.skipif("CI" not in os.environ, reason="a copy of the code may be old")
def test_screenshots_are_current():
    assert not screenshots.is_old(dt.datetime.now(dt.UTC).date()), STALE
