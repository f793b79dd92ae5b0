"""An installation with reviews, a website of somebody else, and a browser."""

import datetime as dt

import pytest

from tests.browser import browser
from tests.embed.hosts import host
from tests.factories import make_business, make_review

HOSTILE = (
    """<img src=x onerror="document.title='run'">"><script>document.title='run'</script>{{7*7}}"""
)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("profile")) as page:
        page.send("Runtime.enable")
        page.send("Network.enable")
        # Tests have other reviews at the same addresses.
        page.send("Network.setCacheDisabled", cacheDisabled=True)
        yield page


@pytest.fixture
def website():
    with host() as site:
        yield site


@pytest.fixture
def reviews():
    """Twenty reviews of two sources, from 2 to 5 stars, newest last; their mean is 3.5."""
    make_business()
    return [
        make_review(
            author=f"Author {number}",
            rating=2 + number % 4,
            date=dt.date(2026, 3, 1 + number),
            source=("google", "judge-me")[number % 2],
            text=f"Text {number}. They came on time, were friendly, and left the place tidy.",
        )
        for number in range(20)
    ]


@pytest.fixture
def service(live_server, settings, reviews):
    """The address of the installation, which a browser can reach."""
    settings.BASE_URL = live_server.url
    return live_server.url
