"""Short forms of common English first names, in lower case."""

from collections import defaultdict
from collections.abc import Mapping

from review_analysis.word_lists import tables, words

_TABLES = tables(__file__)

_SHORT_FORMS: Mapping[str, str] = _TABLES["short_forms"]

# Names of their own as well: hardly anybody calls a Jack John, or a Frank Francisco.
_OWN_NAMES = frozenset("carol frank gail harry jack jamie jan julie leo liam luke sasha".split())


def _both_ways() -> dict[str, tuple[str, ...]]:
    known: defaultdict[str, list[str]] = defaultdict(list)
    for name, forms in _SHORT_FORMS.items():
        for form in forms.split():
            if form not in _OWN_NAMES:
                # Debbie is Deb too, as both are Deborah; but Rob is hardly ever Bob.
                alike = (o for o in forms.split() if o.startswith(form) or form.startswith(o))
                known[form] += [name, *(other for other in alike if other != form)]
    return {
        name: tuple(dict.fromkeys((*_SHORT_FORMS.get(name, "").split(), *known[name])))
        for name in sorted({*_SHORT_FORMS, *known})
    }


# The short forms of a full first name, and the full names that a short one stands for.
NICKNAMES = _both_ways()

# Who hears a name spells it as it sounds.
SPELLINGS = {
    name: tuple(other for other in alike.split() if other != name)
    for alike in _TABLES["sound_alike"]
    for name in alike.split()
}


# --- Common first names ---------------------------------------------------------------------------


GIVEN_NAMES = words(_TABLES["given_names"])
