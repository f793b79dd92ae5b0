"""Files that are something else than an export, each with its own sentence."""

import pytest

from tests.review_exports.exports import refused

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def test_workbook_with_password_is_named():
    locked = OLE + bytes(70_000) + "EncryptedPackage".encode("utf-16-le") + bytes(500)

    assert refused(locked).code == "file_is_locked"
    assert "remove the password" in refused(locked).message


@pytest.mark.parametrize("cut", range(0, 40, 8))
def test_name_of_locked_package_is_found_wherever_it_stands(cut):
    start = OLE + bytes((1 << 16) - len(OLE) - cut)

    assert refused(start + "EncryptedPackage".encode("utf-16-le")).code == "file_is_locked"


def test_old_workbook_is_not_taken_for_a_locked_one():
    refusal = refused(OLE + bytes(5_000))

    assert refusal.code == "file_is_binary"
    assert "old Excel or Word file" in refusal.message
