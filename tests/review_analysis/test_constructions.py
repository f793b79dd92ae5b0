"""Whole sentences whose side rests on how they are built: +1 praises, -1 blames.

Rules were tried on the first table. The second was written before them, but by the
same hand: it shows that they carry over to other words, not how well to other writers.
"""

from pathlib import Path

import pytest

from review_analysis import constructions, polarity
from review_analysis.segments import Source, sentences

PATTERNS = (
    Path(constructions.__file__).with_name("constructions.txt").read_text("utf-8").splitlines()
)

TRIED = {
    "negation raised from the clause that it is about": [
        ("I didn't think that the instructions provided were helpful to me.", -1),
        ("I don't believe this blender is any good.", -1),
        ("I can't say that we were impressed with the new menu.", -1),
        ("I don't feel the nurse was listening to us.", -1),
        ("We never found the upstairs rooms to be clean.", -1),
        ("I don't think you will be disappointed.", 1),
        ("I do not believe anybody could complain about this place.", 1),
        ("I wouldn't say the waiters in the back room were attentive.", -1),
    ],
    "advice": [
        ("Do not be fooled by the pretty photos.", -1),
        ("Save yourself the trip and go to the diner next door instead.", -1),
        ("Don't spend your money on these headphones.", -1),
        ("Run, don't walk, away from this clinic.", -1),
        ("You would be better off with any other printer.", -1),
        ("Do yourself a favor and book this crew.", 1),
        ("Do yourself a favor and skip this one.", -1),
        ("Don't hesitate to call them.", 1),
        ("Go anywhere else.", -1),
        ("I wish I had read the reviews before I ordered.", -1),
    ],
    "what has not come": [
        ("I have yet to have a problem with it.", 1),
        ("We have yet to get an answer from the office.", -1),
        ("I have yet to have a bad meal here.", 1),
        ("I've never had a problem with this vacuum.", 1),
        ("It has worked without a single issue.", 1),
        ("I have no complaints about the crew.", 1),
        ("We have yet to find a dish that we like.", -1),
    ],
    "wishes": [
        ("I wish every plumber were this tidy.", 1),
        ("The soup could be hotter.", -1),
        ("Good luck getting anybody to come.", -1),
        ("I would have given five stars if he had come.", -1),
    ],
    "likenesses": [
        ("The scallops were like rubber.", -1),
        ("The crust had the texture of cardboard.", -1),
        ("It tasted as if it had been kept under a heat lamp all day.", -1),
        ("My steak was like shoe leather.", -1),
        ("The sauce came straight out of a can.", -1),
        ("It felt like home.", 1),
    ],
    "praise and blame by denial": [
        ("Can't recommend them enough.", 1),
        ("We can not thank Mark enough for his help.", 1),
        ("I can't say enough about Dr. Lee.", 1),
        ("Words cannot describe how happy I am with the result.", 1),
        ("Words cannot describe how awful this was.", -1),
        ("I can't believe how fast they were.", 1),
        ("I can't believe how rude they were.", -1),
        ("I can't imagine using anyone else.", 1),
        ("It doesn't get better than this.", 1),
        ("My back doesn't get better.", -1),
        ("I was skeptical at first, but they proved me wrong.", 1),
        ("I can't stress enough how bad this was.", -1),
        ("I would not wish this on anyone.", -1),
        ("Far from professional.", -1),
        ("I expected more.", -1),
        ("Better than I expected.", 1),
    ],
    "the only": [
        ("The only thing I liked was the bread.", -1),
        ("The only good thing about this phone is the case.", -1),
        ("Its only redeeming quality is the color.", -1),
        ("My only complaint is that I did not find this place sooner.", 1),
        ("The only downside is that they close on Mondays.", 1),
    ],
    "work around": [
        ("I have to jiggle the plug to get any sound.", -1),
        ("You have to hold the button down to make it charge.", -1),
        ("I had to restart it three times to get it to connect.", -1),
        ("It makes you wonder how long it will last.", -1),
        ("It stopped charging after two weeks.", -1),
        ("I could not get it to connect to my router.", -1),
        ("The remote wouldn't pair with the set.", -1),
        ("This battery doesn't hold a charge.", -1),
        ("It lasted only a month.", -1),
        ("The motor died after three uses.", -1),
        ("The handle fell off on the second day.", -1),
        ("I sent it back the next day.", -1),
        ("After a week I started to hear static in the left ear.", -1),
        ("It has never dropped a call.", 1),
        ("It worked right out of the box.", 1),
        ("The charge lasts all day.", 1),
    ],
    "set praise": [
        ("The salmon was cooked to perfection.", 1),
        ("The brisket melts in your mouth.", 1),
        ("We could not be happier with the new roof.", 1),
        ("You can't go wrong with the tacos.", 1),
        ("The lunch special is hard to beat.", 1),
        ("I have nothing but good things to say.", 1),
        ("The soup hit the spot.", 1),
        ("The heat level was just right.", 1),
        ("The dessert blew us away.", 1),
        ("It does exactly what it is supposed to do.", 1),
        ("We will be going back.", 1),
    ],
    "scalars by what they measure": [
        ("The price is low.", 1),
        ("The wait times were short.", 1),
        ("The wait times were long.", -1),
        ("The quality is low.", -1),
        ("The wait was long.", -1),
        ("The battery life is long.", 1),
        ("The prices are high.", -1),
        ("The quality is high.", 1),
        ("The wait was short.", 1),
        ("I thought it would be expensive, but the bill was low.", 1),
        ("The portions are small.", -1),
        ("The volume is low even at the top setting.", -1),
    ],
    "too and so": [
        ("It was too loud to talk.", -1),
        ("The broth was so salty that we left it.", -1),
        ("The menu is too small for the price.", -1),
        ("The chair was so comfortable that I fell asleep.", 1),
        ("The food was not worth the drive.", -1),
        ("Who charges ninety dollars for that?", -1),
        ("Why would anyone pay for this?", -1),
        ("Nice but did not fix it.", -1),
        ("The screen is nice, but the phone is useless.", -1),
    ],
    "goods and tables, in a few words": [
        ("It opens every file, plays everything.", 1),
        ("No one can match their prices.", 1),
        ("Works like junk.", -1),
        ("It slides right into my purse.", 1),
        ("It no longer connects.", -1),
        ("The sole came unglued.", -1),
        ("Nothing but headaches.", -1),
        ("They kept our mugs full.", 1),
        ("Glorified doorstop.", -1),
        ("The lemonade was fine, the beer was ice cold.", 1),
        ("The soup came out cold.", -1),
        ("Dinner for two won't break the bank.", 1),
        ("We were asked to hurry.", -1),
        ("The heel hurts my foot.", -1),
        ("Two stars.", -1),
        ("Four stars.", 1),
    ],
}

HELD_BACK = {
    "negation raised from the clause that it is about": [
        ("I don't think the second coat of paint was done well.", -1),
        ("I didn't find that the new medicine was much of a help.", -1),
        ("I cannot say the room we were given was clean.", -1),
        ("I don't feel that my lawyer was being honest.", -1),
        ("I didn't believe the pillows would ever be comfortable.", -1),
        ("I do not think you can find a nicer dentist.", 1),
        ("I doubt you will regret it.", 1),
        ("I wouldn't call the waiting room inviting.", -1),
    ],
    "advice": [
        ("Don't be fooled by the low sticker.", -1),
        ("Do not waste an evening here.", -1),
        ("Save your money and look for another brand.", -1),
        ("Stay far away from this landlord.", -1),
        ("We would have been better off cooking at home.", -1),
        ("Think long and hard before signing with this firm.", -1),
        ("Do yourself a favor and try the ribs.", 1),
        ("Don't think twice, just order it.", 1),
        ("Take your business to another garage.", -1),
        ("I wish I had gone somewhere else.", -1),
    ],
    "what has not come": [
        ("I have yet to find a fault in it.", 1),
        ("They have yet to send my refund.", -1),
        ("We have yet to be disappointed.", 1),
        ("Never had any trouble with the app.", 1),
        ("We moved in without any problems.", 1),
        ("There was nothing to complain about.", 1),
        ("The crew has yet to show up.", -1),
    ],
    "likenesses": [
        ("The rice tasted like cardboard.", -1),
        ("The eggs had the texture of rubber.", -1),
        ("The chicken came out of a microwave.", -1),
        ("They treat you like family.", 1),
    ],
    "the only": [
        ("The only thing that worked was the light.", -1),
        ("The only good part of the evening was the music.", -1),
        ("The one redeeming feature is its size.", -1),
        ("My only regret is not calling them years ago.", 1),
        ("The only drawback is the parking.", 1),
    ],
    "work around": [
        ("I have to tap the side to get a picture.", -1),
        ("You need to press each key twice to get it to register.", -1),
        ("I had to tape the lid shut to keep it closed.", -1),
        ("Makes me wonder whether anybody tested it.", -1),
        ("The fan quit spinning after a month.", -1),
        ("I couldn't get the app to open.", -1),
        ("The lid won't close.", -1),
        ("The battery won't hold a charge.", -1),
        ("Mine lasted only six weeks.", -1),
        ("The screen went black after two days.", -1),
        ("The strap came off the first time I used it.", -1),
        ("We returned it to the store.", -1),
        ("The speaker began to buzz within a week.", -1),
        ("It has never let me down.", 1),
        ("Worked like a charm the first time.", 1),
        ("The shoes have held up for years.", 1),
    ],
    "set praise": [
        ("A decent price for what you get.", 1),
        ("The vegetables were done to perfection.", 1),
        ("The fish simply melted in my mouth.", 1),
        ("I couldn't be more pleased with my haircut.", 1),
        ("You can't beat the view.", 1),
        ("This is tough to beat at that price.", 1),
        ("We heard nothing but praise about the nurses.", 1),
        ("The cold beer really hit the spot.", 1),
        ("The size is just right for my desk.", 1),
        ("The band blew me away.", 1),
        ("It does what it says on the box.", 1),
        ("I would order from them again.", 1),
    ],
    "scalars by what they measure": [
        ("Their rates are low.", 1),
        ("The resolution is low.", -1),
        ("The line was long.", -1),
        ("The warranty is long.", 1),
        ("The fees are high.", -1),
        ("The standards are high.", 1),
        ("The lines were short.", 1),
        ("We expected a huge bill, but it was only forty dollars.", 1),
        ("The cord is short.", -1),
        ("The shelf life is short.", -1),
    ],
    "too and so": [
        ("The room was too dark to read.", -1),
        ("The coffee was so weak that I poured it out.", -1),
        ("The case is too big for my pocket.", -1),
        ("The ride was so smooth that the baby slept.", 1),
        ("It isn't worth the paper it is printed on.", -1),
        ("That was the last straw for us.", -1),
        ("Who serves warm beer in July?", -1),
        ("How hard is it to answer a phone?", -1),
        ("Polite but never solved the problem.", -1),
        ("The lobby is lovely, but the beds are awful.", -1),
    ],
}


def side(text):
    """The sum of P(positive) - P(negative) over the sentences of a text."""
    return sum(
        polarity.sentence_verdict(polarity.read(words)[1], None).score
        for words in sentences(Source(text))
    )


def wrong(table):
    return [
        (text, sign) for rows in table.values() for text, sign in rows if side(text) * sign <= 0
    ]


@pytest.mark.parametrize(("table", "share"), [(TRIED, 0.97), (HELD_BACK, 0.95)])
def test_most_sentences_are_taken_as_they_are_meant(table, share):
    size = sum(map(len, table.values()))

    missed = wrong(table)

    assert size >= 80
    assert len(missed) <= size * (1 - share), missed


@pytest.mark.parametrize(
    ("pattern", "text", "size"),
    [
        ("1 took it|them back", "took them back", 3),
        ("1 took it|them back", "took back", None),
        ("1 far? away from", "far from", None),
        ("1 stay far? away", "stay away", 2),
        ("1 stay far? away", "stay far away", 3),
        ("1 stopped +ing", "stopped working", 2),
        ("1 stopped +ing", "stopped work", None),
        ("1 have to ~ to get", "have to jiggle the plug to get", 7),
        ("1 have to ~ to get", "have to one two three four five six to get", 10),
        ("1 have to ~ to get", "have to one two three four five six seven to get", None),
        ("1 have to ~ to get", "have to go , to get", None),
        ("1 ^who does that", "who does that", 3),
        ("1 ^does that", "who does that", None),
        ("1 be back", "be backs", None),
    ],
)
def test_a_pattern_has_choices_gaps_and_words_that_may_be_missing(pattern, text, size):
    found = constructions.Constructions(pattern).find(text.split(), text)

    assert (found[0].size if 0 in found else None) == size


def test_the_earlier_pattern_stands_and_none_begins_within_another():
    known = constructions.Constructions("# note\n2 run to\n-1 run\n-3 to me")

    found = known.find(["run", "to", "me"], "run to me")

    assert found == {0: (2, 2.0)}


def test_every_word_of_a_pattern_is_one_that_a_text_can_hold():
    patterns = [line.split()[1:] for line in PATTERNS if line and not line.startswith("#")]
    choices = {
        choice
        for pattern in patterns
        for part in pattern
        for choice in part.removeprefix("^").removesuffix("?").split("|")
    }

    # Where texts are read, "you'd" is two words, and "honour" is spelt "honor".
    unread = [
        choice
        for choice in choices - {"", "~"}
        if not choice.startswith("+")
        and [word for part in sentences(Source(f"x {choice} x")) for word in part.words][1:-1]
        != [choice]
    ]
    assert unread == []


@pytest.mark.parametrize("words", ["never ", "have to ", "could not get ", "stay far ", "not one "])
def test_looking_for_patterns_is_linear_in_the_length_of_the_text(words):
    text = words * 5_000

    found = constructions.load().find(text.split(), text.strip())

    assert len(found) <= 10_000
