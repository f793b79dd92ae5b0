"""Pure: the header fields of a request that the protocol reads."""

import binascii
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Headers:
    """Their values without the white space around them; None where a field is not there."""

    session: str | None = None
    version: str | None = None
    method: str | None = None
    name: str | None = None

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> "Headers":
        """From a mapping that does not tell upper from lower case."""

        def value(name: str) -> str | None:
            found = fields.get(name)
            return None if found is None else found.strip(" \t")

        return cls(
            session=value("Mcp-Session-Id"),
            version=value("MCP-Protocol-Version"),
            method=value("Mcp-Method"),
            name=value("Mcp-Name"),
        )


def plain(value: str) -> str | None:
    """A mirrored value without its Base64 wrapping (revision 2026-07-28, value encoding).

    None when it is wrapped and cannot be read.
    """
    if not (value.startswith("=?base64?") and value.endswith("?=") and len(value) >= 11):
        return value
    try:
        return b64decode(value[9:-2], validate=True).decode()
    except (binascii.Error, ValueError):
        return None
