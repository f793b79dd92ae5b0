import copy
import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demo.business import AREAS, SERVICES
from review_analysis.segments import Source
from review_analysis.taxonomies import GROUPS, MAX_ENTRIES, VERTICALS, builtin, faults
from review_analysis.terms import Entry, Matcher
from reviews.models import Vertical
from tools.demo_reviews import texts

MATCHED = ("aspects", "problems", "topics")
# A remark about the menu's choice is one about the food as well.
# The context decides to whom "friendly" refers.
MEANT_TWICE = {("restaurant", "food", "menu_variety"), ("clinic", "bedside_manner", "staff")}

every_vertical = pytest.mark.parametrize("vertical", VERTICALS)


@cache
def matcher_of(vertical, group):
    return Matcher([Entry.of(entry) for entry in builtin(vertical)[group]])


def found(vertical, text, group="aspects"):
    matcher = matcher_of(vertical, group)
    return {matcher.entries[place.entry].id for place in matcher.find(Source(text))}


def written(term):
    """Return a text that the term is found in."""
    first = re.sub(r"\(([^()|]*)\|[^()]*\)", r"\1", term)
    return first.replace("$*", "$3").replace("*", "xy").replace("#", "3")


def texts_with(phrase, terms):
    """Return the phrase alone, and with the rest of a term that begins as it ends."""
    phrase = written(phrase)
    yield phrase
    words = phrase.split(" ")
    for first in range(len(words)):
        yield from (phrase + rest for rest in terms.get(" ".join(words[first:]), ()))


def by_beginning(terms):
    """Map each beginning of a longer term to its following words."""
    follows = {}
    for term in terms:
        for place in (place for place, char in enumerate(term) if char == " "):
            follows.setdefault(term[:place], []).append(term[place:])
    return follows


# --- Built-in taxonomies --------------------------------------------------------------------------


def test_every_vertical_has_a_taxonomy():
    assert set(VERTICALS) == set(Vertical.values)


@every_vertical
def test_built_in_taxonomy_is_valid(vertical):
    taxonomy = builtin(vertical)

    assert faults(taxonomy) == []
    assert taxonomy["id"] == taxonomy["vertical"] == vertical
    assert taxonomy["areas"] == []


@every_vertical
@pytest.mark.parametrize("group", MATCHED)
def test_terms_are_found_in_their_texts(vertical, group):
    for entry in builtin(vertical)[group]:
        matcher = Matcher([Entry.of(entry)])

        unmatched = [term for term in entry["terms"] if not matcher.find(Source(written(term)))]

        assert not unmatched, f"{entry['id']}: {unmatched}"


@every_vertical
@pytest.mark.parametrize("group", MATCHED)
def test_exclusions_have_an_effect(vertical, group):
    for entry in builtin(vertical)[group]:
        bare = Matcher([Entry.of(entry | {"exclude": []})])
        whole = Matcher([Entry.of(entry)])
        terms = by_beginning(map(written, entry["terms"]))

        idle = [
            phrase
            for phrase in entry.get("exclude", [])
            if not any(
                len(whole.find(source)) < len(bare.find(source))
                for source in map(Source, texts_with(phrase, terms))
            )
        ]

        assert not idle, f"{entry['id']}: {idle}"


@every_vertical
def test_terms_belong_to_one_aspect_unless_listed(vertical):
    owners = {}
    for aspect in builtin(vertical)["aspects"]:
        for term in aspect["terms"]:
            owners.setdefault(term.replace("-", " "), []).append(aspect["id"])

    shared = {(vertical, *aspects) for aspects in owners.values() if len(aspects) > 1}

    assert shared <= MEANT_TWICE


@every_vertical
def test_terms_and_ids_are_unique(vertical):
    for group in GROUPS:
        entries = builtin(vertical)[group]
        assert len({entry["label"].lower() for entry in entries}) == len(entries)
        for entry in entries:
            spellings = [term.replace("-", " ") for term in entry["terms"]]
            assert len(set(spellings)) == len(spellings)


def test_unknown_vertical_has_no_taxonomy():
    with pytest.raises(KeyError, match=r"\.\./secrets"):
        builtin("../secrets")


# --- Words of customers ---------------------------------------------------------------------------


def test_home_services_cover_topics_of_demo():
    taxonomy = builtin("home_services")

    aspects = {aspect["id"] for aspect in taxonomy["aspects"]}
    problems = {problem["id"] for problem in taxonomy["problems"]}
    services = {service["id"] for service in taxonomy["services"]}

    assert {aspect for clauses in texts.CLAUSES.values() for aspect in clauses} <= aspects
    assert texts.PROBLEMS.keys() <= problems
    assert {service.slug for service in SERVICES} <= services
    assert AREAS


# --- Validation -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"id": " "}, '"id" must be a text of 1 to 100 characters.'),
        ({"version": 0}, '"version" must be a whole number from 1.'),
        ({"version": True}, '"version" must be a whole number from 1.'),
        ({"colour": 1}, '"colour" is not a field of a taxonomy.'),
        ({"areas": None}, '"areas" must be a list; an empty one will do.'),
        ({"topics": ["x"]}, 'Entry 1 of "topics" must be a JSON object.'),
    ],
)
def test_error_of_head_is_reported(change, sentence):
    assert faults(builtin("generic") | change) == [sentence]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"id": "Price!"}, '(Price!): "id" must be of lower-case letters and digits, like'),
        ({"id": "with-dash"}, '(with-dash): "id" must be of lower-case letters and digits, like'),
        ({"label": ""}, '(price): "label" must be a text of 1 to 100 characters.'),
        ({"terms": []}, '(price): "terms" must have at least one term.'),
        ({"terms": "cost"}, '(price): "terms" must be a list of texts.'),
        (
            {"terms": ["a*b"]},
            '(price): "terms": "a*b" may have a * only at the end of a word, or by itself.',
        ),
        ({"terms": ["(a|) dollar"]}, '(price): "terms": "(a|) dollar" must begin with a word.'),
        (
            {"terms": ["(fair|(so|very) low)"]},
            '(price): "terms": "(fair|(so|very) low)" may have a | only between brackets, and',
        ),
        ({"terms": ["# dollars"]}, '(price): "terms": "# dollars" must begin with a word.'),
        ({"terms": ["*"]}, '(price): "terms": "*" must have a letter or a digit.'),
        ({"terms": [7]}, '(price): "terms" must hold texts of 1 to 1000 characters only.'),
        ({"exclude": {}}, '(price): "exclude" must be a list of texts.'),
        ({"word": 1}, '(price): "word" is not a field of an entry.'),
        ({"term_polarity": {"cost": 2}}, '(price): "term_polarity": "cost" must be -1 or 1.'),
        ({"term_polarity": {"x": 1}}, '(price): "term_polarity": "x" must be one of "terms".'),
        ({"weak": ["x"]}, '(price): "weak": "x" must be one of "terms".'),
        ({"weak": ["cost"]}, '(price): "weak" must leave a term that counts by itself, or'),
        ({"weak": "cost"}, '(price): "weak" must be a list of texts.'),
        ({"subjects": [1]}, '(price): "subjects" must hold texts of 1 to 1000 characters only.'),
    ],
)
def test_error_of_entry_is_reported_with_place(change, sentence):
    taxonomy = builtin("generic")
    taxonomy["aspects"] = [{"id": "price", "label": "Price", "terms": ["cost"]} | change]

    [fault] = faults(taxonomy)

    assert fault.startswith(f'Entry 1 of "aspects" {sentence}')


@pytest.mark.parametrize("group", ["services", "areas"])
def test_terms_of_names_have_no_gaps(group):
    taxonomy = builtin("generic")
    taxonomy[group] = [{"id": "fix", "label": "Fix", "terms": ["fix * leak"]}]

    assert faults(taxonomy) == [
        f'Entry 1 of "{group}" (fix): "terms": "fix * leak" may have a * only at its end.'
    ]


def test_duplicate_id_is_reported():
    taxonomy = builtin("generic")
    taxonomy["topics"] = [{"id": "pets", "label": "Pets", "terms": ["dog"]}] * 2

    assert faults(taxonomy) == [
        'Entry 2 of "topics" (pets): "id" stands at an earlier entry as well; ids must differ.'
    ]


def test_too_many_entries_are_reported_without_reading_all():
    taxonomy = builtin("generic")
    taxonomy["topics"] = [
        {"id": f"t{number}", "label": "T", "terms": ["t"]} for number in range(MAX_ENTRIES + 1)
    ]

    assert faults(taxonomy) == ['"topics" must have at most 200 entries; it has 201.']


ENTRY_FIELDS = ("id", "label", "terms", "weak", "subjects", "exclude", "term_polarity")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*ENTRY_FIELDS, "aspects"]), inner)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_validated_and_valid_taxonomy_can_be_matched(content):
    for taxonomy in (content, builtin("generic") | {"aspects": content, "problems": [content]}):
        found = faults(copy.deepcopy(taxonomy))

        assert all(isinstance(fault, str) and fault.endswith(".") for fault in found) or found
        if not found:
            Matcher([Entry.of(entry) for entry in taxonomy["aspects"]]).find(Source("any text"))
