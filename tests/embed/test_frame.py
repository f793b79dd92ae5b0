"""The page /embed in frames of other sites, in a real browser."""

import pytest

from embed.oembed import iframe
from embed.options import LAYOUTS, Options
from tests.accessibility import axe_violations
from tests.embed.hosts import strict_policy
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

LISTEN = """
    self.heard = [];
    addEventListener("message", (event) => heard.push({ ...event.data, origin: event.origin }));
"""


@pytest.fixture(autouse=True)
def listening(chromium):
    added = chromium.send("Page.addScriptToEvaluateOnNewDocument", source=LISTEN)
    yield
    chromium.send("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def heard(chromium):
    return chromium.ask("heard")


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_page_itself_is_accessible_and_fits(service, chromium, layout, width):
    chromium.open(f"{service}/embed?layout={layout}&accent=0b6b57", width)

    assert chromium.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    assert chromium.ask("getComputedStyle(document.querySelector('.cr-on')).fill") == (
        "rgb(11, 107, 87)"
    )
    assert axe_violations(chromium) == []


def test_frame_posts_its_height_to_parent(service, website, chromium):
    website.policy = strict_policy(service)
    address = website.show(iframe(Options(max=3), "Reviews", 900))

    chromium.open(address, 600)

    wait_until(lambda: heard(chromium))
    message = heard(chromium)[-1]
    assert (message["type"], message["origin"]) == ("customer-reviews", service)
    given = chromium.ask("document.querySelector('iframe').clientHeight")
    assert 0 < message["height"] <= given


def test_frame_posts_wordpress_messages(service, website, chromium):
    """WordPress gives the frame a secret and a sandbox, and expects messages with the secret."""
    website.show(
        f'<iframe sandbox="allow-scripts" src="{service}/embed?max=1#?secret=Ab12" title="x">'
        "</iframe>"
    )
    chromium.open(website.origin, 900)

    wait_until(lambda: heard(chromium))
    message = heard(chromium)[-1]
    assert (message["message"], message["secret"]) == ("height", "Ab12")
    assert message["value"] > 50


def test_setting_blocks_framing_by_other_sites(service, website, chromium, settings):
    settings.EMBED_FRAME_ANCESTORS = ["'self'", "https://www.example.com"]
    website.show(iframe(Options(), "Reviews", 900))

    chromium.open(website.origin, 900)
    chromium.ask("new Promise(done => setTimeout(done, 300))")

    assert heard(chromium) == []
