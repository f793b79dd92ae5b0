import pytest

from insights.prose.aspect_questions import answering_stems
from insights.prose.relevance import begins_without_verb, relevance


def about(aspect, label=""):
    return set(answering_stems(aspect, label or aspect.capitalize()))


@pytest.mark.parametrize(
    ("text", "aspect", "label"),
    [
        ("The price of the new boiler they put in for us was very fair.", "price", "positive"),
        ("The staff are friendly and always have time for a chat.", "staff", "positive"),
        ("The price was exactly what they had told me on the phone.", "price", "positive"),
        ("The staff who showed us around were lovely.", "staff", "positive"),
        ("I love how they explain every step.", "communication", "positive"),
        ("We paid a very reasonable price for the flowers.", "price", "positive"),
        ("The receptionist who took my call was rude.", "staff", "negative"),
        ("It is easy to park here.", "parking", "positive"),
        ("The rooms were dirty and the beds sagged.", "cleanliness", "negative"),
    ],
)
def test_judgements_of_the_subject(text, aspect, label):
    assert relevance(text, about(aspect)).says(label)


@pytest.mark.parametrize(
    ("text", "aspect", "label"),
    [
        ("Nora is patient with people like me who know nothing.", "knowledge", "positive"),
        ("The clerk helped me fill in the long form for my warranty.", "warranty", "positive"),
        ("Pat made sure I knew how it worked so the party was a delight.", "expertise", "positive"),
        ("The cake was so lovely that we forgot about the price.", "price", "positive"),
        ("She was awful when I asked about my bill.", "price", "negative"),
        ("People on a budget share this table with noisy teenagers.", "price", "negative"),
        ("The park was a joy from start to finish.", "parking", "positive"),
        ("Ned made a booking to look at a new lamp.", "booking", "positive"),
    ],
)
def test_judgements_of_something_else_beside_the_word(text, aspect, label):
    assert not relevance(text, about(aspect)).says(label)


def test_remarks_without_a_verb_at_the_beginning():
    assert begins_without_verb("Great service, they came at once.")
    assert not begins_without_verb("The service was great and prices are fair.")
    assert not begins_without_verb("Their plumber and the office were great.")
