"""The page "On your website", and its code on another site."""

from html import unescape

import pytest
from django.contrib.auth.models import User

from reviews.models import Business
from tests.accessibility import axe_violations
from tests.administration import page_html
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, SCREEN = 390, 1280
PAGE = "/admin/website/"
LINKS = ["https://g.page/r/abc/review", "https://www.trustpilot.com/evaluate/tern.example"]


@pytest.fixture
def owner(settings, service):
    settings.SESSION_COOKIE_NAME = "sessionid"  # `__Host-` requires HTTPS.
    settings.CSRF_COOKIE_NAME = "csrftoken"
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = False
    settings.CSRF_TRUSTED_ORIGINS = [service]
    return User.objects.create_superuser("owner", password="moss under nine lanterns")


def test_page_requires_sign_in(client, reviews):
    response = client.get(PAGE)

    assert (response.status_code, response["Location"]) == (302, f"/admin/login/?next={PAGE}")


def test_code_follows_chosen_options(admin_client, reviews):
    page = page_html(
        admin_client.get(
            f"{PAGE}?layout=wall&min_rating=4&max=3&accent=%230B6B57&lang=de&theme=dark&radius=6"
        )
    )

    assert (
        '<customer-reviews layout="wall" min-rating="4" max="3" theme="dark" accent="#0b6b57" '
        'radius="6" lang="de" style="display: block; min-height: clamp('
    ) in page
    assert '<script src="https://reviews.example/embed.js" async></script>' in page
    query = "layout=wall&min-rating=4&max=3&theme=dark&accent=0b6b57&radius=6&lang=de"
    assert f"https://reviews.example/embed?{query}" in unescape(page)
    assert f"https://reviews.example/embed.html?{query}" in unescape(page)
    assert "https://reviews.example/badge.png?theme=dark&accent=0b6b57&lang=de" in unescape(page)


def test_unusable_option_is_reported(admin_client, reviews):
    page = page_html(admin_client.get(f"{PAGE}?accent=pink&layout=grid"))

    assert "Accent must be a colour like #0b6b57." in page
    assert 'value="pink"' in page
    assert '<customer-reviews layout="wall" ' in page


def test_links_for_reviews_have_qr_codes(admin_client, reviews):
    Business.objects.update(review_links=LINKS)

    page = page_html(admin_client.get(PAGE))

    for link in LINKS:
        assert f'value="{link}"' in page
    assert page.count('src="data:image/svg+xml') == 2
    assert 'alt="QR code for a review at Google"' in page
    assert 'download="review-2.svg"' in page


@pytest.mark.slow
def test_copied_code_shows_widget_on_another_site(service, website, chromium, owner):
    """Sign in, choose, copy and paste as an office manager does."""
    Business.objects.update(review_links=LINKS)
    chromium.send("Network.clearBrowserCookies")
    chromium.open(f"{service}/admin/login/", SCREEN)
    chromium.ask("document.querySelector('#id_username').value = 'owner'")
    chromium.ask("document.querySelector('#id_password').value = 'moss under nine lanterns'")
    chromium.ask("document.querySelector('[type=submit]').click()")
    wait_until(lambda: chromium.ask("location.pathname") == "/admin/")
    wait_until(lambda: chromium.ask("document.readyState") == "complete")
    chromium.ask(f"document.querySelector('a[href=\"{PAGE}\"]').click()")
    wait_until(lambda: chromium.ask("!!document.querySelector('#code')"))
    wait_until(lambda: chromium.ask("document.readyState") == "complete")
    preview = "document.querySelector('customer-reviews').shadowRoot?.querySelector('.cr')"
    wait_until(lambda: "20 reviews" in (chromium.ask(f"{preview}?.innerText") or ""))
    for width in (SCREEN, PHONE):
        chromium.resize(width)
        assert axe_violations(chromium) == []
        assert chromium.ask("document.documentElement.scrollWidth - innerWidth") <= 0

    chromium.ask(
        "(() => { const choice = document.querySelector('#id_min_rating'); choice.value = '4';"
        " choice.dispatchEvent(new Event('change', { bubbles: true })) })()"
    )
    wait_until(lambda: 'min-rating="4"' in chromium.ask("document.querySelector('#code').value"))
    wait_until(lambda: "4 stars or more" in (chromium.ask(f"{preview}?.innerText") or ""))
    chromium.send(
        "Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"]
    )
    chromium.ask("document.querySelector('[data-copy=code]').click()")
    status = "document.querySelector('[data-copy=code]').parentElement.innerText"
    wait_until(lambda: "Copied." in chromium.ask(status))
    code = chromium.ask("document.querySelector('#code').value")

    chromium.open(website.show(code), SCREEN)
    wait_until(lambda: "4 stars or more" in (chromium.ask(f"{preview}?.innerText") or ""))
