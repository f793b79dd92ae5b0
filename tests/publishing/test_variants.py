"""Variants of a document: responses computed from it and from arguments."""

import gzip
from collections import Counter

import pytest
from django.test import RequestFactory

from publishing import variants
from publishing.selectors import DocumentUnavailable
from publishing.slow_readers import TooManyUnsentBytes, slow_readers

pytestmark = pytest.mark.django_db
built = Counter()


def first_bytes(document, count):
    built[count] += 1
    return document.identity[:count]


def get(count=40, method="GET", path="/reviews.json", environ=None, **options):
    request = RequestFactory().generic(method, "/", **(environ or {})).environ
    options = {"media_type": "text/plain"} | options
    status, headers, body, _ = variants.respond(request, path, first_bytes, count, **options)
    return status[:3], dict(headers), b"".join(body)


def test_variant_has_etag_304_and_codings():
    status, headers, body = get(headers=[("X-Kind", "a")])
    packed = get(environ={"HTTP_ACCEPT_ENCODING": "gzip"})
    unchanged = get(environ={"HTTP_IF_NONE_MATCH": headers["ETag"]})

    assert (status, len(body), headers["Content-Type"]) == ("200", 40, "text/plain")
    assert (headers["Content-Length"], headers["X-Kind"]) == ("40", "a")
    assert packed[1]["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed[2]) == body
    assert packed[1]["ETag"] != headers["ETag"] != get(39)[1]["ETag"]
    assert (unchanged[0], unchanged[2]) == ("304", b"")
    assert get(method="HEAD")[1:] == (get()[1], b"")


def test_variant_has_time_of_its_document():
    dated = get(is_dated=True)[1]
    since = {"HTTP_IF_MODIFIED_SINCE": dated["Last-Modified"]}

    assert get(is_dated=True, environ=since)[0] == "304"
    assert get(environ=since)[0] == "200"
    assert "Last-Modified" not in get()[1]


def test_variant_is_built_once_if_cached():
    for is_cached in (True, True, False, False):
        get(38, is_cached=is_cached)

    assert built[38] == 3


def test_variant_without_codings_does_not_vary():
    _, headers, body = get(codings=(), environ={"HTTP_ACCEPT_ENCODING": "gzip"})

    assert len(body) == 40
    assert {"Vary", "Content-Encoding"} & set(headers) == set()


def test_large_variant_offers_gzip_only_and_is_bounded(monkeypatch):
    monkeypatch.setattr(variants, "LARGE", 30)
    everything = {"HTTP_ACCEPT_ENCODING": "br, gzip"}
    _, headers, body = get(is_cached=False, environ=everything)

    assert (headers["Content-Encoding"], len(gzip.decompress(body))) == ("gzip", 40)
    monkeypatch.setattr(slow_readers, "has_room", lambda length, environ: False)
    with pytest.raises(TooManyUnsentBytes):
        get(is_cached=False, environ=everything)


def test_variant_of_unpublished_document_is_unavailable():
    with pytest.raises(DocumentUnavailable):
        get(path="/nothing.json")
