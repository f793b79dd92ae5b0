"""The element <customer-reviews> on pages of other sites, in a real browser."""

import datetime as dt

import pytest
import requests

from embed.heights import estimate_height
from embed.options import Options
from embed.responses import current_content
from embed.widget import widget
from tests.accessibility import axe_violations
from tests.embed.conftest import HOSTILE
from tests.embed.hosts import (
    PLAIN,
    SHOPIFY_LIKE,
    SQUARESPACE_LIKE,
    WEBFLOW_LIKE,
    WORDPRESS_LIKE,
    strict_policy,
)
from tests.factories import make_review
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE, SCREEN = 320, 1280
SHADOW = "document.querySelector('customer-reviews').shadowRoot"
IS_SHOWN = f"!!{SHADOW}?.querySelector('.cr') && !{SHADOW}.querySelector('[aria-busy]')"
TEXT = f"{SHADOW}.querySelector('.cr').innerText"
# Returns the largest layout shift and a report of the moved elements.
WATCH_SHIFTS = """
    self.shifted = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifted.push(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
    self.refused = [];
    document.addEventListener("securitypolicyviolation", (event) =>
        refused.push(`${event.violatedDirective} ${event.blockedURI}`));
"""
IS_CUT = f"""(() => {{
    const cut = [];
    for (const each of {SHADOW}.querySelectorAll('.cr, .cr-top, .cr-note, .cr-foot')) {{
        const box = each.getBoundingClientRect();
        if (box.right > innerWidth + 1 || each.scrollWidth > each.clientWidth + 1)
            cut.push(each.className);
    }}
    return cut.concat(document.documentElement.scrollWidth > innerWidth ? ['page'] : []);
}})()"""

MAX_UNUSED = 200  # Less than one card.
# Unused reserved height in pixels.
UNUSED = f"""(() => {{
    const widget = document.querySelector('customer-reviews').getBoundingClientRect();
    return Math.round(widget.bottom - {SHADOW}.querySelector('.cr').getBoundingClientRect().bottom);
}})()"""

WORDPRESS = '<div class="entry-content wp-block-html">{}</div>'
SQUARESPACE = '<div class="sqs-block sqs-block-code"><div class="sqs-block-content">{}</div></div>'
SHOPIFY = '<section class="shopify-section page-width"><div class="grid">{}</div></section>'
WEBFLOW = '<div class="w-embed w-script">{}</div>'
SITES = {
    "plain": ("{}", None),
    "wordpress": (WORDPRESS, WORDPRESS_LIKE),
    "squarespace": (SQUARESPACE, SQUARESPACE_LIKE),
    "shopify": (SHOPIFY, SHOPIFY_LIKE),
    "webflow": (WEBFLOW, WEBFLOW_LIKE),
}
LAYOUTS = ["list", "wall", "carousel", "quote", "badge", "bar"]


def script(service):
    return f'<script src="{service}/embed.js" async></script>'


@pytest.fixture(autouse=True)
def watched(chromium):
    """Make pages report layout shifts and policy violations from their start."""
    added = chromium.send("Page.addScriptToEvaluateOnNewDocument", source=WATCH_SHIFTS)
    yield
    chromium.send("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def open_shown(chromium, address, width=SCREEN):
    chromium.open(address, width)
    wait_until(lambda: chromium.ask(IS_SHOWN))


@pytest.fixture
def show(service, website, chromium):
    """Open a page with the script and an element with these attributes."""

    def show(attributes="", width=SCREEN):
        element = f"<customer-reviews {attributes}></customer-reviews>"
        open_shown(chromium, website.show(script(service) + element), width)

    return show


@pytest.mark.parametrize("width", [PHONE, SCREEN])
@pytest.mark.parametrize("kind", SITES)
def test_widget_fits_every_site_without_layout_shift(service, website, chromium, kind, width):
    around, styles = SITES[kind]
    website.policy = strict_policy(service)
    for layout in LAYOUTS:
        options = Options(layout=layout, max=3 if layout == "list" else 6)
        height = estimate_height(widget(current_content(), options), options)
        rule = f" customer-reviews {{ display: block; min-height: {height.css} }}"
        website.styles = (styles or PLAIN) + rule
        element = f'<customer-reviews layout="{layout}" max="{options.max}"></customer-reviews>'

        address = website.show(script(service) + around.format(element))
        open_shown(chromium, address, width)
        if chromium.ask("shifted"):  # A busy machine may paint an unfinished frame, but not twice.
            open_shown(chromium, address, width)

        assert "3.5" in chromium.ask(TEXT), layout
        assert "20 reviews" in chromium.ask(TEXT), layout
        assert chromium.ask(IS_CUT) == [], layout
        assert chromium.ask("refused") == [], layout
        assert chromium.ask("shifted") == [], layout
        assert axe_violations(chromium) == [], layout
        assert -1 <= chromium.ask(UNUSED) <= MAX_UNUSED, layout
        if layout not in {"badge", "bar"}:
            cards = f"{SHADOW}.querySelectorAll('.cr-card')"
            assert chromium.ask(f"{cards}.length") == (1 if layout == "quote" else options.max)
            # The styles of the site do not apply inside.
            assert chromium.ask(f"getComputedStyle({cards}[0]).display") == "flex"
            assert chromium.ask(f"getComputedStyle({cards}[0]).float") == "none"


def test_widget_requests_no_other_site_and_sets_no_cookie(show, service, website, chromium):
    chromium.send("Network.clearBrowserCookies")

    show()

    loaded = chromium.ask("performance.getEntriesByType('resource').map(each => each.name)")
    ours = [name for name in loaded if not name.startswith(website.origin)]
    assert sorted(ours) == [f"{service}/embed.js", f"{service}/embed/widget.json"]
    cookies = chromium.send("Network.getAllCookies")["cookies"]
    assert [cookie["name"] for cookie in cookies] == ["own"]
    assert chromium.ask("JSON.stringify([localStorage.length, sessionStorage.length])") == "[0,0]"


def test_hostile_texts_are_text(show, chromium):
    make_review(author=HOSTILE, text=HOSTILE, date=dt.date(2026, 6, 1))

    show()

    assert "<script>" in chromium.ask(f"{SHADOW}.querySelector('.cr-author').textContent")
    assert chromium.ask("document.title") == "A website"
    assert chromium.ask(f"{SHADOW}.querySelectorAll('img, script').length") == 0


@pytest.mark.parametrize(
    "attributes",
    [
        'layout="<img>" max="999" min-rating="x" sort="\'" theme="}" source="../x" accent="red"',
        'accent="#fff;}body{display:none" lang="&quot;><script>"',
        "max='-1' source='a&amp;max=12'",
    ],
)
def test_unusable_attributes_use_defaults(show, service, chromium, attributes):
    show(attributes)

    loaded = chromium.ask("performance.getEntriesByType('resource').map(each => each.name)")
    assert f"{service}/embed/widget.json" in loaded
    assert "6 of 20 reviews: newest first" in chromium.ask(TEXT)
    assert chromium.ask("getComputedStyle(document.body).display") == "block"


def test_changed_attributes_update_widget(show, chromium):
    show()

    chromium.ask(
        "for (const [name, value] of [['min-rating', '4'], ['lang', 'de'], ['max', '2'],"
        " ['theme', 'dark'], ['accent', '#0b6b57']])"
        " document.querySelector('customer-reviews').setAttribute(name, value)"
    )

    wait_until(lambda: "2 von 20 Bewertungen: ab 4 Sternen" in chromium.ask(TEXT))
    assert chromium.ask(f"{SHADOW}.querySelector('.cr').lang") == "de"
    star = f"getComputedStyle({SHADOW}.querySelector('.cr-on')).fill"
    assert chromium.ask(star) == "rgb(11, 107, 87)"
    paper = f"getComputedStyle({SHADOW}.querySelector('.cr-card')).backgroundColor"
    assert chromium.ask(paper) == "rgb(25, 31, 29)"


def test_carousel_is_moved_by_buttons_and_keys(show, chromium):
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    chromium.send("Emulation.setEmulatedMedia", features=[still])
    try:
        show('layout="carousel" max="12"', PHONE)
        items = f"{SHADOW}.querySelector('.cr-items')"
        assert chromium.ask(f"getComputedStyle({items}).scrollBehavior") == "auto"

        chromium.ask(f"{SHADOW}.querySelectorAll('button')[1].click()")
        wait_until(lambda: chromium.ask(f"{items}.scrollLeft") > 100)
        chromium.ask(f"{SHADOW}.querySelectorAll('button')[0].click()")
        wait_until(lambda: chromium.ask(f"{items}.scrollLeft") == 0)

        chromium.ask(f"{items}.focus()")
        for kind in ("rawKeyDown", "keyUp"):
            chromium.send(
                "Input.dispatchKeyEvent", type=kind, key="ArrowRight", windowsVirtualKeyCode=39
            )
        wait_until(lambda: chromium.ask(f"{items}.scrollLeft") > 0)
    finally:
        chromium.send("Emulation.setEmulatedMedia", features=[])


def test_button_shows_cards_that_do_not_fit(show, chromium):
    show('layout="wall" style="min-height: 40em"', PHONE)
    cards = f"[...{SHADOW}.querySelectorAll('.cr-card')].filter(each => !each.hidden).length"
    shown = chromium.ask(cards)
    assert 1 <= shown < 6

    chromium.ask(f"{SHADOW}.querySelector('.cr-further button').click()")

    assert chromium.ask(cards) == 6
    assert chromium.ask(f"{SHADOW}.activeElement.tagName") == "A"


def test_text_expands_and_badge_opens_reviews(show, chromium):
    make_review(text="word " * 100, reply_text="Thanks.", date=dt.date(2026, 6, 1))
    show('layout="floating"', PHONE)
    panel = f"{SHADOW}.querySelector('.cr-panel')"
    assert not chromium.ask(f"{panel}.checkVisibility()")
    chromium.ask(f"{SHADOW}.querySelector('button').click()")
    assert chromium.ask(f"{panel}.checkVisibility()")
    before = chromium.ask(f"{panel}.querySelector('.cr-card').offsetHeight")
    chromium.ask(f"{panel}.querySelector('.cr-more summary').click()")
    assert chromium.ask(f"{panel}.querySelector('.cr-card').offsetHeight") > before
    assert chromium.ask(f"{panel}.querySelector('.cr-more summary').innerText") == "Show less"
    assert axe_violations(chromium) == []

    chromium.ask(f"{panel}.querySelector('.cr-close').click()")
    assert not chromium.ask(f"{panel}.checkVisibility()")


def test_moving_carousel_can_be_paused(show, chromium):
    show('layout="carousel" autoplay="on"', PHONE)

    pause = f"{SHADOW}.querySelector('.cr-pause')"
    assert chromium.ask(f"{pause}.checkVisibility()")
    chromium.ask(f"{pause}.click()")

    assert chromium.ask(f"[{pause}.ariaPressed, {pause}.ariaLabel]") == ["true", "Play"]


def test_widget_that_cannot_load_links_to_reviews(show, service, chromium):
    chromium.send("Network.setBlockedURLs", urls=["*/embed/widget.json*"])
    try:
        show()
        links = f"[...{SHADOW}.querySelectorAll('a')].map(each => each.href)"
        assert chromium.ask(links) == [f"{service}/reviews"]
    finally:
        chromium.send("Network.setBlockedURLs", urls=[])


@pytest.mark.parametrize("width", [PHONE, SCREEN])
@pytest.mark.parametrize("kind", SITES)
def test_fragment_fits_every_site(service, website, chromium, kind, width):
    around, styles = SITES[kind]
    website.policy = f"default-src 'none'; style-src 'self' {service}"
    website.styles = styles or PLAIN
    for layout in LAYOUTS:
        fragment = requests.get(f"{service}/embed.html?layout={layout}", timeout=60).text

        chromium.open(website.show(around.format(fragment)), width)

        words = chromium.ask("document.body.innerText")
        assert "20 reviews" in words, layout
        assert "Published by the business" in words, layout
        assert chromium.ask("document.documentElement.scrollWidth - innerWidth") <= 0, layout
        assert chromium.ask("refused") == [], layout
        assert axe_violations(chromium) == [], layout
