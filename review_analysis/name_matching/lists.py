"""Lower-case word lists: names that are also words, and context words."""

from collections.abc import Mapping

from review_analysis.word_lists import tables, word_lists

_LISTS, _TABLES = word_lists(__file__), tables(__file__)


def __getattr__(name: str) -> frozenset[str]:
    """Return the list of `words.toml` with this name in capitals."""
    if name.lower() not in _LISTS:
        raise AttributeError(name)
    found = globals()[name] = _LISTS[name.lower()]
    return found


def either(alternatives: frozenset[str]) -> str:
    return "|".join(sorted(alternatives))


def _by_name(table: Mapping[str, str | list[str]]) -> dict[str, frozenset[str]]:
    return {
        name: frozenset(value.split() if isinstance(value, str) else value)
        for name, value in table.items()
    }


COMPOUNDS = _by_name(_TABLES["compounds"])
PHRASES = {
    name: tuple(f"{phrase} " for phrase in phrases) for name, phrases in _TABLES["phrases"].items()
}
PRECEDED = _by_name(_TABLES["preceded"])
