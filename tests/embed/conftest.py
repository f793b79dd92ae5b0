"""An installation with reviews, a foreign website and a browser."""

import datetime as dt

import pytest

from tests.embed.hosts import host
from tests.factories import make_business, make_review

HOSTILE = (
    """<img src=x onerror="document.title='run'">"><script>document.title='run'</script>{{7*7}}"""
)


@pytest.fixture(scope="module")
def chromium(chromium):
    chromium.send("Runtime.enable")
    chromium.send("Network.enable")
    # Tests have different reviews at the same URLs.
    chromium.send("Network.setCacheDisabled", cacheDisabled=True)
    return chromium


@pytest.fixture
def website():
    with host() as site:
        yield site


@pytest.fixture
def reviews():
    """Create twenty reviews of two sources, newest last. The average rating is 3.5."""
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
    """Yield the URL of the installation for the browser."""
    settings.BASE_URL = live_server.url
    return live_server.url
