"""A document is compressed in pieces: any reader takes it for gzip, and an edit costs its piece."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publishing import chunked_gzip
from publishing.chunked_gzip import ChunkedGzip, split_chunks


@pytest.fixture(autouse=True, scope="module")
def small_pieces():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunked_gzip, "SHORTEST", 10)
        yield


@pytest.fixture
def compressed(monkeypatch):
    """The pieces that were compressed, not remembered."""
    seen = []
    deflate = chunked_gzip.deflate

    def deflate_and_tell(piece):
        seen.append(bytes(piece))
        return deflate(piece)

    monkeypatch.setattr(chunked_gzip, "deflate", deflate_and_tell)
    return seen


texts = st.lists(st.sampled_from([b'0"', b"0", b'"', b"review", b"\xc3\xa9"])).map(b"".join)


@given(versions=st.lists(texts, min_size=1, max_size=4))
def test_any_versions_after_each_other_are_gzip(versions):
    remembering = ChunkedGzip()

    for body in versions:
        stream = remembering.compress(body)
        reader = zlib.decompressobj(wbits=31)
        assert reader.decompress(stream) == gzip.decompress(stream) == body
        assert reader.eof
        assert not reader.unused_data  # One member: some readers stop after the first.
        assert stream == ChunkedGzip().compress(body)  # Whatever was compressed before.


def test_an_edit_compresses_its_piece_alone(compressed):
    body = b"".join(b'{"id":"%03d0","text":"as it was"},' % number for number in range(20))
    remembering = ChunkedGzip()
    remembering.compress(body)
    assert sorted(compressed) == sorted(
        bytes(piece) for piece in split_chunks(body)
    )  # Side by side.
    compressed.clear()

    remembering.compress(body.replace(b'0070","text":"as it was"', b'0070","text":"edited"'))

    (piece,) = compressed
    assert b"edited" in piece


def test_what_the_last_version_did_not_hold_is_forgotten(compressed):
    remembering = ChunkedGzip()
    for body in (b"a" * 30, b"b" * 30, b"a" * 30):
        remembering.compress(body)

    assert compressed == [b"a" * 30, b"b" * 30, b"a" * 30]


def test_pieces_are_long_and_end_where_their_own_bytes_say():
    assert [bytes(piece) for piece in split_chunks(b'0"aaaaaaaaaaaa0"bbbb0"cccccccccccc0"')] == [
        b'0"aaaaaaaaaaaa',
        b'0"bbbb0"cccccccccccc',
        b'0"',
    ]
