"""The kinds of sources. `protocol` says how a new one is written; it is then listed here."""

from collections.abc import Mapping

from sources.kinds import folder, push, url
from sources.kinds.protocol import Kind

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        url.KIND,
        folder.KIND,
        push.KIND,
    )
}


def choices() -> list[tuple[str, str]]:
    """Names and labels of all kinds."""
    return [(kind.name, kind.label) for kind in KINDS.values()]
