"""Copied addresses, converted to the addresses of the files."""

import tomllib
from pathlib import Path

import pytest

from sources.connectors.url import UrlForm, export_address

ADDRESSES = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text("utf-8"))


@pytest.mark.parametrize(("copied", "file"), ADDRESSES["files"].items())
def test_copied_url_becomes_url_of_file(copied, file):
    assert export_address(copied) == file
    assert export_address(file) == file


@pytest.mark.parametrize(("address", "words"), ADDRESSES["refused"].items())
def test_unusable_url_is_refused_with_remedy(address, words):
    with pytest.raises(ValueError, match=words):
        export_address(address)


@pytest.mark.parametrize(
    ("name", "value"),
    [("Host", "x"), ("a b", "x"), ("X\r\nY", "x"), ("X-Key", "line\nbreak"), ("X-Key", "ünicode")],
)
def test_invalid_header_is_refused(name, value):
    form = UrlForm({"address": "https://example.com", "header_name": name, "header_value": value})

    assert not form.is_valid()


def test_shown_url_has_no_query():
    form = UrlForm({"address": "https://example.com/r.csv?key=s3cret"})

    assert form.is_valid()
    assert form.settings()["shown_address"] == "https://example.com/r.csv?…"
    assert form.secrets() == {"address": "https://example.com/r.csv?key=s3cret"}
