import pytest

from insights.prose.faq import questions
from insights.prose.wording import question_about
from review_analysis.taxonomies import VERTICALS, builtin
from tests.insights.prose.corpus import aggregate, record, said, ulid

LATE = "They came two hours late and said nothing."
PROMPT = "They arrived right on time and called ahead."


def answers(*records, business_name=""):
    return {each.slug: each for each in questions(aggregate(*records), business_name)}


def about_punctuality(praise, blame=0, shrugs=0):
    texts = [(PROMPT, 0.9)] * praise + [(LATE, -0.9)] * blame + [("They came at ten.", 0)] * shrugs
    return [
        record(number, said(text, score, aspects=["punctuality"]), rating=1 if score < 0 else 5)
        for number, (text, score) in enumerate(texts)
    ]


def test_answer_has_counts_in_words_and_one_quote():
    found = answers(*about_punctuality(17, 1))

    assert found["aspect-punctuality"].question == "Do they show up on time?"
    assert found["aspect-punctuality"].answer == (
        "Mostly, yes. At least 18 reviews mention punctuality: 17 are positive and"
        " 1 negative. One review says: “They arrived right on time and called ahead.”"
    )
    assert found["aspect-punctuality"].review_ids[0] == ulid(0)


@pytest.mark.parametrize(
    ("praise", "blame", "shrugs", "verdict", "counts"),
    [
        (40, 2, 0, "Most reviewers say yes.", "40 are positive and 2 negative."),
        (1, 9, 0, "Mostly, no.", "1 is positive and 9 negative."),
        (4, 1, 0, "More say yes than no.", "4 are positive and 1 negative."),
        (3, 0, 4, "Most say neither yes nor no.", "3 are positive and 4 neutral."),
        (6, 4, 0, "Opinions differ.", "6 are positive and 4 negative."),
        (3, 2, 1, "There is no clear answer yet.", "3 are positive, 1 neutral and 2 negative."),
        (2, 40, 0, "Few reviewers say yes.", "2 are positive and 40 negative."),
        (130, 70, 0, "More say yes than no.", "130 are positive and 70 negative."),
    ],
)
def test_verdict_is_as_certain_as_counts(praise, blame, shrugs, verdict, counts):
    found = answers(*about_punctuality(praise, blame, shrugs))

    total = praise + blame + shrugs
    assert found["aspect-punctuality"].answer.startswith(
        f"{verdict} At least {total} reviews mention punctuality: {counts}"
    )


def test_both_sides_are_quoted_if_opinions_differ():
    answer = answers(*about_punctuality(8, 6))["aspect-punctuality"]

    assert answer.answer.startswith("Opinions differ.")
    assert answer.answer.endswith(f" One review says: “{PROMPT}” Another says: “{LATE}”")
    assert answer.review_ids[:2] == (ulid(0), ulid(8))


def test_built_in_aspects_have_questions():
    for vertical in VERTICALS:
        for aspect in builtin(vertical)["aspects"]:
            question = question_about(aspect["id"], aspect["label"]).question
            assert not question.startswith("Are reviewers happy with"), (vertical, aspect["id"])


def test_custom_aspect_is_asked_about_by_label():
    texts = [
        record(number, said("The van was tidy inside.", aspects=["tidy_vans"]))
        for number in range(5)
    ]

    found = answers(*texts)["aspect-tidy-vans"]

    assert found.question == "Are reviewers happy with tidy vans?"
    assert "At least 5 reviews mention tidy vans: 5 are positive." in found.answer


def test_praised_people_are_named_with_shares():
    records = [
        record(
            number,
            said("Ana Reyes found the fault at once.", technicians=["ana-reyes"]),
        )
        for number in range(6)
    ] + [
        record(
            number, said("Mark was kind.", 0.8 if number < 16 else -0.8, technicians=["mark-dunn"])
        )
        for number in range(10, 18)
    ]

    found = answers(*records)["people-praised-most"]

    assert found.question == "Who do reviewers praise?"
    assert found.answer == (
        "Ana Reyes is praised in 6 of 6 reviews and Mark Dunn in 6 of 8."
        " One review says: “Ana Reyes found the fault at once.”"
    )


def test_services_and_areas_have_counts_and_a_quote():
    records = [
        record(
            number,
            said(f"The AC repair was {'very ' * number}good in Alder Bay.", services=["ac-repair"],
                 areas=["alder-bay"], aspects=["workmanship"]),
        )
        for number in range(5)
    ] + [
        record(number, said("Our drain is clear.", services=["drain-cleaning"], areas=["eastgate"]))
        for number in range(10, 18)
    ]  # fmt: skip

    found = answers(*records)

    assert found["services-most-mentioned"].question == "Which services do reviewers write about?"
    assert found["services-most-mentioned"].answer == (
        "8 reviews mention the drain cleaning and 5 the AC repair."
    )
    assert found["service-ac-repair"].question == "Are reviewers happy with the AC repair?"
    assert found["service-ac-repair"].answer == (
        "Yes, so far. At least 5 reviews mention the AC repair: 5 are positive."
        " A review about the AC repair says: “The AC repair was very very very good in Alder Bay.”"
    )
    assert (
        found["areas-served"].answer == "Reviewers mention Eastgate (8 reviews) and Alder Bay (5)."
    )
