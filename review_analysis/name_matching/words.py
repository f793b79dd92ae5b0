"""The words around a name that tell who or what bears it; lower case."""

from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def either(alternatives: frozenset[str]) -> str:
    """Any of these words, in a regular expression."""
    return "|".join(sorted(alternatives))


# --- Who else may bear the name -------------------------------------------------------------------

RELATIVES = _WORDS["relatives"]
# Those of whom a review speaks without "my" too.
NEAREST = words("dad father grandma grandpa hubby husband mom mother mum wife wifey")
CUSTOMERS = words("client customer diner driver guest passenger patient shopper")
# Of whom anybody may have some; the owner's "his wife Rose" may work with him.
FRIENDS = words("friend buddy neighbor neighbour roommate coworker colleague")
PETS = _WORDS["pets"]
# At whom or what: the rest that one does "at" a name is done in a place called so.
AIMED = _WORDS["aimed"]
# The second word of a street's, school's or firm's name.
ESTABLISHMENTS = _WORDS["establishments"]
# With a surname after them; a first name may follow the others.
FORMAL_TITLES = _WORDS["formal_titles"]
TITLES = FORMAL_TITLES | words("capt miss sir nurse chef captain coach pastor")
OFFICES = words("judge prof professor rev reverend lieutenant lt sergeant sgt")
MENS = words("mr sir senor señor sr")
WOMENS = words("mrs ms miss senora señora sra")
SUFFIXES = words("jr sr ii iii iv md dds dmd do phd esq esquire rn lpn np pa jd cpa dvm od dc dpm")

# --- The words around a name ----------------------------------------------------------------------

DETERMINERS = words("the a an this these my his her their your its any no every each some such")
OBJECTS = _WORDS["objects"]
# What people are called by their work.
JOBS = _WORDS["jobs"]
TRADES = JOBS | _WORDS["trades"]
# Of whom a customer has one at a time: the former one is of another firm.
INDEPENDENT = _WORDS["independent"]
INTRODUCERS = _WORDS["introducers"]
# What somebody did or does.
PREDICATES = _WORDS["predicates"]
FINITE = PREDICATES | _WORDS["finite"]
# Whom one chooses.
CHOICES = words("call choose contact email find hire meet pick see text trust use")
# Before somebody and what they do: "watched Austin work", "can Austin come".
WITNESSED = _WORDS["witnessed"]
# What people are, and prices and summers are not.
PERSONAL = _WORDS["personal"]
PRAISE = words("amazing awesome excellent fantastic great incredible lovely outstanding wonderful")
THINGS = words("best gold good price star")  # Of the common words, what praise does not tell apart.
# What people do, and prices and summers do not.
DEEDS = _WORDS["deeds"]
# What only people do, whatever else bears the name.
MANNERS = _WORDS["manners"]
# What people do time and again; other words in -s may be things.
PRESENT = _WORDS["present"]
TEAM = words("co company crew family friends gang gentlemen girls guys others staff team")
SUBJECTS = words("i we they you he she it who which this these those there everyone nobody company")
# After which a sentence, or somebody's words, may begin.
CONNECTIVES = _WORDS["connectives"]
GIVERS = words("ask call email gave get give got tell text told")  # "Give mark a raise".
# Before whom somebody sets others apart.
EXCEPTED = words("adore adores besides esp especially except including like loves than without")
AFTER_MODAL = _WORDS["after_modal"]
ADVERBS = _WORDS["adverbs"]
PRICES = _WORDS["prices"]
TIMES = words("am early hour hours late min mins minute minutes pm times")
MONTH_BEFORE = _WORDS["month_before"]
SCHEDULED = _WORDS["scheduled"]
MONTH_NAMES = _WORDS["month_names"]
# What somebody gives: "a call from Austin" is one from a person.
GIVEN = _WORDS["given"]
# After which "from" tells where somebody lives or something is made.
ORIGIN_BEFORE = _WORDS["origin_before"]
PLACE_BEFORE = _WORDS["place_before"]
SUPERLATIVES = words("best finest top most only premier greatest worst")
WEATHER = words("month afternoon showers fools fool cold hot rainy wet dry snow weather heat")
PARTICLES = words("de van von der di da del della la le bin ibn al ten ter st du dos")
ABBREVIATIONS = words("capt mr mrs ms mx dr drs prof atty rev lt sgt sr sra st mt ft")
STATES = _WORDS["states"]
ADDRESS_ENDS = words("com net org io co biz info us gov edu")

# Capitalised all the same, and nobody's surname.
NOT_SURNAMES = _WORDS["not_surnames"]
CALLERS = TITLES | JOBS | _WORDS["callers"]
SAINTS = words("ave east fort ft lake mount mt north port saint san santa south st west")
STORMS = words("hurricane storm superstorm")
KIN_TITLES = words("uncle auntie aunt grandma grandpa cousin")
