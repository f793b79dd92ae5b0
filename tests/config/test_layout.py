"""Page layout at 1280 and 390 pixels in a real browser."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.test import Client

from imports import services
from imports.models import ImportOptions
from insights.refresh import refresh
from publishing.publisher import publish_due
from sources.models import SourceConnection
from tests.accessibility import axe_violations
from tests.factories import make_business, make_review, make_technician
from tests.websub.rows import make_attempt

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SCREEN, PHONE = 1280, 390
BEYOND = "document.documentElement.scrollWidth - innerWidth"
# Each chart exists twice, once for phones.
DRAWN = "[...document.querySelectorAll('svg.plot')].filter(each => each.getClientRects().length)"
CUT_DRAWINGS = f"""{DRAWN}.filter(drawing => {{
    const frame = drawing.getBoundingClientRect(), around = drawing.parentElement;
    const words = [...drawing.querySelectorAll('text')].map(each => each.getBoundingClientRect());
    return frame.width > around.clientWidth + 1 || around.scrollWidth > around.clientWidth + 1
        || words.some(each => each.left < frame.left - 1 || each.right > frame.right + 1);
}}).length"""
SMALLEST_WORDS = f"""Math.min(...{DRAWN}.flatMap(each => [...each.querySelectorAll('text')]).map(
    each => each.getBoundingClientRect().height))"""


@pytest.fixture
def site(live_server, chromium, settings):
    """Start a server with rows and sign the browser in."""
    settings.SESSION_COOKIE_NAME = "sessionid"  # `__Host-` requires HTTPS.
    make_business()
    make_technician()
    for number in range(30):
        make_review(
            author=f"Author with a long name {number}",
            date=dt.date(2022 + number % 5, 1 + number % 12, 9),
            rating=1 + number % 5,
            text="Maren Holt came on time, the price was fair and the work was done well.",
            technicians=["maren-holt"],
        )
    make_attempt()
    SourceConnection.objects.create(name="Inbox", kind="folder", interval_seconds=5)
    refresh()
    publish_due()
    User.objects.create_superuser("owner", password="correct horse")
    client = Client()
    client.post("/admin/login/?next=/admin/", {"username": "owner", "password": "correct horse"})
    chromium.send(
        "Network.setCookie",
        name="sessionid",
        value=client.cookies["sessionid"].value,
        url=live_server.url,
    )
    return live_server.url


@pytest.mark.parametrize(("width", "smallest"), [(SCREEN, 10), (PHONE, 10), (320, 8)])
def test_charts_are_complete_and_readable(site, chromium, width, smallest):
    chromium.open(f"{site}/insights", width)

    assert chromium.ask(f"{DRAWN}.length") == 2
    assert chromium.ask(CUT_DRAWINGS) == 0
    assert chromium.ask(SMALLEST_WORDS) >= smallest


@pytest.mark.parametrize("width", [SCREEN, PHONE])
def test_sign_in_pages_fit_window(site, chromium, width):
    own = "admin/account/second-step/"
    pages = [own, f"{own}totp/activate/", f"{own}webauthn/add/", "admin/account/sessions/"]
    for page in pages:
        chromium.open(f"{site}/{page}", width)
        assert chromium.ask(BEYOND) <= 0, page


def accessible_pages(chromium, address, *widths):
    """Check the page with axe in both color schemes at each width."""
    try:
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            chromium.send("Emulation.setEmulatedMedia", features=features)
            for width in widths:
                chromium.open(address, width)
                yield
                assert axe_violations(chromium) == []
    finally:
        chromium.send("Emulation.setEmulatedMedia", features=[])


def test_sign_in_page_is_accessible(site, chromium):
    chromium.send("Network.clearBrowserCookies")
    for _ in accessible_pages(chromium, f"{site}/admin/login/", SCREEN, PHONE):
        assert chromium.ask("document.querySelectorAll('h1').length") == 1


def test_import_confirmation_is_accessible_and_fits_phone(site, chromium):
    rows = "".join(
        f"{number},{('Ours', 'Rival')[number % 2]},0{number}/01/2026,Client {number},{number},"
        f"They came on time and it was fair,{('checked', '', 'later')[number % 3]},"
        f"https://example.com/{'long' * 30}/{number}.jpg\n"
        for number in range(1, 9)
    )
    table = f"Ref No,Business,When posted,Client,Points,What did you say?,Approved,Photo\n{rows}"
    batch = services.upload(
        table.encode(), file_name="new.csv", options=ImportOptions(), by=User.objects.get()
    )
    services.preview(batch)
    address = f"{site}/admin/imports/importbatch/{batch.pk}/change/"
    for _ in accessible_pages(chromium, address, SCREEN, 360):
        assert "What do the columns mean?" in chromium.ask("document.title")
        assert chromium.ask(BEYOND) <= 0
    unfolded = "document.querySelectorAll('details').forEach(each => each.open = true)"
    chromium.ask(f"{unfolded}, null")
    assert chromium.ask(BEYOND) <= 0
    # The Tab key reaches the button that confirms.
    reached = []
    for _ in range(200):
        for kind in ("keyDown", "keyUp"):
            chromium.send(
                "Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9
            )
        reached.append(chromium.ask("document.activeElement.value"))
        if reached[-1] == "Confirm, and show what would be imported":
            break
    assert "yes" in reached
    assert reached[-1] == "Confirm, and show what would be imported"
