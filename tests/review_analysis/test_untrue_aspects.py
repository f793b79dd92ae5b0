"""Words of an aspect that speak of something else."""

import pytest

from review_analysis import analyse
from review_analysis.taxonomies import builtin


def aspects(vertical, text, rating=None):
    return {aspect["id"] for aspect in analyse(text, rating, builtin(vertical), [])["aspects"]}


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Hart is friendly and takes her time.",
        "He was polite and gentle with my mother.",
        "The doctor was rude to me.",
        "She has a good bedside manner and is courteous.",
    ],
)
def test_manners_of_a_doctor_are_bedside_manner(text):
    found = aspects("clinic", text)

    assert "bedside_manner" in found
    assert "staff" not in found


@pytest.mark.parametrize(
    "text",
    [
        "The receptionist was friendly.",
        "Everyone was polite and helpful.",
        "The two receptionists that work there are friendly.",
        "Her assistant on the other hand is rude.",
        "The front desk is rude.",
        "Dr. Hart and her staff are courteous.",
        "The nurses hung up on me. They were unhelpful.",
    ],
)
def test_manners_of_receptionists_are_of_the_staff(text):
    assert "staff" in aspects("clinic", text)


@pytest.mark.parametrize(
    ("vertical", "text", "aspect"),
    [
        ("clinic", "I had to pay the deductible up front.", "trust"),
        ("clinic", "He is reasonably knowledgeable.", "price"),
        ("clinic", "The wait time is reasonable.", "price"),
        ("clinic", "It is not worth going back to her.", "price"),
        ("clinic", "Nobody found any experts to testify.", "medical_skill"),
        ("clinic", "The laser is non-evasive and quick.", "communication"),
        ("clinic", "Great office!", "staff"),
        ("attraction", "The rides are well-maintained.", "cleanliness"),
        ("attraction", "The place looks poorly maintained.", "cleanliness"),
        ("attraction", "We gave the rides a miss.", "rides"),
        ("attraction", "Awesome family day out.", "staff"),
        ("attraction", "Tour operators sell the same ticket.", "exhibits"),
        ("attraction", "The park was reasonably quiet.", "price"),
        ("home_services", "We own a late 1950's home and they did great work.", "punctuality"),
        ("home_services", "The odor was dangerously strong.", "safety"),
        ("home_services", "It was the best choice we could have made.", "honesty"),
    ],
)
def test_words_in_another_sense_are_not_of_the_aspect(vertical, text, aspect):
    assert aspect not in aspects(vertical, text)


@pytest.mark.parametrize(
    ("vertical", "text", "aspect"),
    [
        ("clinic", "She was honest and up front about my chances.", "trust"),
        ("clinic", "The fees are reasonable.", "price"),
        ("attraction", "The rides are well-maintained.", "grounds"),
        ("attraction", "The place looks poorly maintained.", "grounds"),
        ("home_services", "They were reasonably priced.", "price"),
        ("home_services", "They left dangerous wiring behind.", "safety"),
    ],
)
def test_words_in_their_own_sense_are_of_the_aspect(vertical, text, aspect):
    assert aspect in aspects(vertical, text)
