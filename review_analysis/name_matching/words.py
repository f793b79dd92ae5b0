"""The words around a name that tell who or what bears it; lower case."""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def either(alternatives: frozenset[str]) -> str:
    """Any of these words, in a regular expression."""
    return "|".join(sorted(alternatives))


# --- Who else may bear the name -------------------------------------------------------------------

RELATIVES = words(
    "husband wife spouse partner ex fiance fiancé fiancee fiancée boyfriend girlfriend son daughter"
    " child kid baby toddler mom mum mother dad father brother sister grandson"
    " granddaughter grandma grandmother grandpa grandfather grandparent uncle aunt cousin nephew"
    " niece stepson stepdaughter twin boss landlord tenant"
)
# Those of whom a review speaks without "my" too.
NEAREST = words("dad father grandma grandpa hubby husband mom mother mum wife wifey")
CUSTOMERS = words("client customer diner driver guest passenger patient shopper")
# Of whom anybody may have some; the owner's "his wife Rose" may work with him.
FRIENDS = words("friend buddy neighbor neighbour roommate coworker colleague")
PETS = words(
    "beagle boxer bulldog cat chihuahua corgi dachshund dog doggie doodle goldendoodle horse husky"
    " kitten lab labrador mutt pet poodle pug pup puppy retriever shepherd terrier aussie bunny"
    " collie dane frenchie golden hamster maltese mix parrot rescue schnauzer spaniel tabby"
)
# At whom or what: the rest that one does "at" a name is done in a place called so.
AIMED = words(
    "angry annoyed bark barked directed disappointed frustrated laugh laughed laughing look looked"
    " looking mad pointed scream screamed screaming shouted smile smiled snapped swore upset waved"
    " yell yelled yelling"
)
# The second word of a street's, school's or firm's name.
ESTABLISHMENTS = words(
    "street st avenue ave road rd boulevard blvd drive lane ln court parkway highway square plaza"
    " county city park beach island lake river hill hills creek heights ridge valley springs"
    " field exit school elementary academy college university"
    " hospital church bank building tower hotel inn motel apartments village mall market"
    " plumbing heating cooling electric electrical hvac roofing construction builders motors auto"
    " automotive landscaping services company co inc llc corp group associates bros brothers pay"
    " bbq pizza pizzeria grill cafe restaurant diner bar pub kitchen bakery appliances clinic"
    " dental farms fitness flooring foods furniture garden gardens gym insurance jewelers"
    " mattress nursery pharmacy realty salon tire tires"
)
# With a surname after them; a first name may follow the others.
FORMAL_TITLES = words(
    "mr mrs ms mx dr drs doc doctor doctors prof professor attorney atty judge officer rev reverend"
    " lieutenant lt sergeant sgt senor señor senora señora sr sra"
)
TITLES = FORMAL_TITLES | words("capt miss sir nurse chef captain coach pastor")
OFFICES = words("judge prof professor rev reverend lieutenant lt sergeant sgt")
MENS = words("mr sir senor señor sr")
WOMENS = words("mrs ms miss senora señora sra")
SUFFIXES = words("jr sr ii iii iv md dds dmd do phd esq esquire rn lpn np pa jd cpa dvm od dc dpm")

# --- The words around a name ----------------------------------------------------------------------

DETERMINERS = words("the a an this these my his her their your its any no every each some such")
OBJECTS = words(
    "my the your this that these those it them him her us me as a an each every all any our"
    " their his its up down off out one two someone somebody something everything others there"
    " there's that's it's things folks people yourself yourselves"
)
# What people are called by their work.
JOBS = words(
    "admin adviser advisor agent aide analyst arborist architect assistant associate attorney"
    " barber bartender caregiver carpenter cashier chef cleaner clerk coach colleague concierge"
    " consultant cook coordinator counselor dentist designer director doctor electrician"
    " engineer exterminator foreman gardener groomer host hostess hygienist instructor"
    " journeyman landscaper lawyer lead locksmith masseuse mover nurse operator paralegal"
    " partner pharmacist planner practitioner president realtor receptionist rep representative"
    " salesman salesperson secretary sergeant server sommelier stylist surgeon teacher therapist"
    " trainer tutor vet volunteer waiter waitress worker"
)
TRADES = JOBS | words(
    "tech techs technician technicians plumber electrician installer installers guy gentleman"
    " man men lady woman serviceman repairman handyman contractor estimator inspector painter"
    " roofer mechanic worker foreman owner manager driver expert pro professional apprentice"
    " supervisor fellow dude person specialist dispatcher hvac lead"
)
# Of whom a customer has one at a time: the former one is of another firm.
INDEPENDENT = words(
    "accountant agent attorney barber chiropractor contractor dentist doctor electrician"
    " exterminator groomer hairdresser landscaper lawyer mechanic painter pediatrician plumber"
    " realtor roofer stylist therapist vet"
)
INTRODUCERS = words(
    "mr mrs ms miss dr sir named name called had got to with by from ask asked for met"
    " requested request kudos hi hello hey dear our see appreciate love loved until shoutout"
    " seeing hiring sent have tech technician recommend recommended recommending thank thanked"
    " using used hired commend commended"
)
# What somebody did or does.
PREDICATES = words(
    "was is has had did does came comes went goes got gets took takes made makes gave gives"
    " knew knows kept keeps told tells said says found finds left leaves let's showed shows ran"
    " runs wasn't isn't hasn't hadn't didn't doesn't couldn't wouldn't won't can't rocks"
    " dealt deserves understood brought thought began sent spent felt fought saw spoke wrote put"
    " set cut dug held built bought caught fit hit heard led lost met paid quit rode sat sold stood"
    " stuck taught tore wore won broke chose drew drove forgot isnt wasnt didnt doesnt hasnt"
    " hadnt cant couldnt wouldnt blew grew threw hung slept swept woke swore stole sought shook"
    " rang sang slid split struck swung bent bit bled drank ate fell fed flew froze hid laid lay"
    " lent lit shot shut spun strode swam thinks let read beat hurt"
)
FINITE = PREDICATES | words(
    "can could would should and & also who whom from at with in on were are then really truly"
    " definitely totally even just not or both again will here"
)
# Whom one chooses.
CHOICES = words("call choose contact email find hire meet pick see text trust use")
# Before somebody and what they do: "watched Austin work", "can Austin come".
WITNESSED = words(
    "can could did do does has have having help helped is let made make saw see seeing should was"
    " watch watched watching when will would"
)
# What people are, and prices and summers are not.
PERSONAL = words(
    "able attentive calm careful caring compassionate considerate courteous dismissive early"
    " efficient friendly funny gentle helpful here hilarious honest kind knowledgeable late my our"
    " patient personable polite professional prompt punctual quick respectful rude skilled sweet"
    " talented thorough unprofessional welcoming"
)
PRAISE = words("amazing awesome excellent fantastic great incredible lovely outstanding wonderful")
THINGS = words("best gold good price star")  # Of the common words, what praise does not tell apart.
# What people do, and prices and summers do not.
DEEDS = words(
    "answered arrived asked assured brought called checked cleaned did diagnosed drove explained"
    " fit fixed noticed scheduled squeezed suggested"
    " gave goes greeted handled helped installed kept knew knows listened made recommended repaired"
    " replaced responded returned ran said served showed spent stayed talked told took treated"
    " walked went worked"
)
# What only people do, whatever else bears the name.
MANNERS = words(
    "apologised apologized assisted assists cared cares explains greets introduced listens"
    " remembered remembers smiled smiles welcomed welcomes"
)
# What people do time and again; other words in -s may be things.
PRESENT = words(
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
TEAM = words("co company crew family friends gang gentlemen girls guys others staff team")
SUBJECTS = words("i we they you he she it who which this these those there everyone nobody company")
# After which a sentence, or somebody's words, may begin.
CONNECTIVES = words(
    "although as because both but either even finally glad hear hope if knew know later maybe"
    " neither once overall said say says since so that then though thought today told until us"
    " what when where whether which while yesterday"
)
GIVERS = words("ask call email gave get give got tell text told")  # "Give mark a raise".
# Before whom somebody sets others apart.
EXCEPTED = words("adore adores besides esp especially except including like loves than without")
AFTER_MODAL = words(
    "i we they you he she it this that there be continue recommend use call hire have need"
    " want do go come get keep make let see say update return try give take tell ask pay pass"
    " the my our your god all any anyone someone please for longer think look miss bring"
    " refer order"
)
ADVERBS = words(
    "absolutely again also always certainly definitely even gladly highly hopefully just"
    " likely most never no not only probably really so still super surely then too totally truly"
    " very deep double hand power pressure steam"  # "Lane power washed the deck".
)
PRICES = words(
    "high higher low lower cheap cheaper expensive outrageous wrong incorrect correct"
    " accurate paid due itemized inflated mailed emailed double doubled twice triple more less"
    " over under exactly around about ridiculous reasonable included charged overcharged big"
    " bigger huge steep collections insurance"
)
TIMES = words("am early hour hours late min mins minute minutes pm times")
MONTH_BEFORE = words(
    "come in into last since until till during early late mid this next of every through between"
    " before after around back past on each"
)
SCHEDULED = words(
    "appointment appointments available booked completed delayed finished moved planned postponed"
    " pushed rescheduled reserved scheduled slated"
)
MONTH_NAMES = words(
    "january february march april may june july august september october november december"
    " jan feb mar apr jun jul aug sep sept oct nov dec"
)
# What somebody gives: "a call from Austin" is one from a person.
GIVEN = words(
    "advice answer answers attention call calls care email emails explanation help information"
    " message messages quote quotes reply response service support text texts visit voicemail work"
)
# After which "from" tells where somebody lives or something is made.
ORIGIN_BEFORE = words(
    "am are is was were be been being i'm we're they're he's she's im across away clients couple"
    " customers family far folks friend friends guests hails hour hours import imported in mile"
    " miles minute minutes originally parents patients people someone students tourists transplant"
    " transplants visitors beef beer beers blend cheese cheeses fish lobster oysters salmon shrimp"
    " wine wines"
)
PLACE_BEFORE = words(
    "in near visit visiting around outside downtown greater north south east west central within"
    " throughout serving versus vs explore explored exploring enjoy discover de tour toured touring"
)
SUPERLATIVES = words("best finest top most only premier greatest worst")
VEHICLES = words("car coupe dealer dealership hybrid navigator pickup sedan suv truck van")
BANKING = words("account bank banks card cards dispute disputed mortgage visa")
WEATHER = words("month afternoon showers fools fool cold hot rainy wet dry snow weather heat")
PARTICLES = words("de van von der di da del della la le bin ibn al ten ter st du dos")
ABBREVIATIONS = words("capt mr mrs ms mx dr drs prof atty rev lt sgt sr sra st mt ft")
STATES = words(
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia"
    " hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts"
    " michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon"
    " pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming"
)
ADDRESS_ENDS = words("com net org io co biz info us gov edu")

# Capitalised all the same, and nobody's surname.
NOT_SURNAMES = words(
    "i i'm i've i'd i'll a an the and or but so if as at by for from in of on to with without"
    " he she his her him they them their we us our you your it its it's this that these those"
    " there here who what when where why how which while because since after before until"
    " again also always never very really just only even not no yes ok okay thanks thank"
    " thankyou thanx thx cheers is was are were be been am has have had do did does done can could"
    " will would should may might must shall came come comes went go goes got get gets took take"
    " made make makes gave give knew knows kept told said found left showed shows arrived explained"
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
    | words(
        "madam brother sister big little old young thanks thank thankyou thanx thx tech technician"
        " plumber electrician installer master apprentice foreman"
    )
)
SAINTS = words("ave east fort ft lake mount mt north port saint san santa south st west")
STORMS = words("hurricane storm superstorm")
KIN_TITLES = words("uncle auntie aunt grandma grandpa cousin")
