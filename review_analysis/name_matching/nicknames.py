"""Short forms of common English first names, in lower case."""

from collections import defaultdict
from collections.abc import Mapping

from review_analysis.word_lists import tables, word_lists

_TABLES = tables(__file__)

_SHORT_FORMS: Mapping[str, str] = _TABLES["short_forms"]

# Short forms that are usually full names: a Jack is rarely called John.
_OWN_NAMES = frozenset("carol frank gail harry jack jamie jan julie leo liam luke sasha".split())


def _both_ways() -> dict[str, tuple[str, ...]]:
    known: defaultdict[str, list[str]] = defaultdict(list)
    for name, forms in _SHORT_FORMS.items():
        for form in forms.split():
            if form not in _OWN_NAMES:
                # Debbie is also Deb, as both are Deborah, but Rob is rarely Bob.
                alike = (o for o in forms.split() if o.startswith(form) or form.startswith(o))
                known[form] += [name, *(other for other in alike if other != form)]
    return {
        name: tuple(dict.fromkeys((*_SHORT_FORMS.get(name, "").split(), *known[name])))
        for name in sorted({*_SHORT_FORMS, *known})
    }


# Short forms of full first names, and full names of short forms.
NICKNAMES = _both_ways()

# Names with the same pronunciation.
SPELLINGS = {
    name: tuple(other for other in alike.split() if other != name)
    for alike in _TABLES["sound_alike"]
    for name in alike.split()
}


# --- Common first names ---------------------------------------------------------------------------


GIVEN_NAMES = word_lists(__file__)["given_names"]
