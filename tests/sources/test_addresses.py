"""Addresses as people copy them, turned into those of the file itself."""

import pytest

from sources.connectors.url import UrlForm, export_address

SHEET = "https://docs.google.com/spreadsheets"
APIFY = "https://api.apify.com/v2"
DATASET = f"{APIFY}/datasets/abc/items"


@pytest.mark.parametrize(
    ("copied", "file"),
    [
        (f"{SHEET}/d/1aB/edit#gid=0", f"{SHEET}/d/1aB/export?format=csv&gid=0"),
        (f"{SHEET}/d/1aB/edit?usp=sharing", f"{SHEET}/d/1aB/export?format=csv"),
        (f"{SHEET}/d/1aB/edit?gid=7#gid=7", f"{SHEET}/d/1aB/export?format=csv&gid=7"),
        (f"{SHEET}/u/1/d/1aB/edit#gid=5", f"{SHEET}/d/1aB/export?format=csv&gid=5"),
        (f"{SHEET}/d/1aB/export?format=xlsx", f"{SHEET}/d/1aB/export?format=xlsx"),
        (f"{SHEET}/d/e/2PACX/pubhtml", f"{SHEET}/d/e/2PACX/pub?output=csv"),
        (
            f"{SHEET}/d/e/2PACX/pubhtml?gid=3&single=true",
            f"{SHEET}/d/e/2PACX/pub?gid=3&single=true&output=csv",
        ),
        (f"{SHEET}/d/1aB/gviz/tq?tqx=out:csv", f"{SHEET}/d/1aB/gviz/tq?tqx=out:csv"),
        (
            "https://drive.google.com/file/d/1aB/view?usp=sharing",
            "https://drive.google.com/uc?export=download&id=1aB",
        ),
        (
            "https://www.dropbox.com/scl/fi/x/r.csv?rlkey=k&dl=0",
            "https://www.dropbox.com/scl/fi/x/r.csv?rlkey=k&dl=1",
        ),
        ("https://www.dropbox.com/s/x/r.csv", "https://www.dropbox.com/s/x/r.csv?dl=1"),
        ("s3://bucket/in/r 1.csv", "https://bucket.s3.amazonaws.com/in/r%201.csv"),
        (
            "https://eu-west-1.console.aws.amazon.com/s3/object/b?region=eu-west-1&prefix=in/r.csv",
            "https://b.s3.eu-west-1.amazonaws.com/in/r.csv",
        ),
        ("https://console.apify.com/storage/datasets/abc", f"{DATASET}?format=json&clean=1"),
        (f"{DATASET}?format=csv", f"{DATASET}?format=csv&clean=1"),
        (
            "https://console.apify.com/actors/tasks/t1/runs",
            f"{APIFY}/actor-tasks/t1/runs/last/dataset/items?status=SUCCEEDED&format=json&clean=1",
        ),
        (
            f"{APIFY}/acts/a/runs/last/dataset/items?token=x",
            f"{APIFY}/acts/a/runs/last/dataset/items?token=x&status=SUCCEEDED&format=json&clean=1",
        ),
        (" https://example.com/r.csv#top ", "https://example.com/r.csv"),
        ("https://bücher.example/r ü.csv", "https://xn--bcher-kva.example/r%20%C3%BC.csv"),
    ],
)
def test_copied_address_becomes_that_of_the_file(copied, file):
    assert export_address(copied) == file
    assert export_address(file) == file


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://exa mple.com/r.csv", "complete address"),
        ("https://example..com/r.csv", "complete address"),
        ("https://exa<mple.com/r.csv", "complete address"),
        ("s3://", "complete address"),
        ("s3:///r.csv", "complete address"),
        ("example.com/r.csv", "complete address"),
        ("ftp://example.com/r.csv", "complete address"),
        ("https://", "complete address"),
        ("https://[::1", "not an address"),
        ("https://example.com:99999/", "not an address"),
        ("https://user:secret@example.com/r.csv", "user name or password"),
        (f"https://example.com/{'x' * 2048}", "longer than 2048"),
    ],
)
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
