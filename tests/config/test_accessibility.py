"""Accessibility and width of every page of the administration, by axe-core if installed."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import NoReverseMatch, reverse

from config.setup import STEPS
from notifications import services
from notifications.mail import unsubscribe_url
from notifications.models import Endpoint, Recipient
from publishing.publisher import publish_due
from tests.accessibility import SCRIPT, axe_violations
from tests.browser import browser
from tests.factories import make_review
from tests.websub.rows import make_attempt, make_verification
from tools.screenshots import load_demo

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE, SCREEN = 390, 1280
BEYOND = "document.documentElement.scrollWidth - innerWidth"
# Pages outside of the admin site: the digest and the forgotten password.
OTHERS = ("notifications_digest", "admin_password_reset", "password_reset_done")


def paths() -> Iterator[str]:
    """Return the URLs of the site's own pages, and of each model's with its first row."""
    yield from _paths(admin.site.get_urls(), None)
    yield from (reverse("admin:setup_step", args=[step.slug]) for step in STEPS)
    yield from (reverse(name) for name in OTHERS)
    for model, model_admin in admin.site._registry.items():
        row = model._default_manager.first()
        yield from _paths(model_admin.get_urls(), row and row.pk)


def _paths(patterns, key) -> Iterator[str]:
    for pattern in patterns:
        for arguments in [[], *([[key]] if key else [])]:
            try:
                name = f"admin:{getattr(pattern, 'name', None)}"
                yield reverse(name, args=arguments)
                break
            except NoReverseMatch:
                continue


@pytest.fixture
def owner(settings) -> Client:
    """Sign in a superuser, with rows for every list."""
    settings.SESSION_COOKIE_NAME = "sessionid"  # `__Host-` requires HTTPS.
    load_demo()
    make_attempt()
    make_verification()
    review = make_review(author="Gone", external_id="gone")
    review.delete()
    Group.objects.create(name="Desk")
    services.save_endpoint(Endpoint(name="CRM", url="https://crm.example/", events=[]))
    services.send_test(Endpoint.objects.get())
    settings.EMAIL_ENABLED = True
    publish_due()
    client = Client()
    client.force_login(User.objects.get(username="owner"))
    return client


def test_administration_pages_are_accessible(live_server, owner, tmp_path):
    found = []
    pages = [path for path in dict.fromkeys(paths()) if _is_page(owner.get(path))]
    recipient = Recipient.objects.create(user=User.objects.get(username="owner"))
    pages.append(urlsplit(unsubscribe_url(recipient)).path)
    with browser(tmp_path / "profile") as page:
        page.send(
            "Network.setCookie",
            name="sessionid",
            value=owner.cookies["sessionid"].value,
            url=live_server.url,
        )
        for number, path in enumerate(pages):
            # Each color scheme and width is checked for half of the pages.
            scheme = ("light", "dark")[number % 2]
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            page.send("Emulation.setEmulatedMedia", features=features)
            page.open(f"{live_server.url}{path}", (SCREEN, PHONE)[number // 2 % 2])
            if page.ask(BEYOND) > 0:
                found.append(f"{path} is wider than its window")
            if SCRIPT.exists() and (violations := axe_violations(page)):
                found.append(f"{path} ({scheme}): {violations}")

    assert len(pages) > 60
    assert not found, "\n".join(found)


def _is_page(response) -> bool:
    return response.status_code == 200 and response["Content-Type"].startswith("text/html")
