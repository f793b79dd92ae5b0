"""Pure: the words by which `namesakes` tells a name from its other meanings; lower case."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# --- What a name can be besides a name ------------------------------------------------------------

MONTHS = _set("april may june august jan")
MODALS = _set("will may")
PLACES = _set(
    "aurora austin boston brooklyn carolina charlotte chelsea cheyenne cleveland dakota dallas"
    " denver eden florence geneva georgia holland houston india ireland jackson kenya lincoln"
    " london madison memphis milan montana nevada orlando paris phoenix raleigh salem savannah"
    " sydney troy victoria vienna virginia washington"
)
ADJECTIVES = _set("christian dusty frank rich rusty sandy stormy sunny")
VERBS = _set(
    "bob buck cash chase chip don drew dwight grant guy hank hope jack josh lance mark mike"
    " miles nick pat pierce rob rose sue skip trip tuck wade ward"
)
NOUNS = _set(
    "amber angel art ash autumn basil bill brandy buck buddy candy cash chance chase chip"
    " clay cliff colt coral crystal daisy dawn dean destiny duke earl faith fern ginger glen"
    " grace grant guy harmony hazel heath heather herb holly hope hunter iris ivy jade jasmine"
    " jewel joy judge king lance lane lily mark mason max melody mercy miles misty norm olive pat"
    " pearl penny piper pierce pollen porter prince ray reed rob robin rock rocky rod rose"
    " ruby sage sky star stew sterling stone summer sue tab trip van violet ward willow winter"
    " alexa aspen baron bishop blaze brook bud carol cedar charity cherry clover dash forrest gale"
    " garnet gene harley honey juniper justice kit laurel magnolia mercedes myrtle noel patience"
    " page pepper poppy rosemary serenity trinity"
)
SEASONS = _set("summer winter autumn")
# Words that a review says far more often than it names a person so: a capital is not enough.
COMMON = SEASONS | _set(
    "best black blue brown gold good gray green grey king long major price prince queen star white"
    " young"
)
# Of these a text may have some, all or much.
ABSTRACT = _set("art charity faith grace harmony hope joy justice mercy patience serenity")
FOODS = _set("basil brandy candy cherry ginger herb honey olive pepper rosemary sage stew")
# They need no article: "art was all over the place", but "the chip was broken".
MASS = ABSTRACT | FOODS | SEASONS
MASS |= _set("amber ash cash chance clay coral crystal dawn destiny jade jasmine pearl pollen")
MASS |= _set("rock rose stone")
WORDS = MONTHS | MODALS | PLACES | ADJECTIVES | VERBS | NOUNS | COMMON

# What follows the word, and never the person.
COMPOUNDS = {
    "amber": _set("ale light lights alert"),
    "angel": _set("investor investors hair"),
    "art": _set("work works gallery supplies class classes deco lessons studio therapy"),
    "bill": _set("me for of pay payment us amount total collector"),
    "chase": _set("bank card account visa sapphire down after"),
    "chip": _set("in off away on"),
    "cliff": _set("house notes"),
    "christian": _set(
        "based bookstore business church company couple faith family folks home man men music owned"
        " owners people principles radio school themed values woman"
    ),
    "dawn": _set("dish soap broke"),
    "faith": _set("in restored"),
    "frank": _set("talk"),
    "ginger": _set("ale beer bread snap snaps tea"),
    "grace": _set("period under"),
    "grant": _set("money funding application program"),
    "herb": _set("garden gardens butter"),
    "hope": _set("springs"),
    "jack": _set("of hammer hammers"),
    "joy": _set("to"),
    "june": _set("gloom"),
    "mark": _set("down up ups off out words"),
    "max": _set("out capacity price prices speed volume one two three four five"),
    "may": _set("day"),
    "miles": _set("away ahead per from of"),
    "nick": _set("of"),
    "penny": _set("pinching for"),
    "pat": _set("on down"),
    "ray": _set("of ban"),
    "rich": _set("flavor flavors flavour flavours people taste"),
    "ruby": _set("red slippers tuesday"),
    "rose": _set("early bush bushes colored coloured garden petal petals to again"),
    "wade": _set("through"),
    "will": _set("power"),
}
# Particles, that follow the word at the start of a sentence, and in the middle the person as well.
LOOSE = _set("after again down for from in me of off on out to up us")
# More that follows the word.
PHRASES = {
    "art": ("on the wall",),
    "jack": ("and coke", "and jill", "in the box", "of all trades"),
    "mark": ("my words",),
    "miles": ("and miles",),
    "may": ("god",),
    "will": ("and power of", "and testament", "and trust", "or trust"),
}
# What comes before the word, and never before the person.
PRECEDED = {
    "angel": _set("guardian hells"),
    "art": _set("modern fine concept clip martial"),
    "dawn": _set("at before until"),
    "bill": _set("doctor vet final water electric utility phone repair hospital monthly dollar"),
    "grace": _set("amazing say saying"),
    "jack": _set("union cracker"),
    "mark": _set("check high punctuation question"),
    "max": _set("air days dollars hours minutes people tops"),
    "pat": _set("stand standing stood"),
    "ray": _set("x gamma blu baby"),
    "will": _set("living free good"),
}

# What a portion or a kind of the word is called: "a glass of rose", "a ray of hope".
PORTIONS = _set(
    "academy act amount bit bottle bundle carafe college crack edge glass institute kind leap lot"
    " museum piece pitcher ray school sense source sprig state symbol touch type work"
)
# How a food is found in a kitchen.
PREPARED = _set("candied chopped dried dry fresh ground pickled thai")
# "Herb crusted lamb"; but "Ivy covered my shift".
PARTICIPLES = _set(
    "based colored coloured covered crusted encrusted filled flavored flavoured glazed infused"
    " lined owned roasted scented shaped sized stained themed tinted topped"
)

# --- Who else may bear the name -------------------------------------------------------------------

RELATIVES = _set(
    "husband wife spouse partner ex fiance fiancé fiancee fiancée boyfriend girlfriend son daughter"
    " child kid baby toddler mom mum mother dad father brother sister grandson"
    " granddaughter grandma grandmother grandpa grandfather grandparent uncle aunt cousin nephew"
    " niece stepson stepdaughter twin boss landlord tenant"
)
# Of whom anybody may have some; the owner's "his wife Rose" may work with him.
FRIENDS = _set("friend buddy neighbor neighbour roommate coworker colleague")
PETS = _set(
    "beagle boxer bulldog cat chihuahua corgi dachshund dog doggie doodle goldendoodle horse husky"
    " kitten lab labrador mutt pet poodle pug pup puppy retriever shepherd terrier"
)
# At whom or what: the rest that one does "at" a name is done in a place called so.
AIMED = _set(
    "angry annoyed bark barked directed disappointed frustrated laugh laughed laughing look looked"
    " looking mad pointed scream screamed screaming shouted smile smiled snapped swore upset waved"
    " yell yelled yelling"
)
# The second word of a street's, school's or firm's name.
ESTABLISHMENTS = _set(
    "street st avenue ave road rd boulevard blvd drive lane ln court parkway highway square plaza"
    " county city park beach island lake river hill hills creek heights ridge valley springs"
    " field exit school elementary academy college university"
    " hospital church bank building tower hotel inn motel apartments village mall market"
    " plumbing heating cooling electric electrical hvac roofing construction builders motors auto"
    " automotive landscaping services company co inc llc corp group associates bros brothers pay"
    " bbq pizza pizzeria grill cafe restaurant diner bar pub kitchen bakery"
)
# With a surname after them; a first name may follow the others.
FORMAL_TITLES = _set(
    "mr mrs ms mx dr drs doctor prof professor attorney atty judge officer rev reverend"
    " lieutenant lt sergeant sgt senor señor senora señora sr sra"
)
TITLES = FORMAL_TITLES | _set("miss sir nurse chef captain coach pastor")
SUFFIXES = _set("jr sr ii iii iv md dds dmd do phd esq esquire rn lpn np pa jd cpa dvm od dc dpm")

# --- The words around a name ----------------------------------------------------------------------

DETERMINERS = _set("the a an this these my his her their your its any no every each some such")
OBJECTS = _set(
    "my the your this that these those it them him her us me as a an each every all any our"
    " their his its up down off out one two someone somebody something everything others there"
    " there's that's it's things folks people yourself yourselves"
)
# What people are called by their work.
JOBS = _set(
    "admin adviser advisor agent aide analyst arborist architect assistant associate attorney"
    " barber bartender caregiver carpenter cashier chef cleaner clerk coach colleague concierge"
    " consultant cook coordinator counselor dentist designer director doctor electrician"
    " engineer exterminator foreman gardener groomer host hostess hygienist instructor"
    " journeyman landscaper lawyer lead locksmith masseuse mover nurse operator paralegal"
    " partner pharmacist planner practitioner president realtor receptionist rep representative"
    " salesman salesperson secretary sergeant server sommelier stylist surgeon teacher therapist"
    " trainer tutor vet volunteer waiter waitress worker"
)
TRADES = JOBS | _set(
    "tech techs technician technicians plumber electrician installer installers guy gentleman"
    " man men lady woman serviceman repairman handyman contractor estimator inspector painter"
    " roofer mechanic worker foreman owner manager driver expert pro professional apprentice"
    " supervisor fellow dude person specialist dispatcher hvac lead"
)
INTRODUCERS = _set(
    "mr mrs ms miss dr sir named name called had got to with by from ask asked for met"
    " requested request kudos hi hello hey dear our see appreciate love loved until shoutout"
    " seeing hiring sent have tech technician recommend recommended recommending thank thanked"
    " request using used hired commend commended"
)
# What somebody did or does.
PREDICATES = _set(
    "was is has had did does came comes went goes got gets took takes made makes gave gives"
    " knew knows kept keeps told tells said says found finds left leaves let's showed shows ran"
    " runs wasn't isn't hasn't hadn't didn't doesn't couldn't wouldn't won't can't rocks"
    " deserves understood brought thought began sent spent felt fought saw spoke wrote put set"
    " cut dug held built bought caught fit hit heard led lost met paid quit rode sat sold stood"
    " stuck taught tore wore won broke chose drew drove forgot isnt wasnt didnt doesnt hasnt"
    " hadnt cant couldnt wouldnt blew grew threw hung slept swept woke swore stole sought shook"
    " rang sang slid split struck swung bent bit bled drank ate fell fed flew froze hid laid lay"
    " lent lit shot shut spun strode swam thinks let read beat hurt"
)
FINITE = PREDICATES | _set(
    "can could would should and & also who whom from at with in on were are then really truly"
    " definitely totally even just not or both again will here"
)
# Whom one chooses.
CHOICES = _set("call choose contact email find hire meet pick see text trust use")
# Before somebody and what they do: "watched Austin work", "can Austin come".
WITNESSED = _set(
    "can could did do does has have having help helped is let made make saw see seeing should was"
    " watch watched watching when will would"
)
# What people are, and prices and summers are not.
PERSONAL = _set(
    "able attentive calm careful caring compassionate considerate courteous dismissive early"
    " efficient friendly funny gentle helpful here hilarious honest kind knowledgeable late my our"
    " patient personable polite professional prompt punctual quick respectful rude skilled sweet"
    " talented thorough unprofessional welcoming"
)
PRAISE = _set("amazing awesome excellent fantastic great incredible lovely outstanding wonderful")
THINGS = _set("best gold good price star")  # Of the common words, what praise does not tell apart.
# What people do, and prices and summers do not.
DEEDS = _set(
    "answered arrived asked assured brought called checked cleaned did diagnosed drove explained"
    " fit fixed noticed scheduled squeezed suggested"
    " gave goes greeted handled helped installed kept knew knows listened made recommended repaired"
    " replaced responded returned ran said served showed spent stayed talked told took treated"
    " walked went worked"
)
# What only people do, whatever else bears the name.
MANNERS = _set(
    "apologised apologized assisted assists cared cares explains greets introduced listens"
    " remembered remembers smiled smiles welcomed welcomes"
)
# What people do time and again; other words in -s may be things.
PRESENT = _set(
    "accepts accommodates adds adjusts answers applies asks bakes brings builds calls carries"
    " catches charges chats checks cleans comes communicates cooks creates cuts deals delivers"
    " deserves digs does drives earns ensures exceeds excels explains feels finds finishes fixes"
    " follows gets gives goes greets grows handles hands hears helps installs jokes keeps knows"
    " leads leaves lets likes listens looks loves makes manages means meets moves needs notices"
    " offers opens orders owns paints pays performs picks plays pours provides puts remembers"
    " replies responds returns rocks rules runs says seems sees sends sets shines shows sits"
    " sounds speaks spends stands starts stays stops takes teaches tells thinks trains treats"
    " tries turns understands uses waits walks wants watches wears welcomes works writes"
)
TEAM = _set("co company crew family friends gang gentlemen girls guys others staff team")
SUBJECTS = _set("i we they you he she it who which this these those there everyone nobody company")
# After which a sentence, or somebody's words, may begin.
CONNECTIVES = _set(
    "although as because both but either even finally glad hear hope if knew know later maybe"
    " neither once overall said say says since so that then though thought today told until us"
    " what when where whether which while yesterday"
)
GIVERS = _set("ask call email gave get give got tell text told")  # "Give mark a raise".
# Before whom somebody sets others apart.
EXCEPTED = _set("adore adores besides esp especially except including like loves than without")
AFTER_MODAL = _set(
    "i we they you he she it this that there be continue recommend use call hire have need"
    " want do go come get keep make let see say update return try give take tell ask pay pass"
    " the my our your god all any anyone someone please for longer think look miss bring"
    " refer order"
)
ADVERBS = _set(
    "absolutely again also always certainly definitely even gladly highly hopefully just"
    " likely most never no not only probably really so still super surely then too totally truly"
    " very deep double hand power pressure steam"  # "Lane power washed the deck".
)
PRICES = _set(
    "high higher low lower cheap cheaper expensive outrageous wrong incorrect correct"
    " accurate paid due itemized inflated mailed emailed double doubled twice triple more less"
    " over under exactly around about ridiculous reasonable included charged overcharged big"
    " bigger huge steep collections insurance"
)
TIMES = _set("am early hour hours late min mins minute minutes pm times")
MONTH_BEFORE = _set(
    "come in into last since until till during early late mid this next of every through between"
    " before after around back past on each"
)
SCHEDULED = _set(
    "appointment appointments available booked completed delayed finished moved planned postponed"
    " pushed rescheduled reserved scheduled slated"
)
MONTH_NAMES = _set(
    "january february march april may june july august september october november december"
    " jan feb mar apr jun jul aug sep sept oct nov dec"
)
# What somebody gives: "a call from Austin" is one from a person.
GIVEN = _set(
    "advice answer answers attention call calls care email emails explanation help information"
    " message messages quote quotes reply response service support text texts visit voicemail work"
)
PLACE_BEFORE = _set(
    "in near visit visiting around outside downtown greater north south east west central within"
    " throughout serving versus vs explore explored exploring tour toured touring"
)
SUPERLATIVES = _set("best finest top most only premier greatest worst")
WEATHER = _set("month afternoon showers fools fool cold hot rainy wet dry snow weather heat")
PARTICLES = _set("de van von der di da del della la le bin ibn al ten ter st du dos")
ABBREVIATIONS = _set("mr mrs ms mx dr drs prof atty rev lt sgt sr sra st mt ft")
STATES = _set(
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia"
    " hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts"
    " michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon"
    " pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming"
)
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
CALLERS = (
    TITLES
    | JOBS
    | _set(
        "madam brother sister big little old young thanks thank tech technician plumber"
        " electrician installer master apprentice foreman"
    )
)
SAINTS = _set("ave east fort ft lake mount mt north port saint san santa south st west")
STORMS = _set("hurricane storm superstorm")
KIN_TITLES = _set("uncle auntie aunt grandma grandpa cousin")
GIVEN_NAMES = _set(
    "aaron abby abigail abraham ada adam adrian aidan al alan albert alejandro alex alexander"
    " alexandra alexis alfred alice alicia alison allen allison alyssa amanda amy ana andre andrea"
    " andrew andy angela anita ann anna anne annette annie anthony antonio arlene arnold arthur"
    " ashley audrey barbara barney barry beatrice becky ben benjamin bernard beth betty beverly"
    " billie billy bob bobbie bobby bonnie brad bradley brandon brenda brendan brent brett brian"
    " bruce bryan caitlin caleb cameron carl carla carlos carly carmen carol caroline carolyn"
    " carrie cary casey catherine cathy cecil charlene charles charlie cheryl chevy chris"
    " christina christine christopher cindy claire clara claude claudia clifford clint clyde cody"
    " cole colin colleen connie connor corey craig curtis cynthia dan dana daniel danielle danny"
    " darlene darren darryl dave david debbie deborah debra denise dennis denzel derek diana diane"
    " diego dolores donald donna doris dorothy doug douglas dustin dylan ed eddie edgar edith"
    " eduardo edward edwin eileen elaine eleanor elena eli elijah elizabeth ella ellen elvis emily"
    " emma eric erica erik erin ernest esther ethan eugene eva evan evelyn felix fernando floyd"
    " frances francis francisco franklin fred frederick gabriel gail garrett gary gene geoff"
    " george gerald gina gladys glenn gloria gordon greg gregory gus gwen hannah harold harriet"
    " harry harvey heather hector helen henry herbert herman howard howie hugh ian irene isaac"
    " isabel isabella ivan jackie jacob jacqueline jaime jake james jamie jan jane janet janice"
    " jared jason javier jay jean jeanne jeff jeffrey jenna jennifer jenny jeremy jerome jerry"
    " jesse jessica jill jim jimmy jo joan joann joanna joe joel john johnny jon jonathan jordan"
    " jorge jose joseph joshua joyce juan juanita judith judy julia julian julie justin karen karl"
    " kate katherine kathleen kathryn kathy katie kayla keith kelly ken kenneth kenny kent kevin"
    " kim kimberly kirk kristen kristin kurt kyle larry laura lauren laurie lawrence leah leo leon"
    " leonard leroy leslie lester lewis liam linda lisa lloyd logan lois lonnie loretta lori"
    " lorraine louis louise lucas lucille lucy luis luke luther lydia lynn mack maggie manuel marc"
    " marcia marcus margaret maria marie marilyn mario marion marjorie marlene marshall martha"
    " martin marvin mary mateo matt matthew maureen maurice megan melanie melinda melissa melvin"
    " meredith michael micheal michele michelle miguel mike mildred milton mitchell molly monica"
    " morgan murphy nancy natalie natasha nathan neil nelson nicholas nick nicole nina noah nora"
    " norma norman oliver olivia oscar otis owen pam pamela patricia patrick patsy patty paul"
    " paula pauline pedro peggy pete peter phil philip phillip phyllis rachel rafael ralph ramon"
    " randall randy raul raymond rebecca regina ricardo richard rick ricky robert roberto rodney"
    " roger roland ron ronald ronnie rosa rosemary ross roy russell ruth ryan sally sam samantha"
    " samuel sandra sara sarah scott sean sergio seth shane shannon sharon shaun shawn sheila"
    " shelly sherry shirley sidney simon sofia sonia sophia sophie stacey stacy stanley stella"
    " stephanie stephen steve steven stuart susan suzanne sylvia tamara tammy tara ted teresa"
    " terrance terri terry theodore theresa thomas tiffany tim timothy tina todd tom tommy toni"
    " tony tracy travis trevor troy tyler valerie vanessa vera vernon veronica vicki victor"
    " vincent vivian walter warren wayne wendy wesley whitney william yolanda yvonne zachary"
)
