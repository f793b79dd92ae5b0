"""The inbox in a real browser: both color schemes, desktop and phone, and its script."""

import pytest

from reviews.models import Review
from tests.config.test_layout import (  # noqa: F401
    BEYOND,
    PHONE,
    SCREEN,
    accessible_pages,
    site,
)
from tests.factories import make_review

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SHOWN = "[...document.querySelectorAll('{}')].some(each => each.getClientRects().length)"


def test_inbox_is_accessible_and_fits(site, chromium):  # noqa: F811
    make_review(source="yelp", reply_text="Thank you!", hidden=True)
    review = Review.objects.newest_first().last()
    for address in ("inbox/all/", f"inbox/all/{review.ulid}/", "inbox/withheld/"):
        for _ in accessible_pages(chromium, f"{site}/admin/{address}", SCREEN, PHONE):
            chromium.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
            assert chromium.ask(BEYOND) <= 0, address


def test_phone_shows_list_or_review(site, chromium):  # noqa: F811
    review = Review.objects.newest_first()[1]
    chromium.open(f"{site}/admin/inbox/all/", PHONE)
    assert chromium.ask(SHOWN.format(".inbox-list li"))
    assert not chromium.ask(SHOWN.format(".inbox-review"))

    chromium.open(f"{site}/admin/inbox/all/{review.ulid}/", PHONE)
    assert not chromium.ask(SHOWN.format(".inbox-list li"))
    assert chromium.ask(SHOWN.format(".inbox-review"))
    back = chromium.ask("document.querySelector('.inbox-back').getAttribute('href')")
    assert back == "/admin/inbox/all/?page=1"

    chromium.open(f"{site}/admin/inbox/all/{review.ulid}/", SCREEN)
    assert chromium.ask(SHOWN.format(".inbox-list li"))
    assert chromium.ask(SHOWN.format(".inbox-review"))
    assert not chromium.ask(SHOWN.format(".inbox-back"))
