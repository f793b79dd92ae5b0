"""Nouns that make no theme: those of every trade, and those that name people or the business."""

# Nouns of every trade, which say nothing of this one.
EVERYDAY = frozenset(
    """company companies people person team folks guy guys man men lady ladies staff crew business
    place thing things stuff way lot lots time times day days week weeks weekend month months
    year years hour hours minute minutes morning afternoon evening night monday tuesday
    wednesday thursday friday saturday sunday one two three four five six seven eight nine ten
    first second star stars review reviews word words family husband wife son daughter mother
    father mom dad house home everyone anyone""".split()
)
# Others that make no theme, alone or with a noun beside them.
EMPTY = EVERYDAY | frozenset(
    """woman gentleman member members customer customers client clients patient patients ways bit
    kind sort type today tomorrow yesterday january february march april june july august
    september october november december hundred third experience friend friends name problem
    problems issue issues job work service question questions reason end start part side example
    case point top area line hand hands list number town city street road block phone call calls
    next door right left main whole full extra total couple anything others
    black white grey gray major public entire special hidden separate same online""".split()
)
# And nouns that are a theme only with another beside them.
EMPTY_ALONE = frozenset(
    """back care change choice conversation deal detail details difference dozen edge effort eye
    eyes face fact feeling front future game group half head heart help hope idea inside
    interest lack level life little look love matter mind moment need
    news note option options order owner owners opinion past pair piece plan plenty plus
    present process purpose rate rest result results return room sense set shape show sight
    sign spot stay step story system talk task tell term thanks thought title touch trip try
    turn use view visit visits wait walk world please thank hello wow yes okay types amount
    surprise situation attitude reviewers girls boys parent parents guest guests state country
    neighborhood nearby else anywhere everywhere somewhere everything nothing anyway rating
    recommendation money manner fun joy stop pick form ones mine lives drove live manage went
    came gave told felt took kept rode drew cut won knew sent paid met sat ran ate owner's age
    birthday anniversary holiday summer winter spring fall access size class place places space
    site sites point points standard standards floor selection setting weather rain sun station
    stop airport etc course round style attention
    addition position land square cab taxi transportation""".split()
)
# Names of the business's own place; beside another noun they are a theme: "parking office".
EMPTY_ALONE |= frozenset(
    """office offices property hotel motel resort park store stores shop clinic practice
    salon spa firm school building location facility premises establishment center""".split()
)
# Customers: "young children" are none of the business's things.
_CUSTOMERS = frozenset("kid child children adult teen family couple group".split())
_PERSON_NOUNS = frozenset(
    """man woman guy gentleman lady girl boy person kid child children son daughter wife husband
    mom mother dad father brother sister friend neighbor grandson granddaughter grandma grandpa
    baby toddler owner manager supervisor boss employee worker member staff receptionist
    secretary assistant doctor dr nurse hygienist surgeon attorney lawyer paralegal judge agent
    adjuster salesman rep representative technician tech plumber electrician roofer contractor
    installer inspector foreman driver operator lifeguard guard host hostess server waiter
    waitress bartender concierge housekeeper maid chef cook cashier clerk stylist barber groomer
    vet trainer coach instructor teacher tutor professor guide therapist caregiver director
    specialist mr mrs ms""".split()
)
_PERSON_ENDINGS = ("ist", "ician", "man", "woman")


def is_general(word: str) -> bool:
    """Whether a noun makes no theme by itself, in either number: "site", "sites"."""
    return word in EMPTY_ALONE or word.removesuffix("s") in EMPTY_ALONE


def is_customer(word: str) -> bool:
    """Whether a noun names customers: "kids"."""
    return word in _CUSTOMERS or word.removesuffix("s") in _CUSTOMERS


def is_person(word: str) -> bool:
    """Whether a noun names a person by work or kin: "technician", "technicians"."""
    single = word.removesuffix("s")
    return (
        word in _PERSON_NOUNS
        or single in _PERSON_NOUNS
        or (len(single) > 5 and single.endswith(_PERSON_ENDINGS))
    )
