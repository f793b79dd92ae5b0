"""Links, buttons and times on pages of the administration."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import Group, User

from imports.models import ImportBatch
from insights import services
from insights.refresh import refresh
from review_analysis.taxonomies import builtin
from tests.administration import change_url, page_html
from tests.factories import make_area, make_business, make_review, make_service, make_technician
from tests.website.pages import Document
from tests.websub.rows import make_attempt, make_verification

pytestmark = pytest.mark.django_db

AT = dt.datetime(2026, 3, 14, 18, 30, tzinfo=dt.UTC)  # 11:30 in Los Angeles.
TIME = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2}[\d.]*)?(?P<zone> [A-Z]{3,4}\b)?")


def links(page):
    found = [(link.get("href", ""), link.get("class", "")) for link in Document(page).all("a")]
    return [(href.partition("?")[0], name) for href, name in found if href.startswith("/admin/")]


@pytest.fixture
def rows():
    """Create rows of most kinds."""
    business = make_business()
    make_technician()
    make_service()
    make_area()
    make_review(text="Maren Holt came on time.", technicians=["maren-holt"])
    ImportBatch.objects.create(
        file_name="export.csv", state="applied", applied_at=AT, preview={}, rows=1
    )
    services.save_draft("home_services", builtin("home_services"), None)
    services.publish_draft("home_services", None)
    services.save_draft("home_services", builtin("home_services"), None)
    Group.objects.create(name="Front desk")
    make_attempt(at=AT)
    make_verification()
    refresh()
    return business


@pytest.mark.slow
def test_links_lead_to_pages_whose_times_have_zones(admin_client, rows):
    seen, adds = {}, set()
    waiting = ["/admin/"]
    while waiting:
        address = waiting.pop()
        if address not in seen and address != "/admin/logout/" and ".png" not in address:
            seen[address] = admin_client.get(address, follow=True)
            found = links(seen[address].content.decode())
            waiting += [link for link, _ in found]
            adds |= {link for link, classes in found if "addlink" in classes}

    assert len(seen) > 60
    for address, page in seen.items():
        assert page.status_code == 200, address
        without_zone = [match[0] for match in TIME.finditer(_text(page)) if not match["zone"]]
        assert without_zone == [], address
    assert "/admin/insights/taxonomy/add/" in adds
    for address in adds:
        content = seen[address].content.decode()
        assert not seen[address].redirect_chain, address
        has_form = content.count("<form") > 1  # Besides the button to sign out.
        assert has_form or 'href="?kind=' in content, address  # A source's kind is chosen first.


def _text(page):
    """Return the text of a page without the values in its forms."""
    content = page.content.decode()
    content = re.sub(r"(?s)<(script|style|textarea|select).*?</\1>", "", content)
    content = re.sub(r'(?s)<div class="help".*?</div>', "", content)
    return re.sub(r"<[^>]*>", " <", content)


@pytest.mark.parametrize(
    ("zone", "time"),
    [
        ("America/Los_Angeles", "14 Mar 2026, 11:30 PDT"),
        ("Europe/Berlin", "14 Mar 2026, 19:30 CET"),
        ("Asia/Dubai", "14 Mar 2026, 22:30 +04"),
        ("Mars/Olympus", "14 Mar 2026, 18:30 UTC"),
    ],
)
def test_times_are_in_zone_of_business(admin_client, zone, time):
    make_business(time_zone=zone)
    batch = ImportBatch.objects.create(file_name="a.csv", state="applied", applied_at=AT)
    ImportBatch.objects.update(created_at=AT)
    user = User.objects.create_user("viewer", last_login=AT)

    assert f"Applied on {time}" in page_html(admin_client.get(change_url(batch)))
    assert time in page_html(admin_client.get("/admin/imports/importbatch/"))
    assert time in page_html(admin_client.get(change_url(user)))
