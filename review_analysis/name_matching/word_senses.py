"""Other senses of words that are names too, with the phrases that show them; lower case."""

from review_analysis.name_matching.words import words
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

MONTHS = words("april may june august jan")
MODALS = words("will may")
PLACES = _WORDS["places"]
ADJECTIVES = words("christian dusty frank lucky precious rich rusty sandy stormy sunny windy")
VERBS = _WORDS["verbs"]
NOUNS = _WORDS["nouns"]
SEASONS = words("summer winter autumn")
# Words that a review says far more often than it names a person so: a capital is not enough.
COMMON = SEASONS | _WORDS["common"]
# Of these a text may have some, all or much.
ABSTRACT = words("art charity faith grace harmony hope joy justice mercy patience serenity")
FOODS = words("basil brandy candy cherry ginger herb honey olive pepper rosemary sage stew")
# They need no article: "art was all over the place", but "the chip was broken".
MASS = ABSTRACT | FOODS | SEASONS
MASS |= words("amber ash cash chance clay coral crystal dawn destiny jade jasmine pearl pollen")
MASS |= words("rock rose stone")
WORDS = MONTHS | MODALS | PLACES | ADJECTIVES | VERBS | NOUNS | COMMON

# What follows the word, and never the person.
COMPOUNDS = {
    "amber": words("ale light lights alert"),
    "angel": words("investor investors hair"),
    "art": words("work works gallery supplies class classes deco lessons studio therapy"),
    "bill": words("me for of pay payment us amount total collector"),
    "cash": words("back flow only payment register"),
    "cherry": words("on picked"),
    "chase": words("bank card account visa sapphire down after"),
    "chip": words("in off away on"),
    "cliff": words("house notes"),
    "christian": words(
        "based bookstore business church company couple faith family folks home man men music owned"
        " owners people principles radio school themed values woman"
    ),
    "dawn": words("dish soap broke"),
    "faith": words("in restored"),
    "frank": words("talk"),
    "ginger": words("ale beer bread snap snaps tea"),
    "grace": words("period under"),
    "grant": words("money funding application program"),
    "herb": words("garden gardens butter"),
    "hope": words("springs"),
    "jack": words("of hammer hammers"),
    "joy": words("to"),
    "june": words("gloom"),
    "mark": words("down up ups off out words"),
    "max": words("out capacity price prices speed volume one two three four five"),
    "may": words("day"),
    "miles": words("away ahead per from of"),
    "nick": words("of"),
    "penny": words("pinching for"),
    "pat": words("on down"),
    "ray": words("of ban"),
    "rich": words("flavor flavors flavour flavours people taste"),
    "ruby": words("red slippers tuesday"),
    "rose": words("early bush bushes colored coloured garden petal petals to again"),
    "wade": words("through"),
    "will": words("power"),
}
# Particles, that follow the word at the start of a sentence, and in the middle the person as well.
LOOSE = words("after again down for from in me of off on out to up us")
# More that follows: turns of phrase, and what people and firms of that name are known by.
_PHRASES = (
    "alex: and ani/angie: s list/art: deco, in the lobby, on the wall, on the walls/austin: powers"
    "/ben: and jerry, and jerry's, & jerry, & jerry's"
    "/chuck: e cheese/cole: slaw/dan: dan/harley: davidson/luke: warm"
    "/bob: and weave, evans, marley/charlie: brown, horse/dave: and buster, & buster, ramsey"
    "/david: s bridal/jack: and coke, and ginger, and jill, black, daniel, daniels, in the box"
    ", of all trades/jane: doe/jesus: christ, h christ, how, they, this, what"
    "/jim: beam/jimmy: choo, dean, john, johns/joe: blow, schmo/john: deere, doe, wick"
    "/johnny: cash, on the spot, walker/jose: cuervo/kelly: blue book/kim: kardashian"
    "/king: and i, of the, of prussia, pao, size/london: broil, fog"
    "/mark: my words/martha: stewart/mary: kay/max: $/may: god/mercedes: benz/michael: kors"
    "/miles: and miles/murphy: s law/olive: garden, oil/oscar: mayer"
    "/peter: pan, piper/ray: ban, bans/sam: adams, s club/stanley: cup, steemer"
    "/stella: artois, on tap/tim: horton, hortons/tom: collins, dick, kha, yum/victoria: s secret"
    "/will: and power of, and testament, and trust, or trust"
)
PHRASES = {
    name: tuple(f"{phrase} " for phrase in phrases.split(", "))
    for name, _, phrases in (line.partition(": ") for line in _PHRASES.split("/"))
}
# What comes before the word, and never before the person.
PRECEDED = {
    "angel": words("guardian hells"),
    "art": words("modern fine concept clip martial"),
    "dawn": words("at before until"),
    "bill": words(
        "house senate doctor vet final water electric utility phone repair hospital monthly dollar"
    ),
    "cal": words("so"),
    "dan": words("dan"),
    "dash": words("door mrs"),
    "eve": words("christmas day's new year years year's"),
    "grace": words("amazing say saying"),
    "jane": words("calamity plain"),
    "jack": words("union cracker"),
    "jesus": words("baby lord praise sweet"),
    "jerry": frozenset({"ben &", "ben and", "sailor"}),
    "joe": words("average cuppa regular sloppy trader"),
    "john": words("elton papa"),
    "mark": words("check high maker's makers punctuation question"),
    "louis": words("jeez st"),
    "chip": words("chocolate"),
    "chris": words("ruth's ruths"),
    "maria": words("bloody"),
    "mary": words("bloody typhoid virgin"),
    "max": words("air days dollars hours minutes people tops"),
    "pepper": words("dr"),
    "pat": words("stand standing stood"),
    "morgan": words("captain jp"),
    "ray": words("x gamma blu baby"),
    "scott": words("great"),
    "will": words("living free good"),
}

# What a portion or a kind of the word is called: "a glass of rose", "a ray of hope".
PORTIONS = _WORDS["portions"]
# How a food is found in a kitchen.
PREPARED = words("candied chopped dried dry fresh ground pickled thai")
# "Herb crusted lamb"; but "Ivy covered my shift".
PARTICIPLES = _WORDS["participles"]
