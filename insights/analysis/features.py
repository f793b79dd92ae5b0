"""What the linear models look at, as named values.

Words speak for themselves and in pairs. What they add up to (by the lexicon's rules, and as the
sentence model learnt it) speaks by where it stands to the thing that is judged.
"""

from insights.analysis.segments import Words
from insights.analysis.valence import Valences

Feature = tuple[str, float]

_LEXICON_SCALE = 1 / 3  # The lexicon runs to 4, so that 1 is plain praise.
_REACH = 12  # Words on either side of a target that are looked at one by one.


def terms(sentence: Words, valences: Valences) -> list[str]:
    """A sentence's words as the models know them: negated ones marked, numbers alike, no marks."""
    result: list[str] = []
    for word, tag, negated in zip(sentence.words, sentence.tags, valences.negated, strict=True):
        if tag == "#":
            result.append("#")
        elif tag in {",", "."}:
            result.append(word[0] if word[0] in "!?" else "" if word.isascii() else word)
        else:
            result.append("!" + word if negated else word)
    return result


def of_words(names: list[str]) -> list[Feature]:
    """Words and pairs of neighbours, for the sentence model."""
    found: list[Feature] = []
    previous = "^"
    for name in names:
        if name:
            found.append((name, 1.0))
            if previous:
                found.append((previous + " " + name, 1.0))
        previous = name
    return found


def of_sums(sentence: Words, valences: Valences) -> list[Feature]:
    """The lexicon's view of a sentence."""
    strengths = [s * _LEXICON_SCALE for s in valences.strengths if s]
    found = [("=bias", 1.0)]
    count = len(sentence)
    found.append(("=short" if count < 6 else "=mid" if count < 15 else "=long", 1.0))
    if not strengths:
        found.append(("=silent", 1.0))
        return found
    plus = sum(s for s in strengths if s > 0)
    minus = -sum(s for s in strengths if s < 0)
    total = plus - minus
    found += [
        ("=plus", min(plus, 3.0)), ("=minus", min(minus, 3.0)),
        ("=total", max(-3.0, min(3.0, total))),
        ("=sign+" if total > 0 else "=sign-", 1.0),
        ("=density", total / (count + 3) * 5),
        ("=last", max(-1.0, min(1.0, strengths[-1]))),
        ("=first", max(-1.0, min(1.0, strengths[0]))),
    ]  # fmt: skip
    if plus and minus:
        found.append(("=mixed", 1.0))
    contrast = next((i for i, tag in enumerate(sentence.tags) if tag == "B"), 0)
    if contrast:
        after = sum(valences.strengths[contrast:]) * _LEXICON_SCALE
        before = sum(valences.strengths[:contrast]) * _LEXICON_SCALE
        found.append(("=after", max(-2.0, min(2.0, after))))
        found.append(("=before", max(-2.0, min(2.0, before))))
    return found


# --- Targets --------------------------------------------------------------------------------------

_FAR = {"B": 0, "W": 1, "P": 2, "&": 3, ",": 4, "C": 5, "V": 6, "n": 7, "H": 8, "T": 9}


def of_target(
    sentence: Words,
    valences: Valences,
    names: list[str],
    learnt: list[float],
    first: int,
    last: int,
) -> list[Feature]:
    """What stands round words first..last."""
    found: list[Feature] = [("=bias", 1.0)]
    tags, clauses = sentence.tags, sentence.clauses
    size = len(names)
    clause = clauses[first]
    zones: dict[str, float] = {}
    paths: dict[str, float] = {}

    # The target's own words.
    own = 0.0
    for index in range(first, last + 1):
        found.append(("t " + names[index], 1.0))
        own += valences.strengths[index] * _LEXICON_SCALE
    if own:
        found.append(("=own", max(-1.5, min(1.5, own))))

    _side(found, zones, paths, sentence, valences, names, learnt, range(last + 1, size), 1)
    _side(found, zones, paths, sentence, valences, names, learnt, range(first - 1, -1, -1), -1)

    clause_plus = zones.get("x+c", 0.0)
    clause_minus = zones.get("x-c", 0.0)
    for name, value in zones.items():
        found.append(("=" + name, min(value, 3.0)))
    found += [("@" + name, max(-2.0, min(2.0, value))) for name, value in paths.items()]
    if not clause_plus and not clause_minus and not own:
        found.append(("=silent", 1.0))
        if "x+s" not in zones and "x-s" not in zones:
            found.append(("=mute", 1.0))
    elif clause_plus and clause_minus:
        found.append(("=mixed", 1.0))
    else:
        found.append(("=only+" if clause_plus else "=only-", 1.0))

    before = tags[first - 1] if first else "^"
    after = tags[last + 1] if last + 1 < size else "$"
    before2 = tags[first - 2] if first > 1 else "^"
    after2 = tags[last + 2] if last + 2 < size else "$"
    found += [
        ("<" + before, 1.0), (">" + after, 1.0), ("<<" + before2 + before, 1.0),
        (">>" + after + after2, 1.0), ("<>" + before + after, 1.0),
        ("=long" if size > 25 else "=mid" if size > 12 else "=short", 1.0),
        ("=clauses" + str(min(4, clauses[-1])), 1.0),
        ("=at" + str(min(3, clause)), 1.0),
    ]  # fmt: skip
    if last > first:
        found.append(("=several", 1.0))
    return found


def _side(
    found: list[Feature],
    zones: dict[str, float],
    paths: dict[str, float],
    sentence: Words,
    valences: Valences,
    names: list[str],
    learnt: list[float],
    order: range,
    side: int,
) -> None:
    tags, clauses = sentence.tags, sentence.clauses
    clause = clauses[order.start - side] if 0 <= order.start - side < len(clauses) else 0
    mark = "R" if side > 0 else "L"
    path = ""
    distance = 0
    nouns = 0
    previous = "T"
    for index in order:
        name, tag = names[index], tags[index]
        inside = clauses[index] == clause
        distance += 1
        strength = valences.strengths[index] * _LEXICON_SCALE
        if strength or learnt[index]:
            where = "c" if inside else "s"
            if strength:
                zone = "x+" if strength > 0 else "x-"
                zones[zone + where] = zones.get(zone + where, 0.0) + abs(strength)
                if inside:
                    near = "1" if distance <= 2 else "2" if distance <= 5 else "3"
                    key = zone + mark + near
                    zones[key] = zones.get(key, 0.0) + abs(strength)
                if distance <= _REACH:
                    key = ("+" if strength > 0 else "-") + mark + path + tag
                    paths[key] = paths.get(key, 0.0) + abs(strength)
            value = learnt[index]
            if value:
                zone = "l+" if value > 0 else "l-"
                key = zone + where
                zones[key] = zones.get(key, 0.0) + abs(value)
                decay = 1.0 / (1.0 + 0.25 * distance)
                if inside:
                    near = "1" if distance <= 2 else "2" if distance <= 5 else "3"
                    key = zone + mark + near
                    zones[key] = zones.get(key, 0.0) + abs(value)
                    zones[zone + "d"] = zones.get(zone + "d", 0.0) + abs(value) * decay
                if distance <= _REACH:
                    key = ("p" if value > 0 else "m") + mark + path
                    paths[key] = paths.get(key, 0.0) + abs(value)
        if name and distance <= _REACH:
            if inside:
                found.append(("c " + name, 1.0))
            near = "1" if distance == 1 else "2" if distance <= 3 else "3" if distance <= 6 else "4"
            if inside or distance <= 3:
                found.append((mark + near + " " + name, 1.0))
                if previous and distance <= 6:
                    pair = previous + " " + name if side > 0 else name + " " + previous
                    found.append((mark + "2 " + pair, 1.0))
        elif not inside and distance > _REACH and not path.endswith("*"):
            pass
        previous = name
        if tag != "J" and tag != "D" and not path.endswith(tag):
            path = path + tag if len(path) < 4 else path[:3] + "*"
