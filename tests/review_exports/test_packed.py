import gzip

import pytest

from review_exports.readers import archives
from tests.review_exports.exports import read, refusal_reason, workbook

ROWS = [["Date", "Name", "Rating"], ["2024-01-02", "Ann", 5], ["2024-01-03", "Ben", 4]]
TABLE = "\n".join(",".join(map(str, row)) for row in ROWS).encode()


@pytest.mark.parametrize("content", [TABLE, workbook(ROWS)])
def test_gzip_can_be_read_long_after_opening(content):
    reading = read(gzip.compress(content))

    assert [record.author for record in reading.records] == ["Ann", "Ben"]
    assert reading.export.first_rows


def test_gzip_bomb_is_refused(monkeypatch):
    monkeypatch.setattr(archives, "UNPACKED_MAX", 10_000)

    assert refusal_reason(gzip.compress(bytes(1_000_000))).code == "gzip_too_large"
