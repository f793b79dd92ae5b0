"""Which technicians, services and areas a text names, and where."""

import datetime as dt
import re
from pathlib import Path

import pytest

from reviews.mentions import AreaEntry, Found, Roster, ServiceEntry, TechnicianEntry
from tests.reviews.naming import DAY, ROSTER, named

# Names that are words, so that every rule of context is needed.
NAMESAKES = Roster(
    TechnicianEntry(name.split()[0].lower(), name)
    for name in (
        "Mark Dunn",
        "Will Okafor",
        "April Reyes",
        "Bill Tran",
        "May Lin",
        "Rose Adler",
        "Grace Kim",
        "Art Novak",
        "Scott Hale",
        "Austin Pell",
        "Hope Diaz",
        "Frank Moss",
        "Dana Ruiz",
        "Drew Fox",
        "Chase Lowe",
    )
)


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("Mark was great.", ["mark"]),
        ("Thanks Mark!", ["mark"]),
        ("MARK WAS GREAT", ["mark"]),
        ("THANKS TO MARK AND HIS CREW", ["mark"]),
        ("Mark D. was great", ["mark"]),
        ("Mark I appreciate you", ["mark"]),
        ("Mark the technician was on time", ["mark"]),
        ("Mark, our tech, was on time", ["mark"]),
        ("Mark's work was solid.", ["mark"]),
        ("I asked for Mark and got him.", ["mark"]),
        ("Mr. Mark was lovely", ["mark"]),
        ("Will was very helpful", ["will"]),
        ("Will explained everything", ["will"]),
        ("Will came on time", ["will"]),
        ("Will and his helper", ["will"]),
        ("Thank you Will!", ["will"]),
        ("Will always explained what he did", ["will"]),
        ("Will, the plumber, arrived early", ["will"]),
        ("WILL WAS AWESOME", ["will"]),
        ("THANK YOU WILL", ["will"]),
        ("Will knows his stuff", ["will"]),
        ("Will did a great job", ["will"]),
        ("our tech Will was great", ["will"]),
        ("Will took his time", ["will"]),
        ("Will from Tern Hollow fixed it", ["will"]),
        ("Will the tech was kind", ["will"]),
        ("April was so kind on the phone", ["april"]),
        ("April in the office answered", ["april"]),
        ("I spoke to April and she was kind", ["april"]),
        ("Thanks April", ["april"]),
        ("April explained the quote", ["april"]),
        ("May was wonderful", ["may"]),
        ("May came out on Friday", ["may"]),
        ("Bill was great", ["bill"]),
        ("Bill came to fix it", ["bill"]),
        ("Bill charged me a fair price", ["bill"]),
        ("Bill, thank you!", ["bill"]),
        ("I would ask for Bill", ["bill"]),
        ("BILL WAS GREAT", ["bill"]),
        ("Rose answered the phone", ["rose"]),
        ("Ask for Rose", ["rose"]),
        ("Grace was patient", ["grace"]),
        ("Art fixed the furnace", ["art"]),
        ("Scott was great", ["scott"]),
        ("Austin was on time", ["austin"]),
        ("Austin installed a heater", ["austin"]),
        ("Hope was lovely", ["hope"]),
        ("Frank and his helper", ["frank"]),
        ("Frank fixed it", ["frank"]),
        ("Dana is the best", ["dana"]),
        ("Dana R. came", ["dana"]),
        ("DANA RUIZ CAME", ["dana"]),
        ("Dana Was Great And Very Professional", ["dana"]),
        ("Dana Monday morning arrived", ["dana"]),
        ("dana? No: Dana!", ["dana"]),
        ("Drew explained all", ["drew"]),
        ("Chase repaired the drain", ["chase"]),
        ("Mark and Dana came", ["mark", "dana"]),
        ("Mark, Will did it", ["mark", "will"]),
        ('"Mark" was great', ["mark"]),
        ("(Mark was nice)", ["mark"]),
        ("Great job.Mark was on time", ["mark"]),
        ("Mark\nwas great", ["mark"]),
        ("I can't say enough about Mark.", ["mark"]),
        ("Mark went above and beyond", ["mark"]),
        ("Mark (the installer) was good", ["mark"]),
        ("Will - great job", ["will"]),
        ("Tech: Will", ["will"]),
        ("Had Will out last week", ["will"]),
        ("Will really knows his stuff", ["will"]),
        ("Will had it fixed in an hour", ["will"]),
        ("Will made it easy", ["will"]),
        ("Mark, thank you", ["mark"]),
        ("Thank you May for your help", ["may"]),
        ("Thanks to May", ["may"]),
        ("Shout out to April!", ["april"]),
        ("Kudos to April and the team", ["april"]),
        ("Bill and Dana's crew?", ["bill", "dana"]),
        ("I recommend asking for Will the next time", ["will"]),
        ("Thank you Will for coming", ["will"]),
        ("When Will arrived he was nice", ["will"]),
        ("We had Will and Dana", ["will", "dana"]),
        ("Mark and Will came", ["mark", "will"]),
        ("Big thanks to Will for the help", ["will"]),
        ("Mark J. Dunn was great", ["mark"]),
        ("Austin's work was solid", ["austin"]),
        ("WILL DID A GREAT JOB", ["will"]),
        ("OUR TECH WILL WAS ON TIME", ["will"]),
        ("Will did not rush", ["will"]),
        ("Will listened", ["will"]),
        ("Will has a calm way", ["will"]),
        ("and Will told us", ["will"]),
        ("so Will stayed late", ["will"]),
        ("that Will replaced the valve", ["will"]),
        ("Will treats people well", ["will"]),
        ("Will really treats people well", ["will"]),
        ("Will Okafor and a colleague rewired the shed", ["will"]),
        ("Rose A. took my blood pressure twice", ["rose"]),
        ("Without Will there would be no hot water", ["will"]),
        ("We choose Will each spring", ["will"]),
        ("Will here by nine, finished by ten", ["will"]),
        ("Frank in vision therapy is patient", ["frank"]),
        ("Hope on the evening shift stayed on", ["hope"]),
        ("April and May at the front counter are sisters", ["april", "may"]),
        ("Chase pressure washed the patio", ["chase"]),
        ("We watched Austin solder the joint", ["austin"]),
        ("A message from Austin arrived at six", ["austin"]),
        ("I was mad at Rose for a minute", ["rose"]),
        ("Mark, our dog groomer, was gentle", ["mark"]),
        ("The owner and his wife Grace greet everyone", ["grace"]),
        ("My kids loved Drew", ["drew"]),
        ("Hope May reads this", ["may"]),
        ("Will May work on Sunday?", ["may"]),
        ("It's April who runs the place", ["april"]),
        ("Grace measures everything twice", ["grace"]),
        ("My nails were painted by April", ["april"]),
        ("Bill: very kind", ["bill"]),
        ("Hope was great with my son", ["hope"]),
        ("Bill went up the ladder", ["bill"]),
        ("A patient Mark explained it", ["mark"]),
        ("Frank, thanks and see you", ["frank"]),
        ("Chase deserves a raise", ["chase"]),
        ("Hire Drew anytime", ["drew"]),
        ("I know April and Will from school", ["april", "will"]),
        ("Highly recommend Chase L.!", ["chase"]),
        ("Bill and Frank keep the lights on", ["bill", "frank"]),
        ("Outstanding service from Austin.", ["austin"]),
    ],
)
def test_a_capitalised_name_means_the_technician(text, slugs):
    assert [found.slug for found in NAMESAKES.find(text)] == slugs


@pytest.mark.parametrize(
    "text",
    [
        "Mark my words, never again.",
        "Mark your calendar.",
        "Mark it down as the worst.",
        "Mark Zuckerberg would be proud.",
        "Mark Z. was great",
        "Will you come back?",
        "Will use again.",
        "Will definitely recommend to friends",
        "Will be calling them again",
        "Will call again!",
        "Will never hire them",
        "Will always use them",
        "WILL USE AGAIN",
        "I WILL BE BACK",
        "WE WILL HIRE THEM",
        "Will the heater last?",
        "We had it installed in April 2024.",
        "In April we called",
        "April 2024",
        "It broke last April and again in May",
        "Since May it works",
        "from March to April",
        "April and May were bad",
        "April was a cold month",
        "We signed up for April 3rd",
        "on 3 April",
        "mid-April",
        "May I suggest",
        "May need another visit",
        "May be the best",
        "May 5th",
        "Bill was too high",
        "The bill was high",
        "The Bill was high",
        "Bill came to $400",
        "Bill was $900 more than quoted",
        "Bill me later",
        "BILL WAS TWICE THE QUOTE",
        "My Bill was wrong",
        "Rose to the occasion",
        "a Rose by any other name",
        "Grace under pressure",
        "Grace period is over",
        "Art of plumbing",
        "The Art of plumbing",
        "Michael Scott was our plumber",
        "Best in Austin",
        "Living in Austin, TX",
        "Hope this helps",
        "Hope you fix it",
        "Frank and honest",
        "Dana Scully would approve",
        "there was dana too",
        "Drew a diagram for us",
        "Chase bank",
        "Chase them for weeks",
        "Saint Mark is a church",
        "St. Mark's Church",
        "Jean-Mark",
        "Mark-Anthony",
        "info@Mark.com Mark.com",
        "Overall good. Will recommend.",
        "Price fair; will use again. Will tell others.",
        "Will really miss them",
        "Will have to call back",
        "Will make sure to call",
        "Will get them again",
        "Will not be back",
        "Great work, Will definitely use again",
        "great service Will use again",
        "Great company and Will use again",
        "Thanks, Will be back",
        "Thank you! Will return.",
        "Austin's best plumbers",
        "Mark up is crazy",
        "Will surely tell my friends",
        "Will gladly pay again",
        "Will no longer use them",
        "Will think twice",
        "Will look elsewhere next time",
        "My sister in law Grace told us of them",
        "My daughters Hope and Grace sang",
        "Our poodle named Chase was washed",
        "A neighbor named Frank had the same pump",
        "Her coworker Rose comes here too",
        "Drew, our beagle, was calm",
        "Dana next door heard it all",
        "Hi, this is Dana and I want to complain",
        "They fixed everything. Dana",
        "They fixed everything!\nDana, Boise ID",
        "Best wishes, Scott and Ellen Burke",
        "We flew over from Austin",
        "The drive back to Austin is long",
        "We are a family from Austin.",
        "Many Austin homes have such pipes",
        "the usual Frank answer",
        "We had lunch at Grace and came here",
        "I paid my deposit through Chase",
        "Take the Scott exit",
        "A Dana axle is what it needs",
        "When hurricane Grace came they stayed open",
        "Jim Scott built it",
        "Bert Scott was worse",
        "Ray Scott sang",
        "The choir of Ave Grace",
        "We live on Rose Hill",
        "They put in a Mark IV pump",
        "April is a slow time for roofers",
        "The worst Bill of my life",
        "There is Hope for this town",
        "May the plumber be blessed",
        "My neighbor Mr. Mark saw it",
        "Frank, open and fair",
        "May is when they are busiest",
        "It's April and nobody came",
        "The visit was planned for April, then moved to May",
        "A loyal client, Dana",
        "Well done!! -Dana R.",
        "West Austin shop",
        "Rose petals on the stairs",
        "Mark & Sons wanted more",
        "Supper at Grace's was lukewarm",
        "They promised it by May",
        "The flight from Austin was late",
        "Bill: $60",
        "Hope was not lost",
        "Grace, charity and hope",
        "Bill went up by 40 percent",
        "From April until now nobody called",
        "Drew conclusions too early",
        "They put a muddy Mark on my rug",
        "Rose early to meet them",
        "WE HAD TO CHASE A REFUND",
        "It is hard to see how, but we need to Mark each box",
        "Grant programs pay for it",
        "Art prints everywhere",
        "Austin suburbs have hard water",
        "Preston Grace apartments have good pipes",
        "Abbey Rose florist sent flowers",
    ],
)
def test_a_word_or_a_stranger_with_that_name_means_nobody(text):
    assert NAMESAKES.find(text) == []


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("dana was great", ["dana"]),
        ("hi, we had dana over. drew fixed the gate", ["dana", "drew"]),
        ("Talked to frank about the drain", ["frank"]),
        ("thanks mark! thank you dana and rose", ["mark", "dana", "rose"]),
        ("ask for bill, he knows boilers", ["bill"]),
        ("thank you dana and rose for your help", ["dana", "rose"]),
        ("thanks again and hope for a call", []),
        ("our plumber art was on time, and will cleaned up", ["art", "will"]),
        ("bill's work is clean", ["bill"]),
        ("kudos to hope and her crew", ["hope"]),
        ("april was patient and grace answered every call", ["april", "grace"]),
        ("april was cold, hope was lost and grace was said", []),
        ("mark and chase were on time", ["mark", "chase"]),
        ("we will call again and may tell our friends", []),
        ("thanks, will be back", []),
        ("thanks, hope to see you again", []),
        ("paid our bill in may, no bill was too high", []),
        ("the tech drew a sketch and will come back", []),
        ("a frank answer, with grace and hope", []),
        ("they had to chase a two-chase cable", []),
        ("rose bushes were trimmed and art was hung", []),
        ("my sister dana was there", []),
    ],
)
def test_a_first_name_in_lower_case_counts_by_signs_of_a_person_alone(text, slugs):
    assert [found.slug for found in NAMESAKES.find(text)] == slugs


# A team of namesakes: every one of them is an English word, or bears a name that strangers bear.
TEAM = Roster(
    TechnicianEntry(name, name)
    for name in (
        *("Mark Reyes", "Will Okafor", "Dr. April Bell", "May Lin", "June Park", "Bill Tran"),
        *("Grant Ito", "Rich Vega", "Frank Moss", "Art Novak", "Pat Doyle", "Hope Diaz"),
        *("Grace Kim", "Joy Adeyemi", "Rose Adler", "Faith Osei", "Chase Lowe", "Drew Fox"),
        *("Sue Hart", "Dean Wolfe", "Jack Ames", "Ray Ortiz", "Miles Chen", "Summer Voss"),
        *("Amber Holt", "Dawn Pike", "Angel Cruz", "Major Banks", "Christian Roy", "Price Hollis"),
        *("Young Cho", "Long Nguyen", "Don Webb", "Max Stein", "Michael Tate", "David Orr"),
        *("Robert Lang", "Elizabeth Shaw", "Katherine Bloom", "José Peña", "Zoë Blake"),
        *("Shane O'Neil", "D'Angelo Watts", "Kevin Marsh", "Chris Abbot", "James Lund"),
        "Autumn Reed",
    )
)


# Whose names the other lines were made around, half of them used as words.
CROWD = Roster(
    TechnicianEntry(name, name if " " in name else f"{name} Quimby")
    for name in (
        *("Mark Delaney", "Will Torres", "April Nguyen", "Bill Hartman", "Grace Kim"),
        *("Hope Sanders", "Rose Martinez", "Chase Whitfield", "Grant Olsen", "Drew Palmer"),
        *("May Chen", "June Fischer", "Summer Brooks", "Dawn Petrov", "Faith Okafor"),
        *("Joy Banerjee", "Rich Kowalski", "Frank Moretti", "Jack Lindqvist", "Carol Hughes"),
        *("Art Feldman", "Pat O'Brien", "Rob Santos", "Sue Whitaker", "Chip Dawson"),
        *("Guy Laurent", "Gene Abbott", "Dale Hutchins", "Heather Stone", "Ginger Walsh"),
        *("José Ramírez", "Sean O'Connor", "Maria Lopez", "Austin Reed", "Jordan Blake"),
        *("Hunter Price", "Miles Carver", "Ray", "Max", "Dean", "Amber", "Crystal", "Angel"),
        *("Christian", "Don", "Penny", "Ruby", "Sandy", "Rusty", "Daisy", "Lily", "Holly", "Ivy"),
        *("Olive", "Jasmine", "Iris", "Herb", "Basil", "Cliff", "Clay", "Glen", "Lane", "Mason"),
        *("Rod", "King", "Prince", "Duke", "Star", "Sky", "Skip", "Buck", "Wade", "Nick", "Mike"),
        *("Bob", "Josh", "Dallas", "Phoenix", "Savannah", "Charlotte", "Madison", "Georgia"),
        *("Virginia", "Paris", "London", "Chelsea", "Victoria", "Sydney", "Dakota"),
    )
)


@pytest.mark.parametrize(
    ("roster", "file"),
    [(TEAM, "names_in_reviews.txt"), (CROWD, "words_and_names_in_reviews.txt")],
)
def test_few_names_in_reviews_are_missed_and_few_words_taken_for_names(roster, file):
    """Each line marks in brackets where somebody of the roster is meant."""
    right = wrong = missed = 0
    for line in Path(__file__).with_name(file).read_text(encoding="utf-8").splitlines():
        marked = line.replace("\\n", "\n")
        text = re.sub(r"[\[\]]", "", marked)
        meant = [
            (m.start() - 2 * i, m.end() - 2 * i - 2)
            for i, m in enumerate(re.finditer(r"\[[^\]]+\]", marked))
        ]
        found = [(f.start, f.end) for f in roster.find(text)]
        hits = sum(any(a < end and start < b for start, end in found) for a, b in meant)
        right += hits
        missed += len(meant) - hits
        wrong += sum(not any(a < end and start < b for a, b in meant) for start, end in found)

    assert right / (right + wrong) >= 0.97
    assert right / (right + missed) >= 0.98


@pytest.mark.parametrize(
    ("name", "text", "spelling"),
    [
        ("Michael Tate", "Mike was great", "Mike"),
        ("Guy Marsh", "Guy at the front desk was rude", None),
        ("Guy Marsh", "Guy was kind", "Guy"),
        ("Carol Marsh", "Bob was kind. Carol too.", "Carol"),
        ("Carol Marsh", "Carol singers came by", None),
        ("Gene Marsh", "Gene tests took a week", None),
        ("Troy Marsh", "We came down from Troy", None),
        ("Troy Marsh", "Troy came down to us", "Troy"),
        ("Mercedes Marsh", "They know my Mercedes", None),
        ("Mercedes Marsh", "Mercedes does my nails", "Mercedes"),
        ("Charity Marsh", "Charity events for the shelter", None),
        ("Mike Tate", "Michael was great", "Michael"),
        ("Elizabeth Shaw", "thanks to Liz", "Liz"),
        ("Michael Tate", "Mike Johnson was great", None),
        ("Frank Moss", "Franklin was great", None),
        ("Jack Ames", "John was great", None),
        ("Nick Ames", "Dominic was great", None),
        ("Zoë Blake", "Zoe was great", "Zoe"),
        ("Dr. April Bell, DDS", "Dr. Bell was great", "Bell"),
        ("Dr. April Bell, DDS", "DOCTOR BELL WAS GREAT", "BELL"),
        ("Dr. April Bell, DDS", "April Bell was great", "April Bell"),
        ("Dr. April Bell, DDS", "April was great", "April"),
        ("Dr. April Bell, DDS", "Dr. Smith and the bell, Bell", None),
        ("Dr. April Bell", "Dr. Bell Carter was great", None),
        ("Dr. April Bell", "My neighbor Dr. Bell was there", None),
        ("Dr. April Bell", "dr. bell was kind", "bell"),
        ("Dr. April Bell", "they rang the bell", None),
        ("Dr. Bell", "Dr Bell was great", "Dr Bell"),
        ("Dr. Bell", "Bell was great", None),
        ("Chef Marco", "Marco was great", "Marco"),
        ("Dr. Anthony", "Anthony was great", "Anthony"),
        ("Mark Jr.", "Mark was great", "Mark"),
        ("Doctor", "our Doctor was great", "Doctor"),
        ("Ana de la Cruz", "Ms. de la Cruz was great", "de la Cruz"),
        ("Mark Dunn Jr.", "Mark Dunn was great", "Mark Dunn"),
        ("Mark Tran", "Mark T. was great", "Mark T."),
        ("mark reyes", "we mark it; Mark was great", "Mark"),
        ("shane o'neil", "Shane O'Neil was great", "Shane O'Neil"),
        ("Shane O'Neil", "Shane Oneil was great", "Shane"),
        ("Shane O'Neil", "We asked for Mr. O'Neil", "O'Neil"),
        ("Shane O'Neil", "We asked for Shane O'Shea", None),
        ("Don Webb", "Don't. Don\u2019t. DON'T. Don t.", None),
    ],
)
def test_people_go_by_short_forms_plain_spellings_and_titles(name, text, spelling):
    roster = Roster([TechnicianEntry("one", name)])

    assert named(text, roster) == ([("one", spelling)] if spelling else [])


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("Mike was great", ["dunn"]),
        ("Michael was great", ["tate"]),
        ("Rob was great", []),
        ("Ana was great", []),
        ("Ana C. was great, Ana R too", ["castellano", "reyes"]),
        ("Ms. Castellano was great", ["castellano"]),
        ("Mr. Lang was great", []),
    ],
)
def test_a_short_form_yields_to_a_name_and_means_nobody_if_it_fits_several(text, slugs):
    roster = Roster(
        [
            TechnicianEntry("tate", "Michael Tate"),
            TechnicianEntry("dunn", "Mike Dunn"),
            TechnicianEntry("castellano", "Ana Castellano"),
            TechnicianEntry("reyes", "Ana Reyes"),
            TechnicianEntry("robert", "Robert Lang"),
            TechnicianEntry("roberto", "Roberto Lang"),
        ]
    )

    assert [found.slug for found in roster.find(text)] == slugs


def test_a_usual_short_form_counts_in_lower_case_and_another_alias_does_not():
    roster = Roster([TechnicianEntry("one", "William Dunn", ("Will", "Ace"))])

    assert named("thanks will! thanks ace!", roster) == [("one", "will")]


def test_filters_know_names_and_no_short_forms():
    roster = Roster([TechnicianEntry("tate", "Dr. Michael Tate")])

    assert roster.resolve_technician("michael") == "tate"
    assert roster.resolve_technician("Michael Tate") == "tate"
    assert roster.resolve_technician("Mike") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mark's van", [("mark-dunn", "Mark")]),
        ("Mark\u2019s van, Marks\u2019 van", [("mark-dunn", "Mark"), ("mark-dunn", "Mark")]),
        ("Marks van", []),
        ("we mark it, says dunn", []),
        ("thanks marky", []),
        ("thanks Marky", [("mark-dunn", "Marky")]),
        (
            "The Dunn Guy and the dunn guy",
            [("mark-dunn", "The Dunn Guy"), ("mark-dunn", "the dunn guy")],
        ),
        ("Mark\n  Dunn, Mark-Dunn", [("mark-dunn", "Mark\n  Dunn"), ("mark-dunn", "Mark-Dunn")]),
        ("MARK DUNN", [("mark-dunn", "MARK DUNN")]),
        ("Jose came, then Jose Pena", [("jose-pena", "Jose"), ("jose-pena", "Jose Pena")]),
        ("José Pena, jose pena", [("jose-pena", "José"), ("jose-pena", "jose")]),
        ("Jean-Luc Obrien, Mr. O'Brien", [("jean-luc", "Jean-Luc"), ("jean-luc", "O'Brien")]),
        ("JOSÉ", [("jose-pena", "JOSÉ")]),
        ("Jose\u0301!", [("jose-pena", "Jose\u0301")]),
        ("José\u0302", []),
        (
            "Maria came; Maria Chen and Lola too",
            [("maria-chen", "Maria Chen"), ("maria-lopez", "Lola")],
        ),
        ("Jean Luc O\u2019Brien", [("jean-luc", "Jean Luc O\u2019Brien")]),
        ("Jean-Luc, not Jean", [("jean-luc", "Jean-Luc")]),
        ("是张伟修的", [("zhang-wei", "张伟")]),
        (
            "DRAINAGE drains undrained",
            [("drain-cleaning", "DRAINAGE"), ("drain-cleaning", "drains")],
        ),
        ("Heat-pump installations", [("heat-pump", "Heat-pump installations")]),
        ("heat pump switches", [("heat-pump", "heat pump")]),
        ("a/c, tuneup, furnace tuneups", [("heat-pump", "a/c"), ("tune-up", "furnace tuneups")]),
        (
            "alder bay, Alder Bay, ALDER BAY",
            [("alder-bay", "Alder Bay"), ("alder-bay", "ALDER BAY")],
        ),
        ("east of the Bay, ab, AB", [("alder-bay", "the Bay"), ("alder-bay", "AB")]),
        ("East Alder Bay", [("east-alder-bay", "East Alder Bay")]),
        ("Große straße, Mark, ẞ", [("mark-dunn", "Mark")]),
        ("", []),
    ],
)
def test_a_term_is_found_where_it_stands(text, expected):
    assert named(text) == expected


@pytest.mark.parametrize(
    ("day", "slugs"),
    [
        (dt.date(2024, 12, 31), []),
        (dt.date(2025, 1, 1), ["tess"]),
        (dt.date(2025, 12, 31), ["tess"]),
        (dt.date(2026, 1, 1), []),
        (None, ["tess"]),
    ],
)
def test_a_technician_is_named_only_while_active(day, slugs):
    assert [found.slug for found in ROSTER.find("Tess was lovely.", date=day)] == slugs


def test_services_that_share_a_keyword_share_its_places():
    roster = Roster(services=[ServiceEntry("b", "B", ("leak",)), ServiceEntry("a", "A", ("leak",))])

    assert roster.find("A leak") == [
        Found("service", "a", 0, 1),
        Found("service", "a", 2, 6),
        Found("service", "b", 2, 6),
    ]


def test_distinct_mentions_come_by_kind_and_slug_with_the_names_of_columns():
    mentions = ROSTER.match(
        "Furnace works again in Alder Bay, furnace and all. Thanks Mark!",
        date=DAY,
        technicians=["  maria  CHEN ", "Mark D.", "Tess", "nobody"],
        services=["drain-cleaning", "Furnace tune-up (yearly)"],
    )

    assert mentions == [
        ("technician", "maria-chen"),
        ("technician", "mark-dunn"),
        ("technician", "tess"),
        ("service", "drain-cleaning"),
        ("service", "tune-up"),
        ("area", "alder-bay"),
    ]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("mark-dunn", "mark-dunn"),
        (" MARK  DUNN ", "mark-dunn"),
        ("mark", "mark-dunn"),
        ("marky", "mark-dunn"),
        ("lola", "maria-lopez"),
        ("maria", None),
        ("maria-lopez", "maria-lopez"),
        ("Jose\u0301 Pen\u0303a", "jose-pena"),
        ("jose", None),
        ("dunn", None),
        ("Tess", "tess"),
        ("", None),
    ],
)
def test_a_technician_is_resolved_by_id_full_name_alias_or_unique_first_name(name, slug):
    assert ROSTER.resolve_technician(name) == slug


def test_services_and_areas_are_resolved_by_id_and_name():
    assert ROSTER.resolve_service("HEAT PUMP installation") == "heat-pump"
    assert ROSTER.resolve_service("heat-pump") == "heat-pump"
    assert ROSTER.resolve_service("furnace") is None


def test_an_id_wins_over_the_first_name_of_another_in_filters_and_names_nobody_in_texts():
    roster = Roster([TechnicianEntry("kim", "Kim Sol"), TechnicianEntry("kim-2", "Kim Ash")])

    assert roster.resolve_technician("Kim") == "kim"
    assert roster.find("Kim was here") == []


@pytest.mark.parametrize("term", ["", "*", "   ", "''", "-", "...", "\u0301"])
def test_a_term_without_letters_or_digits_means_nothing(term):
    roster = Roster(
        [TechnicianEntry("t", term, (term,))],
        [ServiceEntry("s", term, (term,))],
        [AreaEntry("a", term, (term,))],
    )

    assert roster.find(f"Some {term} text * - ... '' with everything") == []
