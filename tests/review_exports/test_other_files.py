"""Files that are no exports, each with its own message."""

import pytest

from tests.review_exports.exports import refusal_reason

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def test_workbook_with_password_is_named():
    locked = OLE + bytes(70_000) + "EncryptedPackage".encode("utf-16-le") + bytes(500)

    assert refusal_reason(locked).code == "file_is_locked"
    assert "remove the password" in refusal_reason(locked).message


@pytest.mark.parametrize("cut", range(0, 40, 8))
def test_name_of_encrypted_package_is_found_anywhere(cut):
    start = OLE + bytes((1 << 16) - len(OLE) - cut)

    assert refusal_reason(start + "EncryptedPackage".encode("utf-16-le")).code == "file_is_locked"


def test_old_workbook_is_not_reported_as_encrypted():
    refusal = refusal_reason(OLE + bytes(5_000))

    assert refusal.code == "file_is_binary"
    assert "old Excel or Word file" in refusal.message
