import pytest

from insights.prose.wholeness import has_subject, is_whole


@pytest.mark.parametrize(
    "text",
    [
        "The crew fixed it in an hour.",
        "They came when they had said.",
        "We found it easy to book.",
        "It is easy to book a visit here.",
        "This company is a pleasure to work with.",
        "Everyone who works here knows what she is doing.",
        "Mark took care of it, and he was kind.",
        "Maren told us which switch she had used.",
        "The receptionist rolled her eyes when I asked about my balance.",
        "When I complained to a supervisor he said they were short staffed.",
        "I can't recommend them enough.",
        "They came that day because of the storm.",
        "The children loved the games, and the staff kept them busy.",
        "My mother was nervous until Kelly gave her a hand.",
        "We told two other firms, and Kelly beat them on price.",
        "I would hire them for all of my repairs.",
        "Everyone at the shop loves her job.",
        "My boss was pleased and he will be back.",
        "The crew really fixed it well.",
        "Some of them were late.",
        "These guys know what they are doing.",
        "The price was reasonable and fair for the size of the job.",
        "Grove Park, where we met, was clean and quiet.",
        "The bid was straightforward and honest, naming only the essentials.",
    ],
)
def test_sentences_that_are_clear_by_themselves_are_whole(text):
    assert is_whole(text)


@pytest.mark.parametrize(
    "text",
    [
        "Great work at a fair price.",
        "Very friendly staff.",
        "For what they charge.",
        "If you want a good roof.",
        "The third house that we used them on.",
        "Third house we've used them on.",
        "New faucet and advice on the water softener that saved me money.",
        "A capacitor, fixed in thirty minutes.",
        "The communication isn't.",
        "Our plumber does.",
        "Peter was honest about why.",
        "A well kept shop with lovely staff for all ages.",
        "Good choice in reasonably priced lunch bowls.",
        "Lovely soup in terms of taste.",
        "Grove Park, easy parking, well sign posted and shady picnic tables, good for a picnic.",
    ],
)
def test_parts_of_a_sentence_are_not_whole(text):
    assert not is_whole(text)


@pytest.mark.parametrize(
    "text",
    [
        "He fixed the pump.",
        "Her work is great.",
        "We had it fixed in an hour.",
        "This was great.",
        "Those are the best in town.",
        "It was more than fair.",
        "The second visit was her own idea.",
        "Luis found it in twenty minutes.",
        "Tanya doesn't do it, others do.",
        "Kelly gives them stickers and Dr. Chen talks to them.",
        "The last one was rude.",
        "We were satisfied after that.",
        "We loved these dishes.",
        "On top of that, they were rude to my mother.",
        "It is always crowded for this reason.",
        "Bright lamps and large puzzles kept them entertained.",
        "Kelly found him a seat near the door.",
        "Staff were quick when the pump failed, he had another in the truck.",
        "The technicians were quick and he explained it all.",
        "The staff gave her a hand with the bags.",
    ],
)
def test_pronouns_without_their_nouns_are_not_whole(text):
    assert not is_whole(text, frozenset({"Kelly", "Luis", "Tanya"}))


@pytest.mark.parametrize(
    "text",
    [
        "And the price was right.",
        "Secondly, the bed was comfortable.",
        "Also, they were quick.",
        "Instead Luis told me to call a plumber.",
        "One laughed.",
        "The office is great too.",
        "They cleaned up the water as well.",
        "They then charged me a fee.",
        "The concierge was also fantastic.",
        "Great location  and nice rooms are there.",
    ],
)
def test_sentences_that_go_on_from_another_are_not_whole(text):
    assert not is_whole(text)


def test_words_of_names_name_nobody_without_their_capitals():
    text = "Staff were helpful when the castle did not fit, he had a spare."

    assert not is_whole(text, frozenset({"Bouncy", "Castle"}))
    assert is_whole("Castle was helpful when the tent tore, he had a spare.", frozenset({"Castle"}))


def test_names_are_subjects_whatever_else_their_words_mean():
    assert not has_subject("Will fixed the pump.")
    assert has_subject("Will fixed the pump.", frozenset({"Will"}))
    assert is_whole("Will said that he had fixed the pump.", frozenset({"Will"}))


@pytest.mark.parametrize(
    "text",
    [
        "Waited an hour for a table.",
        "Scheduled three times, no-showed twice.",
        "Patient with my questions, showed me how to drain it.",
        "Do not trust the timeline.",
    ],
)
def test_sentences_without_a_subject(text):
    assert not has_subject(text)


@pytest.mark.parametrize(
    "text", ["We waited an hour.", "Prices are fair.", "The man at the gate was nice about it."]
)
def test_sentences_with_a_subject(text):
    assert has_subject(text)


@pytest.mark.parametrize(
    "text",
    [
        "Owen was very polite, well informed, and fair pricing.",
        "The desk is helpful, the rooms are tidy and less waiting time.",
        "The crew was quick and great work.",
    ],
)
def test_things_at_the_end_of_a_list_of_adjectives_are_not_whole(text):
    assert not is_whole(text)
