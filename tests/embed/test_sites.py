"""Widgets on difficult sites: themes, text directions, frames, and late scripts."""

from html import escape

import pytest

from tests.accessibility import axe_violations
from tests.embed.hosts import AGGRESSIVE, strict_policy
from tests.embed.test_element import (
    IS_CUT,
    IS_SHOWN,
    LAYOUTS,
    PHONE,
    SCREEN,
    SHADOW,
    TEXT,
    open_shown,
    script,
)
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ELEMENT = '<customer-reviews layout="list" max="3"></customer-reviews>'


def style(selector, name):
    return f"getComputedStyle({SHADOW}.querySelector('{selector}')).{name}"


@pytest.mark.parametrize("width", [PHONE, SCREEN])
def test_theme_does_not_style_inside_of_widget(service, website, chromium, width):
    website.styles = AGGRESSIVE

    open_shown(chromium, website.show(script(service) + ELEMENT), width)

    assert chromium.ask(style(".cr-card", "float")) == "none"
    assert chromium.ask(style(".cr-card", "display")) == "flex"
    assert chromium.ask(style(".cr-card", "color")) == "rgb(29, 36, 33)"
    assert chromium.ask(style(".cr-facts a", "display")) == "inline-block"
    assert chromium.ask(style(".cr-card .cr-stars svg", "height")) == "23px"
    assert chromium.ask(style(".cr-text", "textTransform")) == "none"
    assert chromium.ask(style(".cr-text", "fontStyle")) == "normal"
    assert chromium.ask(IS_CUT) == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_widget_is_left_to_right_on_right_to_left_page(service, website, chromium, layout):
    element = f'<customer-reviews layout="{layout}" max="6"></customer-reviews>'

    open_shown(chromium, website.show(script(service) + element, attributes=' dir="rtl"'), PHONE)

    # All widget languages are written from left to right.
    assert chromium.ask(style(".cr", "direction")) == "ltr"
    assert chromium.ask(IS_CUT) == []
    assert axe_violations(chromium) == []


@pytest.mark.parametrize("attribute", ["async", "defer", 'type="module"', ""])
def test_script_loads_in_every_way(service, website, chromium, attribute):
    website.policy = strict_policy(service)
    loading = f'<script src="{service}/embed.js" {attribute}></script>'

    open_shown(chromium, website.show(ELEMENT, head=loading))

    assert "3 of 20 reviews" in chromium.ask(TEXT)


def test_element_added_moved_and_removed_by_script_works(service, website, chromium):
    """Use the element as single-page applications do, long after loading the script."""
    chromium.open(website.show(script(service)), SCREEN)
    wait_until(lambda: chromium.ask("!!customElements.get('customer-reviews')"))

    chromium.ask(
        "void (self.added = document.createElement('customer-reviews'),"
        " added.setAttribute('max', '2'), document.querySelector('main').prepend(added))"
    )
    wait_until(lambda: chromium.ask(IS_SHOWN))
    chromium.ask("void document.querySelector('main').append(added)")
    wait_until(lambda: chromium.ask(IS_SHOWN))
    assert "2 of 20 reviews" in chromium.ask(TEXT)

    # Removed while its reviews are loading, and added again with other options.
    chromium.ask("void (added.remove(), added.setAttribute('max', '5'))")
    chromium.ask("void (document.body.append(added), added.remove())")
    chromium.ask("void document.querySelector('main').append(added)")
    wait_until(lambda: "5 of 20 reviews" in chromium.ask(TEXT))
    assert chromium.ask("document.querySelectorAll('customer-reviews').length") == 1


@pytest.mark.parametrize("sandbox", ["allow-scripts", "allow-scripts allow-same-origin"])
def test_element_works_in_sandboxed_frame(service, website, chromium, sandbox):
    """Site builders put pasted code into a separate document, possibly without an origin."""
    code = f"<body>{script(service)}{ELEMENT}<script>{REPORT}</script></body>"
    frame = f'<iframe sandbox="{sandbox}" srcdoc="{escape(code)}" title="x"></iframe>'

    chromium.open(website.show(f"<script>{LISTEN}</script>{frame}"), SCREEN)

    wait_until(lambda: chromium.ask("heard.length"))
    assert "3 of 20 reviews" in chromium.ask("heard.at(-1)")


REPORT = """
    const look = () => {
        const root = document.querySelector("customer-reviews").shadowRoot;
        const text = root?.querySelector(".cr")?.innerText || "";
        if (text.includes("reviews")) parent.postMessage(text, "*");
        else setTimeout(look, 50);
    };
    look();
"""
LISTEN = "self.heard = []; addEventListener('message', (event) => heard.push(event.data));"
