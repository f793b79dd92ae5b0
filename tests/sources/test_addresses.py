"""Addresses as people copy them, turned into those of the file itself."""

import tomllib
from pathlib import Path

import pytest

from sources.connectors.url import UrlForm, export_address

ADDRESSES = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text("utf-8"))


@pytest.mark.parametrize(("copied", "file"), ADDRESSES["files"].items())
def test_copied_address_becomes_that_of_the_file(copied, file):
    assert export_address(copied) == file
    assert export_address(file) == file


@pytest.mark.parametrize(("address", "words"), ADDRESSES["refused"].items())
def test_unusable_address_is_refused_with_its_remedy(address, words):
    with pytest.raises(ValueError, match=words):
        export_address(address)


@pytest.mark.parametrize(
    ("name", "value"),
    [("Host", "x"), ("a b", "x"), ("X\r\nY", "x"), ("X-Key", "line\nbreak"), ("X-Key", "ünicode")],
)
def test_header_that_cannot_be_sent_is_refused(name, value):
    form = UrlForm({"address": "https://example.com", "header_name": name, "header_value": value})

    assert not form.is_valid()


def test_shown_address_leaves_out_the_query():
    form = UrlForm({"address": "https://example.com/r.csv?key=s3cret"})

    assert form.is_valid()
    assert form.settings()["shown_address"] == "https://example.com/r.csv?…"
    assert form.secrets() == {"address": "https://example.com/r.csv?key=s3cret"}
