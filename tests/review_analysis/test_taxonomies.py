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
# Whose manners "friendly" tells of, the words around it say.
MEANT_TWICE = {("restaurant", "food", "menu_variety"), ("clinic", "bedside_manner", "staff")}

every_vertical = pytest.mark.parametrize("vertical", VERTICALS)


@cache
def matcher_of(vertical, group):
    return Matcher([Entry.of(entry) for entry in builtin(vertical)[group]])


def found(vertical, text, group="aspects"):
    matcher = matcher_of(vertical, group)
    return {matcher.entries[place.entry].id for place in matcher.find(Source(text))}


def written(term):
    """A text that the term is found in."""
    first = re.sub(r"\(([^()|]*)\|[^()]*\)", r"\1", term)
    return first.replace("$*", "$3").replace("*", "xy").replace("#", "3")


def texts_with(phrase, terms):
    """The phrase, and the phrase followed by the rest of a term that begins as it ends."""
    phrase = written(phrase)
    yield phrase
    words = phrase.split(" ")
    for first in range(len(words)):
        yield from (phrase + rest for rest in terms.get(" ".join(words[first:]), ()))


def by_beginning(terms):
    """Words that follow each beginning of a term that has several words."""
    follows = {}
    for term in terms:
        for place in (place for place, char in enumerate(term) if char == " "):
            follows.setdefault(term[:place], []).append(term[place:])
    return follows


# --- What comes with the project ------------------------------------------------------------------


def test_every_vertical_of_a_business_has_a_taxonomy():
    assert set(VERTICALS) == set(Vertical.values)


@every_vertical
def test_a_taxonomy_that_comes_with_the_project_has_no_faults(vertical):
    taxonomy = builtin(vertical)

    assert faults(taxonomy) == []
    assert taxonomy["id"] == taxonomy["vertical"] == vertical
    assert taxonomy["areas"] == []


@every_vertical
def test_there_are_ten_aspects_and_more(vertical):
    taxonomy = builtin(vertical)

    assert len(taxonomy["aspects"]) >= 10
    assert all(len(taxonomy[group]) >= 10 for group in ("services", "problems", "topics"))


@every_vertical
@pytest.mark.parametrize("group", MATCHED)
def test_every_term_is_found_where_it_is_written(vertical, group):
    for entry in builtin(vertical)[group]:
        matcher = Matcher([Entry.of(entry)])

        unmatched = [term for term in entry["terms"] if not matcher.find(Source(written(term)))]

        assert not unmatched, f"{entry['id']}: {unmatched}"


@every_vertical
@pytest.mark.parametrize("group", MATCHED)
def test_every_exclusion_takes_something_away(vertical, group):
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
def test_no_term_stands_under_two_aspects_unless_it_means_both(vertical):
    owners = {}
    for aspect in builtin(vertical)["aspects"]:
        for term in aspect["terms"]:
            owners.setdefault(term.replace("-", " "), []).append(aspect["id"])

    shared = {(vertical, *aspects) for aspects in owners.values() if len(aspects) > 1}

    assert shared <= MEANT_TWICE


@every_vertical
def test_terms_and_ids_are_unique_in_their_entry_and_group(vertical):
    for group in GROUPS:
        entries = builtin(vertical)[group]
        assert len({entry["label"].lower() for entry in entries}) == len(entries)
        for entry in entries:
            spellings = [term.replace("-", " ") for term in entry["terms"]]
            assert len(set(spellings)) == len(spellings)


def test_each_call_gives_a_taxonomy_of_its_own():
    builtin("generic")["aspects"].clear()

    assert builtin("generic")["aspects"]


def test_a_vertical_that_is_unknown_has_no_taxonomy():
    with pytest.raises(KeyError, match=r"\.\./secrets"):
        builtin("../secrets")


# --- What customers say ---------------------------------------------------------------------------


def test_home_services_know_all_that_the_demos_customers_speak_of():
    taxonomy = builtin("home_services")

    aspects = {aspect["id"] for aspect in taxonomy["aspects"]}
    problems = {problem["id"] for problem in taxonomy["problems"]}
    services = {service["id"] for service in taxonomy["services"]}

    assert {aspect for clauses in texts.CLAUSES.values() for aspect in clauses} <= aspects
    assert texts.PROBLEMS.keys() <= problems
    assert {service.slug for service in SERVICES} <= services
    assert AREAS


# Sentences of reviews with words that mean something else there, and some that are meant.
FALSE_FRIENDS = [
    ("home_services", "professionalism", "I needed help with a nasty leak."),
    ("home_services", "reliability", "We have lived here for ten years."),
    ("restaurant", "service", "We drove an hour to get here."),
    ("generic", "speed", "I was late for my flight."),
    ("generic", "quality", "My phone died on the way."),
    ("senior_living", "safety", "He fell at home before the move."),
    ("senior_living", "medical", "She had a stroke in 2019."),
    ("restaurant", "service", "They serve mostly paninis and salads."),
    ("restaurant", "service", "The duck salad is warm and the bread is fresh."),
    ("restaurant", "service", "My favorite is the warm goat cheese on toast."),
    ("restaurant", "service", "I took a few clients here for lunch."),
    ("restaurant", "service", "Dinner for two came to $90 with tip."),
    ("restaurant", "service", "Tip: go early, the line gets long."),
    ("restaurant", "service", "My only complaint is the parking."),
    ("restaurant", "service", "Art on the walls calls attention to itself."),
    ("restaurant", "service", "The kitchen serves brunch until two."),
    ("restaurant", "service", "Warm lamps and dark wood everywhere."),
    ("restaurant", "service", "The sauce was warm and rich."),
    ("senior_living", "staff", "Mom's room was cold all winter."),
    ("senior_living", "staff", "The soup comes out cold."),
    ("senior_living", "staff", "It was cold in the dining room."),
    ("senior_living", "staff", "She loves the sweet potatoes and the sweet tea."),
    ("senior_living", "staff", "Home sweet home, she says."),
    ("senior_living", "staff", "The apple turnover is her favorite."),
    ("senior_living", "staff", "They turn over the mattress every month."),
    ("senior_living", "staff", "There is a dedicated memory care wing."),
    ("senior_living", "staff", "A pleasant dining room with big windows."),
    ("senior_living", "staff", "The lobby is pleasant and cheerful."),
    ("senior_living", "staff", "It is a pet friendly building."),
    ("senior_living", "staff", "The residents are friendly and she has made friends."),
    ("senior_living", "staff", "In every respect this place let us down."),
    ("senior_living", "staff", "The rooms are nice and the view is nice."),
    ("senior_living", "staff", "She was a patient in the rehab wing."),
    ("senior_living", "staff", "The construction workers start at six."),
    ("senior_living", "staff", "He joined the trivia team."),
    ("senior_living", "staff", "Loving memory of my dad."),
    ("senior_living", "staff", "It was a rough transition at first."),
    ("senior_living", "staff", "The blankets are warm and soft."),
    ("senior_living", "staff", "I mean the whole building smells."),
    ("senior_living", "staff", "They have hearing aids and mobility aids for sale."),
    ("generic", "quality", "I work in the building next door."),
    ("generic", "quality", "I thoroughly enjoyed my visit."),
    ("generic", "quality", "I would thoroughly recommend this place."),
    ("generic", "quality", "The location is superb."),
    ("generic", "quality", "The staff was superb."),
    ("generic", "quality", "The food is mediocre."),
    ("generic", "quality", "The stained glass windows are lovely."),
    ("generic", "quality", "I broke my arm last year."),
    ("generic", "quality", "My coupon had expired."),
    ("generic", "quality", "He was on a smoke break, they take lots of breaks."),
    ("generic", "quality", "It is not cheap by any standard."),
    ("generic", "quality", "The repair shop next door is loud."),
    ("generic", "quality", "With a fake smile she handed me the form."),
    ("generic", "quality", "She spoke broken English."),
    ("generic", "quality", "I applied for the job and never heard back."),
    ("generic", "quality", "The work load was too much for one clerk."),
    ("home_services", "responsiveness", "They were here last week for the air conditioning."),
    ("home_services", "responsiveness", "The water heater died on a Saturday night."),
    ("home_services", "price", "They took the door off its hinges."),
    ("home_services", "knowledge", "I found them on Google."),
    ("home_services", "safety", "The ceilings are high and the fire was lit."),
    ("home_services", "workmanship", "The lights were back on a timer, I guess."),
    ("clinic", "thoroughness", "I found the office by the park."),
    ("clinic", "trust", "A friend sold me on this place."),
    ("clinic", "scheduling", "They moved the chairs."),
    ("law_firm", "communication", "It rained throughout the day."),
    ("law_firm", "outcome", "It was no big deal."),
    ("senior_living", "price", "She walked up the stairs."),
    ("senior_living", "activities", "There are lots of windows."),
    ("senior_living", "food", "He lost a friend last year."),
    ("restaurant", "menu_variety", "We could see the ships sail out of the harbor."),
    ("restaurant", "reliability", "We will be in town every time the fair is on."),
    ("generic", "communication", "In terms of distance it is far."),
    ("generic", "quality", "It was the last one on the shelf."),
    ("generic", "reliability", "I moved here years and years ago."),
]
FRIENDS = [
    ("restaurant", "service", "It took an hour to get our food."),
    ("generic", "quality", "It died after two days."),
    ("senior_living", "safety", "She fell twice in her first week there."),
    ("restaurant", "service", "The staff was warm and welcoming."),
    ("restaurant", "service", "We got a warm welcome at the door."),
    ("restaurant", "service", "It took a long time to get our drinks."),
    ("restaurant", "service", "Nobody paid attention to us."),
    ("restaurant", "service", "She deserved a bigger tip."),
    ("restaurant", "service", "We left her a generous tip."),
    ("restaurant", "service", "Could not get the waiter's attention."),
    ("restaurant", "service", "Dinner was served quickly."),
    ("restaurant", "service", "We were served by a very rude woman."),
    ("restaurant", "service", "Everyone is so warm and friendly here."),
    ("senior_living", "staff", "The nurses are nice and patient with dad."),
    ("senior_living", "staff", "Everyone is so nice."),
    ("senior_living", "staff", "A cold and impersonal bunch."),
    ("senior_living", "staff", "Staff turnover is constant."),
    ("senior_living", "staff", "She is sweet to my mother."),
    ("senior_living", "staff", "They are very respectful."),
    ("senior_living", "staff", "They are kind, warm and loving people."),
    ("senior_living", "staff", "Nice people work here."),
    ("senior_living", "staff", "The aides were rough with her."),
    ("senior_living", "staff", "A friendly, dedicated team."),
    ("senior_living", "staff", "The lady at the desk was mean."),
    ("generic", "quality", "Their work is fantastic."),
    ("generic", "quality", "They did thorough work."),
    ("generic", "quality", "The quality of the work is superb."),
    ("generic", "quality", "It broke after two days."),
    ("generic", "quality", "The product works great."),
    ("generic", "quality", "They have high standards."),
    ("generic", "quality", "Not up to standard."),
    ("generic", "quality", "It stopped working."),
    ("generic", "quality", "The repair held up."),
    ("generic", "quality", "They cleaned the car thoroughly."),
    ("generic", "quality", "Mediocre product at best."),
    ("generic", "quality", "The screen is cracked."),
    ("senior_living", "staff", "The receptionist was cold to us."),
]


def test_words_that_mean_something_else_speak_of_no_aspect():
    taken = [text for vertical, aspect, text in FALSE_FRIENDS if aspect in found(vertical, text)]

    assert taken == []


def test_words_are_still_found_where_they_mean_it():
    missed = [text for vertical, aspect, text in FRIENDS if aspect not in found(vertical, text)]

    assert missed == []


# --- The shape ------------------------------------------------------------------------------------


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
def test_a_fault_of_the_head_is_told(change, sentence):
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
def test_a_fault_of_an_entry_is_told_with_its_place(change, sentence):
    taxonomy = builtin("generic")
    taxonomy["aspects"] = [{"id": "price", "label": "Price", "terms": ["cost"]} | change]

    [fault] = faults(taxonomy)

    assert fault.startswith(f'Entry 1 of "aspects" {sentence}')


@pytest.mark.parametrize("group", ["services", "areas"])
def test_what_names_are_found_by_has_no_gaps(group):
    taxonomy = builtin("generic")
    taxonomy[group] = [{"id": "fix", "label": "Fix", "terms": ["fix * leak"]}]

    assert faults(taxonomy) == [
        f'Entry 1 of "{group}" (fix): "terms": "fix * leak" may have a * only at its end.'
    ]


def test_an_id_that_stands_twice_is_told():
    taxonomy = builtin("generic")
    taxonomy["topics"] = [{"id": "pets", "label": "Pets", "terms": ["dog"]}] * 2

    assert faults(taxonomy) == [
        'Entry 2 of "topics" (pets): "id" stands at an earlier entry as well; ids must differ.'
    ]


def test_too_many_entries_are_told_without_reading_them_all():
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
def test_any_json_is_judged_and_what_passes_can_be_matched(content):
    for taxonomy in (content, builtin("generic") | {"aspects": content, "problems": [content]}):
        found = faults(copy.deepcopy(taxonomy))

        assert all(isinstance(fault, str) and fault.endswith(".") for fault in found) or found
        if not found:
            Matcher([Entry.of(entry) for entry in taxonomy["aspects"]]).find(Source("any text"))
