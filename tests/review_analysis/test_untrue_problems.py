"""Words of a problem that this business did not make."""

import pytest

from review_analysis import analyse
from review_analysis.taxonomies import builtin


def problems(vertical, text, rating=None):
    found = analyse(text, rating, builtin(vertical), [])["entities"]
    return {entity["id"] for entity in found if entity["type"] == "problem"}


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("attraction", "Great park. 10 to 15 mins queue at most for the slides."),
        ("attraction", "15 min queue for the big coaster, lovely day."),
        ("clinic", "Kind doctor. Wait time was 15-20 minutes."),
        ("clinic", "Lovely dentist. I waited fifteen minutes."),
    ],
)
def test_short_wait_in_a_review_without_blame_is_none(vertical, text):
    assert problems(vertical, text, 5) == set()


def test_wait_of_twenty_minutes_in_a_bad_review_counts():
    text = "I waited 20 minutes and nobody said sorry. Awful clinic."

    assert problems("clinic", text, 1) == {"long-wait"}


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("clinic", "After being misdiagnosed for ten years, Dr. Hart found it. So thankful!"),
        ("clinic", "I had been with another psychiatrist and she was rude. Dr. Hart is kind."),
        ("clinic", "Many surgeons live off unnecessary procedures. Dr. Hart is honest and great."),
        ("clinic", "I love Dr. Hart. Most doctors are rude, he listens."),
        ("clinic", "More dentists should learn manners from her. She is wonderful."),
        ("attraction", "To be fair, most zoos have awful food, and we had a great day here."),
        ("home_services", "1 company never showed up, these people came at once. Great work."),
        ("home_services", "He found two leaks that the others never mentioned. Great work."),
    ],
)
def test_problem_of_other_firms_is_none(vertical, text):
    assert problems(vertical, text, 5) == set()


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("clinic", "She told me I was rude."),
        ("clinic", "She said that she couldn't get a hold of me."),
        ("clinic", "Needless to say I cancelled my next appointment."),
        ("generic", "The driver claims I did damage."),
        ("generic", "I was nasty with them."),
    ],
)
def test_problem_that_the_customer_made_is_none(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("clinic", "I find it hard to believe that he would be rude to anybody."),
        ("home_services", "She will not try to upsell you."),
        ("clinic", "You will never be rushed by her."),
        ("clinic", "I have met disrespectful doctors, and Dr. Hart is not one of them."),
        ("attraction", "With a pass the lunch feels less like a rip-off."),
    ],
)
def test_problem_denied_far_from_its_words_is_none(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("clinic", "I went to my cousin's dentist to have a second opinion."),
        ("clinic", "The treatment plan was not helpful."),
        ("clinic", "His unprofessional appearance surprised me."),
        ("attraction", "It is not very friendly for old people."),
        ("clinic", "Eight weeks out of surgery and I can walk."),
        ("attraction", "The splashing is dangerous to phones and cameras."),
        ("clinic", "He wouldn't answer my questions."),
    ],
)
def test_words_in_another_sense_are_no_problem(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text", "expected"),
    [
        ("clinic", "I won't go back to these rude people.", {"rude-staff"}),
        ("clinic", "Will never be back, the nurse was rude.", {"rude-staff"}),
        ("clinic", "It is hard to believe how rude he was.", {"rude-staff"}),
        ("clinic", "The receptionist was not very friendly.", {"rude-staff"}),
        ("clinic", "After being misdiagnosed twice here, I left.", {"misdiagnosis"}),
        ("clinic", "She said I was late and was rude about it.", {"rude-staff"}),
        ("home_services", "I told them I couldn't reach anyone.", {"unanswered-calls"}),
        ("clinic", "He told us to leave and was rude to everyone.", {"rude-staff"}),
    ],
)
def test_like_sentence_about_this_business_counts(vertical, text, expected):
    assert expected <= problems(vertical, text, 2)


def test_words_around_a_subject_leave_it_whole():
    text = "When I asked about another problem the doctor was rude, it's hard to believe."

    assert problems("clinic", text, 1) == {"rude-staff"}
