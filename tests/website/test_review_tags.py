"""Template tags format a review's values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviews.avatars import TINTS
from website.templatetags.review_tags import initials, tint, web_address

pytestmark = pytest.mark.django_db


@given(st.text(max_size=300))
def test_every_author_has_initials_and_a_tint(author):
    assert len(initials(author)) <= 4
    assert tint(author) in TINTS


@given(st.text(max_size=100))
def test_only_http_addresses_are_followed(url):
    assert web_address(url) in {"", url}
    assert not web_address(url) or url.lower().startswith(("http://", "https://"))


def test_browsers_find_an_icon_where_they_look_for_one(client):
    assert client.get("/favicon.ico")["Location"] == "/static/website/icon.svg"
    assert client.post("/favicon.ico").status_code == 405
