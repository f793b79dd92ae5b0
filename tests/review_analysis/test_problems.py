"""Problems that count: those that this business made."""

import pytest

from review_analysis import analyse
from review_analysis.taxonomies import builtin


def problems(vertical, text, rating=None):
    found = analyse(text, rating, builtin(vertical), [])["entities"]
    return {entity["id"] for entity in found if entity["type"] == "problem"}


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("home_services", "He was not a pushy sales person."),
        ("home_services", "Marcus was never a pushy or high-pressure salesman, just honest."),
        ("home_services", "No hidden fees, surprise charges or upselling."),
        ("home_services", "Not once did they overcharge us."),
        ("home_services", "They didn't rush, overcharge or leave a mess."),
        ("home_services", "At no point did I feel he was rude or condescending."),
        ("home_services", "I never had to deal with a no show or a rude tech."),
        ("home_services", "Nobody tried to upsell us on anything."),
        ("home_services", "They explained everything instead of giving us a sales pitch."),
        ("generic", "By no means were they rude."),
        ("generic", "At no time did we feel unsafe or threatened."),
        ("restaurant", "Not a single rude word from anyone."),
    ],
)
def test_denied_problem_is_none(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("home_services", "Other firms did not show up."),
        ("home_services", "Two other companies never called back, these guys came the same day."),
        ("home_services", "The last plumber never showed up and was rude on the phone."),
        ("home_services", "Another company tried to overcharge us. They were rude as well."),
        ("home_services", "We were ripped off by the previous contractor."),
        ("home_services", "One vendor in particular was pushy, so I called these people."),
        ("clinic", "Even when patients are rude to her she stays kind."),
        ("clinic", "My old dentist was always rude and misdiagnosed me twice."),
        ("clinic", "Dr. Bell fixed what another office botched."),
        ("law_firm", "The insurance company would not return my calls."),
        ("law_firm", "My first attorney missed the filing deadline."),
        ("generic", "The dealership charged me twice, so I came here."),
    ],
)
def test_problem_of_others_is_none(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("home_services", "They repaired the storm damage to our roof."),
        ("home_services", "We had storm damage that they repaired in a week. Great job."),
        ("home_services", "Hail damaged our siding and they replaced all of it. Excellent work."),
        ("generic", "I walked in with a broken necklace and she had it fixed in a day. Lovely."),
        ("generic", "My phone was broken and they made it work again. So happy."),
        ("clinic", "My daughter was misdiagnosed at urgent care. Dr. Amin found it in a day!"),
        ("home_services", "We called them for water damage."),
        (
            "home_services",
            "Something caused damage to the wiring and they had it mended in an hour.",
        ),
        ("auto_repair", "They found that the radiator was cracked and put in a new one."),
    ],
)
def test_repaired_damage_or_reason_of_visit_is_no_problem(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("generic", "I was late and they still took me."),
        ("generic", "We did not arrive until midnight, and the clerk smiled."),
        ("home_services", "I expected to be overcharged."),
        ("home_services", "I was worried about hidden fees and a pushy salesman."),
        ("restaurant", "If you are worried about small portions, don't be."),
        ("home_services", "It could have been a no show, but no."),
        ("home_services", "It would have been simple for them to try to upsell my mum."),
        ("home_services", "He hears you out over trying to upsell."),
    ],
)
def test_problem_of_the_customer_or_only_imagined_is_none(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text", "expected"),
    [
        ("home_services", "They did not show up.", {"no-show"}),
        ("home_services", "Other firms came at once. These did not show up.", {"no-show"}),
        ("home_services", "The technician was pushy and rude.", {"upselling", "rude-behavior"}),
        ("home_services", "They never called back.", {"unanswered-calls"}),
        ("home_services", "The price was not low and they overcharged us.", {"overcharge"}),
        ("home_services", "He scratched the floor and left a mess.", {"damage", "mess-left"}),
        ("home_services", "They never cleaned up the mess they left behind.", {"mess-left"}),
        ("clinic", "I waited an hour and the receptionist was rude.", {"long-wait", "rude-staff"}),
        ("law_firm", "My attorney missed the deadline.", {"missed-deadline"}),
        ("generic", "I was charged twice.", {"billing-error"}),
        ("generic", "Not only late, they were rude.", {"rude-staff"}),
        ("restaurant", "I don't know why, but the waiter was rude.", {"rude-staff"}),
        ("restaurant", "The food was not worth it. The waitress was rude.", {"rude-staff"}),
    ],
)
def test_problem_of_the_business_counts(vertical, text, expected):
    assert expected <= problems(vertical, text)


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("attraction", "Rude tourists kept pushing past the stroller."),
        ("attraction", "The people were so rude, shoving and cutting into every queue."),
        ("restaurant", "The other guests were rude to our table."),
        ("fitness", "Members are rude and leave the weights lying around."),
    ],
)
def test_what_other_customers_are_like_is_no_problem_of_the_business(vertical, text):
    assert problems(vertical, text, 3) == set()


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("generic", "One reviewer claimed the clerk was rude, I met nothing but smiles."),
        ("retail", "I had read reviews about rude cashiers. Mine was lovely."),
        ("retail", "Some people find it too expensive, but I love every shelf."),
        ("attraction", "On a weekday you queue 10 minutes per ride at most."),
        ("attraction", "If you hate standing in long lines, come on a Tuesday."),
    ],
)
def test_what_others_claim_or_visitors_escape_is_no_problem(vertical, text):
    assert problems(vertical, text, 5) == set()


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("retail", "I will never return."),
        ("retail", "I'll never come here again."),
        ("generic", "We will not return to this place."),
        ("generic", "We were a bit late for the class."),
        ("retail", "I grabbed the wrong size by mistake."),
        ("generic", "They called us several times to confirm."),
    ],
)
def test_what_the_customer_does_or_the_business_does_well_is_no_problem(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize("time", ["a few minutes", "five minutes", "3 minutes", "a couple of mins"])
def test_wait_of_a_few_minutes_is_no_problem(time):
    assert "long-wait" not in problems("generic", f"I waited {time} and was served.")


@pytest.mark.parametrize("time", ["twenty five minutes", "25 minutes", "an hour", "over an hour"])
def test_long_wait_is_a_problem(time):
    assert "long-wait" in problems("generic", f"I waited {time} and walked out.", 1)


@pytest.mark.parametrize(
    ("vertical", "text", "expected"),
    [
        ("generic", "Don't waste an evening with these rip-off artists.", "scam"),
        ("generic", "Do not go to these crooks.", "scam"),
        ("generic", "Never use these liars.", "scam"),
        ("generic", "Avoid this rude bunch.", "rude-staff"),
        ("generic", "Beware of hidden fees.", "hidden-fee"),
        ("generic", "I would not recommend these scammers to anybody.", "scam"),
        ("generic", "I won't be going back to these crooks.", "scam"),
        ("generic", "I can't believe how rude the owner was.", "rude-staff"),
    ],
)
def test_advice_against_the_business_denies_nothing(vertical, text, expected):
    assert expected in problems(vertical, text, 1)


@pytest.mark.parametrize(
    ("vertical", "text"),
    [
        ("restaurant", "She gave us a dirty look."),
        ("retail", "By nine the place is a ghost town."),
        ("generic", "My daughter has crooked teeth and an ear infection."),
        ("generic", "We picked it up a few days later."),
        ("generic", "Nasty winter weather outside."),
        ("restaurant", "The apple pie has some tough competition."),
        ("restaurant", "Reservations were tough to get."),
        ("generic", "They will not work with that insurer."),
        ("attraction", "The park does not open until ten."),
        ("clinic", "He sat with me for 45 minutes and answered everything."),
        ("clinic", "Here you aren't just a number."),
        ("clinic", "She spent 40 minutes with me."),
        ("restaurant", "Waitresses in skimpy outfits."),
        ("retail", "You leave with your heart broken when your size is gone."),
        ("fitness", "My trainer has been too busy lately."),
    ],
)
def test_word_of_another_sense_is_no_problem(vertical, text):
    assert problems(vertical, text) == set()


@pytest.mark.parametrize(
    ("vertical", "text", "expected"),
    [
        ("generic", "The clerk was unhelpful and the line was insane.", {"rude-staff"}),
        ("generic", "Overpriced, and the counter was filthy.", {"overpriced", "dirty-premises"}),
        ("generic", "They kept us waiting for 50 minutes.", {"long-wait"}),
        ("restaurant", "The bartender ignored us and then he yelled.", {"rude-staff"}),
        ("restaurant", "Bland soup, and so loud that we left.", {"poor-food", "noise"}),
        ("restaurant", "Service was ridiculously slow.", {"long-wait"}),
        ("fitness", "Half the bikes are not working, and the music is too loud.",
         {"broken-equipment", "noise"}),
        ("retail", "Clothes all over the floor, a complete mess.", {"dirty-premises"}),
        ("attraction", "Much of it was closed for repairs.", {"closed-attractions"}),
        ("hair_beauty", "She turned my hair orange.", {"bad-result"}),
        ("pet_services", "My dog came back with a gash on his leg.", {"injury"}),
        ("hotel", "Hidden resort fee at checkout.", {"hidden-fee"}),
        ("fitness", "No air con. I am waiting for a reply.", {"temperature", "unreachable"}),
        ("generic", "They don't care. They ripped my friend off.", {"rude-staff", "scam"}),
    ],
)  # fmt: skip
def test_problem_told_in_other_words_counts(vertical, text, expected):
    assert expected <= problems(vertical, text, 2)


def test_problem_put_right_counts_as_resolved():
    text = "They damaged a sprinkler line, owned up to it and had the damage repaired the same day."
    found = analyse(text, 5, builtin("home_services"), [])["entities"]

    assert [entity["id"] for entity in found if entity["type"] == "problem"] == ["damage"]


@pytest.mark.parametrize("text", ["not rude " * 2000, "other firms " * 1500 + "rude", "if " * 4000])
def test_problems_of_hostile_text_are_read_without_error(text):
    assert isinstance(problems("home_services", text + "never showed up"), set)
