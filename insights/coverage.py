"""Preview a taxonomy: its matches in some reviews, unmatched sentences, and missing words."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from insights.stop_nouns import is_general, is_person
from insights.topics import nouns_in, pairs_of
from review_analysis import Analyser
from review_analysis.name_matching import Roster
from review_analysis.reading import Reading

GROUPS = {"aspects": "aspect", "problems": "problem", "topics": "topic"}
EXAMPLES = 3
UNMATCHED = 30
SUGGESTIONS = 30
MIN_REVIEWS = 3  # Reviews with a suggested word.
Key = tuple[str, str]  # Kind and id of an entry.


def coverage(
    taxonomy: Mapping[str, Any], before: Mapping[str, Any], roster: Roster, texts: Sequence[str]
) -> dict[str, Any]:
    """Compare the matches of `taxonomy` and `before` in the texts; takes a millisecond per text."""
    analyser, analyser_before = Analyser(taxonomy, roster), Analyser(before, roster)
    found: dict[Key, list[str]] = defaultdict(list)
    found_before: Counter[Key] = Counter()
    names = _words_of_names(roster)
    missing: dict[str, list[str]] = defaultdict(list)
    elsewhere: Counter[str] = Counter()
    unmatched: list[tuple[float, str]] = []
    count = 0
    for text in texts:
        reading = analyser.read(text)
        for key, words in _places(text, reading).items():
            found[key].append(words)
        found_before.update(_places(text, analyser_before.read(text)).keys())
        matching = {mention.sentence for each in reading.aspects for mention in each.mentions}
        unmatched_terms: dict[str, str] = {}
        matched_terms: set[str] = set()
        for number, sentence in enumerate(reading.sentences):
            words = text[sentence.start : sentence.end].strip()
            terms = _terms(words, names)
            if number in matching:
                matched_terms |= terms
            else:
                unmatched.append((-abs(sentence.score), words))
                unmatched_terms = dict.fromkeys(terms, words) | unmatched_terms
        for term, words in unmatched_terms.items():
            missing[term].append(words)
        elsewhere.update(matched_terms)
        count += len(reading.sentences)
    matched = [
        {
            "group": group,
            "id": entry["id"],
            "label": entry["label"],
            "reviews": len(found[kind, entry["id"]]),
            "before": found_before[kind, entry["id"]],
            "examples": found[kind, entry["id"]][:EXAMPLES],
        }
        for group, kind in GROUPS.items()
        for entry in taxonomy.get(group, ())
    ]
    return {
        "reviews": len(texts),
        "sentences": count,
        "unmatched_count": len(unmatched),
        "matched": matched,
        "changed": [entry for entry in matched if entry["reviews"] != entry["before"]],
        # Sentences without an aspect, most opinionated first.
        "unmatched": list(dict.fromkeys(words for _, words in sorted(unmatched)))[:UNMATCHED],
        "suggestions": list(islice(_suggestions(missing, elsewhere), SUGGESTIONS)),
    }


def _words_of_names(roster: Roster) -> frozenset[str]:
    labels = (
        *(name for each in roster.people for name in each.names),
        *(name for each in roster.areas for name in (each.name, *each.aliases)),
    )
    return frozenset(word for label in labels for word in label.lower().split())


def _places(text: str, reading: Reading) -> dict[Key, str]:
    """Return the first sentence of a review that mentions each aspect, problem and topic."""
    places: dict[Key, str] = {}
    mentioned = [("aspect", aspect.id, aspect.mentions) for aspect in reading.aspects]
    mentioned += [(entity.type, entity.id, entity.mentions) for entity in reading.entities]
    for kind, key, mentions in mentioned:
        if mentions:
            sentence = reading.sentences[mentions[0].sentence]
            places[kind, key] = text[sentence.start : sentence.end].strip()
    return places


def _terms(text: str, names: frozenset[str]) -> set[str]:
    """Return the nouns and pairs of nouns in a text, without names."""
    terms: set[str] = set()
    for nouns in nouns_in(text):
        last = nouns[-1].lower()
        terms.update(pairs_of(nouns))
        if not is_general(last) and not is_person(last):
            terms.add(last)
    return {term for term in terms if names.isdisjoint(term.split())}


def _suggestions(
    unmatched: Mapping[str, Sequence[str]], elsewhere: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    """Yield terms that occur mostly in unmatched sentences; a pair replaces its words.

    `unmatched` has one sentence per review for each term.
    """
    chosen: dict[str, int] = {}
    ranked = sorted(unmatched, key=lambda each: (-len(unmatched[each]), -each.count(" "), each))
    for term in ranked:
        sentences = unmatched[term]
        longer = (count for pair, count in chosen.items() if term in pair.split())
        if (
            len(sentences) >= MIN_REVIEWS
            and len(sentences) > elsewhere[term]
            and all(2 * count < len(sentences) for count in longer)
        ):
            chosen[term] = len(sentences)
            yield {
                "term": term,
                "terms": [term],
                "reviews": len(sentences),
                "example": sentences[0],
            }
