"""Names of firms, places, dishes and the writer's family, as whole reviews have them."""

import pytest

from review_analysis.name_matching import Roster, TechnicianEntry

TEAM = Roster(
    TechnicianEntry(name.split()[0].lower(), name)
    for name in (
        *("Pete Lang", "Regina Mott", "Brandon Hale", "Tyler Pope", "Howard Beck", "Marcus Bell"),
        *("Mary Stone", "Tom Hardy", "Cole Nash", "Joe Banks", "Rick Dunn", "Andre Shaw"),
        *("Rich Alvarez", "Virginia Cole", "London Reed", "Lucky Ames", "Cash Orr", "King Odell"),
        *("Nate Olson", "Jordan Lake", "Simon Fry", "Dan Frost", "Ben Moss", "Jerry Voss"),
    )
)


@pytest.mark.parametrize(
    "text",
    [
        "We have been coming to Pete's for years.",
        "There is another Pete's across town, and this Pete's is closed.",
        "The best Pete's I have ever been to.",
        "The menu at Pete's carries the usual.",
        "Pete's offers less for more.",
        "We used Pete's for my party and will be using Pete's again.",
        "The Regina is the pizza to get, and the REGINA too.",
        "They have an adorable Regina bed.",
        "We live in Brandon and were on vacation in Tyler.",
        "Walking into Tyler feels like going back in time.",
        "Moved here from Brandon and drove to Tyler for it.",
        "A party of ten from Brandon, and 12 from Tyler.",
        "Anyone from Tyler knows it.",
        "The office on Main and Howard.",
        "The shop on Howard and 4th.",
        "See http://news.example/super-howard-games or www.example.com/tom/menu.",
        "I read Howard's review before I booked.",
        "Two bloody Marys, a bloody Mary and a Tom Collins.",
        "The cole slaw, the tom yum soup and the dan dan noodles.",
        "They sell Ben and Jerry's.",
        "A cup of joe and an average Joe.",
        "The best hotels in Rome or Lisbon.",
        "A bottle from Monticello, Virginia.",
        "We went to London last summer.",
        "Oysters from Virginia and cold wines from Virginia.",
        "The sights of London and the heart of London.",
        "All London has to offer, near London station, in a city like London.",
        "We are going back to London in September.",
        "It was RICH. Super hot. Rich. Dark.",
        "Rich, beautifully presented and homey and rich, always served hot.",
        "Lucky me! Lucky for us they had time.",
        "We got lucky with the weather.",
        "Cash only, and no cash back.",
        "King of the Hill, the King and I.",
        "Amazing with rich, buttery flavors. Service was very rich and cole slaw came.",
        "My son's name is Marcus. He hates haircuts. This time Marcus sat still.",
        "My friend, Marcus, came along. Marcus tried the duck.",
        "Marcus and I arrived early. Marcus opted for the lamb.",
        "Happy birthday Marcus!",
        '"Jordan, we are so sorry" is what they wrote.',
        "A 10 from Simon, and five stars from Simon.",
        "Another customer also called Simon had it too.",
        "Andres took care of us.",
        "I went up the street to jordan b peterson.",
    ],
)
def test_firm_place_dish_or_guest_with_that_name_is_no_mention(text):
    assert TEAM.find(text) == []


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("Thanks to Pete's quick work and honest advice.", ["pete"]),
        ("Pete's on his way. Pete's a star. Pete's the best.", ["pete", "pete", "pete"]),
        ("We love Pete's work and Tom's prices.", ["pete", "tom"]),
        ("When we walked in Regina greeted us.", ["regina"]),
        ("You have a gem in Regina, and I ran into Tom.", ["regina", "tom"]),
        ("I have every confidence in Brandon.", ["brandon"]),
        ("The Tyler who came on Monday was kind.", ["tyler"]),
        ("On Monday I asked for Pete and Howard.", ["pete", "howard"]),
        ("THANKYOU NATE! Thankyou Tom and Joe.", ["nate", "tom", "joe"]),
        ("thankyou tom for everything", ["tom"]),
        ("Our captain was Capt. Nate. Capt Tom too.", ["nate", "tom"]),
        ("My son is Marcus. Marcus fixed it in ten minutes.", ["marcus"]),
        ("My son is Marcus too. He liked Dr. Marcus.", ["marcus"]),
        ("My son Marcus says hi. Thanks Marcus!", ["marcus"]),
        ("He told the manager, Tom, my husband was right.", ["tom"]),
        ("I had known tom for years", ["tom"]),
        ("Help from London was quick.", ["london"]),
        ("I worked with rich and he was honest", ["rich"]),
        ("mike b and tom & joe came", ["tom", "joe"]),
        ("Mikes work, Toms the best", ["tom"]),
        ("Tom and I walked the house and sat down to plan.", ["tom"]),
        ("Mom liked it there. Regina loved her like her own.", ["regina"]),
    ],
)
def test_person_is_named_beside_words_of_firms_places_and_guests(text, slugs):
    assert [found.slug for found in TEAM.find(text)] == slugs
