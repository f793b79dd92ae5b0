"""Pure: the words by which `namesakes` tells a name from its other meanings; lower case."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# --- What a name can be besides a name ------------------------------------------------------------

MONTHS = _set("april may june august")
MODALS = _set("will may")
PLACES = _set(
    "austin brooklyn carolina chelsea charlotte dakota dallas florence georgia houston"
    " jackson lincoln london madison orlando paris phoenix savannah sydney victoria virginia"
    " washington"
)
ADJECTIVES = _set("dusty frank rich rusty sandy stormy sunny")
VERBS = _set(
    "bob buck cash chase chip don drew dwight grant guy hank hope jack josh lance mark mike"
    " miles nick pat pierce rob rose sue skip trip tuck wade ward"
)
NOUNS = _set(
    "amber angel art ash autumn basil bill brandy buck buddy candy cash chance chase chip"
    " clay cliff colt coral crystal daisy dawn dean destiny duke earl faith fern ginger glen"
    " grace grant guy harmony hazel heath heather holly hope hunter iris ivy jade jasmine"
    " jewel joy judge king lance lane lily mark mason melody mercy miles misty norm olive pat"
    " pearl penny piper pierce pollen porter prince ray reed rob robin rock rocky rod rose"
    " ruby sage sky star stew sterling stone summer sue tab trip van violet ward willow winter"
)
WORDS = MONTHS | MODALS | PLACES | ADJECTIVES | VERBS | NOUNS

# What follows the word, and never the person.
COMPOUNDS = {
    "art": _set("work works gallery supplies class deco"),
    "bill": _set("me for of pay payment us amount total collector"),
    "chase": _set("bank card account visa sapphire down after"),
    "chip": _set("in off away on"),
    "grace": _set("period under"),
    "mark": _set("down up off out words"),
    "may": _set("day"),
    "penny": _set("pinching for"),
    "pat": _set("on down"),
    "ray": _set("of"),
    "rose": _set("bush bushes garden to again"),
}

# --- The words around a name ----------------------------------------------------------------------

DETERMINERS = _set("the a an this these my his her their your its any no every each some such")
OBJECTS = _set(
    "my the your this that these those it them him her us me as a an each every all any our"
    " their his its up down off out one two someone somebody something everything"
)
TRADES = _set(
    "tech techs technician technicians plumber electrician installer installers guy gentleman"
    " man men lady woman serviceman repairman handyman contractor estimator inspector painter"
    " roofer mechanic worker foreman owner manager driver expert pro professional apprentice"
    " supervisor fellow dude person specialist dispatcher hvac lead"
)
INTRODUCERS = _set(
    "mr mrs ms miss dr sir named name called had got to with by from ask asked for met"
    " requested request kudos hi hello hey dear our see appreciate love loved until shoutout"
    " sent have tech technician"
)
FINITE = _set(
    "was is has had did does came comes went goes got gets took takes made makes gave gives"
    " knew knows kept keeps told tells said says found finds left leaves let's showed shows"
    " ran runs wasn't isn't hasn't hadn't didn't doesn't couldn't wouldn't won't can't can"
    " could would should and & also who whom from at with in on were are then really truly"
    " definitely totally even just not or both again rocks deserves understood brought thought"
    " began sent spent felt saw spoke wrote put set cut dug held built bought caught fit hit"
    " heard led lost met paid quit rode sat sold stood stuck taught tore wore won broke chose"
    " drove forgot isnt wasnt didnt doesnt hasnt hadnt cant couldnt wouldnt blew grew threw"
    " hung slept swept woke swore stole sought shook rang sang slid split spread struck swung"
    " bent bit bled drank ate fell fed flew froze hid laid lay lent lit shot shut spun strode"
    " swam thinks"
)
SUBJECTS = _set("i we they you he she it who which this these those there everyone nobody company")
AFTER_MODAL = _set(
    "i we they you he she it this that there be continue recommend use call hire have need"
    " want do go come get keep make let see say update return try give take tell ask pay pass"
    " the my our your god all any anyone someone please for longer think look miss"
)
ADVERBS = _set(
    "absolutely again also always certainly definitely even gladly highly hopefully just"
    " likely never no not only probably really still surely then totally truly"
)
PRICES = _set(
    "high higher low lower cheap cheaper expensive outrageous wrong incorrect correct"
    " accurate paid due itemized inflated mailed emailed double doubled twice triple more less"
    " over under exactly around about ridiculous reasonable included charged overcharged big"
    " bigger huge steep"
)
MONTH_BEFORE = _set(
    "in into last since until till during early late mid this next of every through between before"
    " after around back past on each"
)
MONTH_NAMES = _set(
    "january february march april may june july august september october november december"
    " jan feb mar apr jun jul aug sep sept oct nov dec"
)
PLACE_BEFORE = _set(
    "in near visit visiting around outside downtown greater north south east west central within"
    " throughout serving"
)
SUPERLATIVES = _set("best finest top most only premier greatest worst")
WEATHER = _set("month afternoon showers fools fool cold hot rainy wet dry snow weather heat")
PARTICLES = _set("de van von der di da del della la le bin ibn al ten ter st du dos")
ABBREVIATIONS = _set("mr mrs ms dr st mt ft")
ADDRESS_ENDS = _set("com net org io co biz info us gov edu")

# Capitalised all the same, and nobody's surname.
NOT_SURNAMES = _set(
    "i i'm i've i'd i'll a an the and or but so if as at by for from in of on to with without"
    " he she his her him they them their we us our you your it its it's this that these those"
    " there here who what when where why how which while because since after before until"
    " again also always never very really just only even not no yes ok okay thanks thank thx"
    " cheers is was are were be been am has have had do did does done can could will would"
    " should may might must shall came come comes went go goes got get gets took take made"
    " make makes gave give knew knows kept told said found left showed shows arrived explained"
    " fixed installed repaired replaced helped worked works great good excellent awesome"
    " amazing fantastic wonderful best super outstanding professional knowledgeable friendly"
    " courteous polite highly definitely absolutely extremely recommend recommended five 5"
    " star stars everything everyone all any each both another team crew technician tech"
    " plumber electrician installer service services job work company monday tuesday wednesday"
    " thursday friday saturday sunday today yesterday tomorrow january february march april"
    " june july august september october november december google yelp facebook btw fyi ps"
    " hvac ac tv wifi god lord christmas thanksgiving easter english spanish american two"
    " three four ten one first last next then now later too hopefully overall finally however"
    " although though despite plus ask call use hire keep see let love loved"
)
CALLERS = _set(
    "mr mrs ms miss dr sir madam uncle aunt brother sister big little old young thanks thank"
    " tech technician plumber electrician installer master apprentice foreman"
)
SAINTS = _set("st saint san santa mount mt fort ft")
GIVEN_NAMES = _set(
    "aaron adam alan albert alex alexander alice alicia amanda amy andrea andrew angela anna"
    " anne anthony antonio ashley barbara benjamin betty brandon brenda brian bruce carl"
    " carlos catherine charles cheryl christina christine christopher cynthia dan daniel david"
    " deborah debra dennis diana diane donald donna dorothy douglas edward elizabeth emily"
    " emma eric ethan evelyn frances gary george gerald gloria greg gregory hannah harold"
    " heather helen henry jacob jacqueline james janet janice jason jeff jeffrey jennifer"
    " jeremy jessica jim joan joe john jonathan jordan jose joseph joshua juan judith judy"
    " julia julie justin karen kathleen katherine keith kelly kenneth kevin kimberly kyle"
    " larry laura lauren linda lisa logan louis margaret maria marie marilyn martha martin"
    " mary matthew megan melissa michael michelle mike nancy nathan nicholas nicole noah"
    " olivia pamela patricia patrick paul peter philip phillip rachel ralph raymond rebecca"
    " richard robert roger ronald russell ruth ryan samantha samuel sandra sara sarah scott"
    " sean sharon shirley sophia stephanie stephen steve steven susan teresa terry theresa"
    " thomas timothy tom tony tyler victor vincent walter wayne william zachary"
)
