"""The pages for visitors in a real browser, on desktop and phone."""

import datetime as dt

import pytest

from insights.refresh import refresh
from publishing.publisher import publish_due
from reviews.services import set_logo
from tests.accessibility import axe_violations
from tests.factories import make_complete_business, make_review, make_service, make_technician
from tests.website.images import picture

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

BEYOND = "document.documentElement.scrollWidth - innerWidth"
COLLECT = """window.refusals = [];
addEventListener('securitypolicyviolation', event => refusals.push(event.violatedDirective));"""
OUTSIDE = "performance.getEntriesByType('resource').filter(e => !e.name.startsWith(origin)).length"


@pytest.fixture(scope="module")
def chromium(chromium):
    chromium.send("Page.addScriptToEvaluateOnNewDocument", source=COLLECT)
    return chromium


@pytest.fixture
def pages(live_server):
    """Return URLs of every kind of page, with all optional content."""
    business = make_complete_business(
        description="Sanitär und Heizung.",
        language="de",
        logo_url="https://elsewhere.example/logo.png",
        attribution="An attribution.",
    )
    set_logo(business, picture())
    make_technician()
    make_service()
    for number in range(12):
        make_review(
            author=f"Author with a long name {number}",
            author_avatar_url="https://elsewhere.example/face.png",
            date=dt.date(2026, 1 + number, 9),
            rating=1 if number % 2 else 5,
            text="Far too expensive." if number % 2 else "They arrived on time. Very polite.",
            technicians=["maren-holt"],
            services=["leak-detection"],
            reply_text="Thank you!" if number == 3 else "",
        )
    review = make_review(
        text="Sehr gut.", text_language="de", translated_text="Very good.", alteration="edited"
    )
    make_review(hidden=True)
    refresh()
    publish_due()
    paths = [
        "/",
        "/reviews",
        "/reviews?rating=5&mentions_service=leak-detection&sort=lowest",
        "/reviews?rating=9",
        f"/reviews/{review.ulid}",
        "/insights",
        "/insights/aspects/punctuality/positive",
        "/developers",
        "/developers/mcp",
        "/status",
        "/nothing",
    ]
    return [f"{live_server.url}{path}" for path in paths]


@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 320), ("dark", 390)]
)
def test_pages_are_accessible_fit_window_and_load_nothing_external(pages, chromium, scheme, width):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    chromium.send("Emulation.setEmulatedMedia", features=features)

    for page in pages:
        chromium.open(page, width)
        assert chromium.ask(BEYOND) <= 0, page
        assert chromium.ask("refusals.join()") == "", page
        assert chromium.ask(OUTSIDE) == 0, page
        assert axe_violations(chromium) == [], page


def test_pages_work_without_script_and_print_without_menus(pages, chromium):
    chromium.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        chromium.open(pages[1], 1280)
    finally:
        chromium.send("Emulation.setScriptExecutionDisabled", value=False)
    shown = "[...document.querySelectorAll('form, nav')].filter(e => e.getClientRects().length)"
    reviews = "[...document.querySelectorAll('.review')].filter(e => e.getClientRects().length)"
    assert chromium.ask(f"{shown}.length") > 1
    assert chromium.ask(f"{reviews}.length") == 13

    chromium.send("Emulation.setEmulatedMedia", media="print")
    try:
        assert chromium.ask(f"{shown}.length") == 0
        assert chromium.ask(f"{reviews}.length") == 13
    finally:
        chromium.send("Emulation.setEmulatedMedia", media="")


FIRST_SCREEN = """['.score', '[itemprop=reviewCount]', 'a[href$="#leave-a-review"]',
    '.review .stars'].map(each => document.querySelector(each).getBoundingClientRect().bottom)"""


@pytest.mark.parametrize("number", [0, 1])
def test_rating_count_and_first_review_are_on_first_screen_of_phone(pages, chromium, number):
    chromium.open(pages[number], 360)

    assert max(chromium.ask(FIRST_SCREEN)) < 740
