"""Sources of `read`: a path, the content, or a binary stream."""

import datetime as dt
import io
from zoneinfo import ZoneInfo

import pytest

from review_exports import FileRefused, ReadOptions, Record, read

CONTENT = b"Date,Name,Rating,Room\n2024-01-02T23:30:00Z,Ann,5,12\n2024-01-03,Ben,4,12\n"
OPTIONS = ReadOptions(accept=True, today=dt.date(2025, 1, 1), time_zone="Europe/Berlin")


class Pipe(io.BytesIO):
    def seekable(self):
        return False


def authors(source, options=OPTIONS):
    return [row.author for row in read(source, options) if isinstance(row, Record)]


@pytest.mark.parametrize("kind", ["path", "text", "bytes", "stream", "pipe"])
def test_source_may_be_a_path_bytes_or_a_stream(tmp_path, kind):
    path = tmp_path / "reviews.csv"
    path.write_bytes(CONTENT)
    stream = io.BytesIO(CONTENT)
    sources = {"path": path, "text": str(path), "bytes": CONTENT, "stream": stream}

    assert authors(sources.get(kind) or Pipe(CONTENT)) == ["Ann", "Ben"]
    assert not stream.closed


def test_text_stream_is_refused_with_remedy():
    with pytest.raises(TypeError, match='mode "rb"'):
        read(io.StringIO("Date,Rating\n"))


@pytest.mark.parametrize("zone", ["Europe/Berlin", ZoneInfo("Europe/Berlin")])
def test_time_zone_is_a_name_or_a_zone(zone):
    options = ReadOptions(accept=True, today=dt.date(2025, 1, 1), time_zone=zone)
    first, _ = read(CONTENT, options)

    assert first.date == dt.date(2024, 1, 3)


@pytest.mark.parametrize("name", ["Mars/Base", "../etc", "America", ""])
def test_unknown_time_zone_is_refused(name):
    with pytest.raises(FileRefused, match="There is no time zone"):
        ReadOptions(time_zone=name)


def test_extra_columns_are_passed_through():
    options = ReadOptions(accept=True, today=dt.date(2025, 1, 1), columns={"Room": "extra"})

    assert [row.extra for row in read(CONTENT, options)] == [{"Room": "12"}, {"Room": "12"}]
