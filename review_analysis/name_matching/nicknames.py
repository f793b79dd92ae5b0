"""Short forms of common English first names, in lower case."""

from collections import defaultdict

from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_SHORT_FORMS = {
    "abigail": "abby abbie gail",
    "abraham": "abe",
    "albert": "al bert",
    "alejandro": "alex",
    "alexander": "alex xander sasha",
    "alexandra": "alex lexi sandra sasha",
    "alexis": "alex lexi",
    "alfred": "al fred",
    "alison": "ali allie",
    "allison": "ali allie",
    "amanda": "mandy",
    "andrea": "andi",
    "andrew": "andy drew",
    "angela": "angie",
    "anthony": "tony",
    "antonio": "tony",
    "arthur": "art artie",
    "ashley": "ash",
    "barbara": "barb",
    "benjamin": "ben benny benji",
    "bernard": "bernie",
    "bethany": "beth",
    "beverly": "bev",
    "bradley": "brad",
    "brittany": "britt",
    "caitlin": "cait",
    "calvin": "cal",
    "cameron": "cam",
    "carolyn": "carol",
    "cassandra": "cassie",
    "catherine": "cathy cate katie",
    "charles": "charlie chuck chas",
    "charlotte": "charlie lottie",
    "christian": "chris",
    "christina": "chris chrissy tina",
    "christine": "chris chrissy",
    "christopher": "chris topher",
    "clifford": "cliff",
    "crystal": "crys",
    "cynthia": "cindy",
    "daniel": "dan danny",
    "danielle": "dani",
    "david": "dave davey",
    "deborah": "deb debbie",
    "debra": "deb debbie",
    "dennis": "denny",
    "dominic": "dom",
    "donald": "don donnie",
    "dorothy": "dottie",
    "douglas": "doug",
    "eduardo": "ed eddie",
    "edward": "ed eddie ted ned",
    "edwin": "ed eddie",
    "eleanor": "ellie nell",
    "elizabeth": "liz lizzie beth betsy betty eliza libby",
    "emily": "emmy",
    "emmanuel": "manny",
    "ernest": "ernie",
    "eugene": "gene",
    "everett": "ev",
    "ezekiel": "zeke",
    "frances": "fran",
    "francis": "frank frankie",
    "francisco": "paco frank",
    "franklin": "frank",
    "frederick": "fred freddie",
    "gabriel": "gabe",
    "gabriela": "gabby",
    "gabrielle": "gabby",
    "gerald": "jerry gerry",
    "gilbert": "gil",
    "gregory": "greg",
    "gustavo": "gus",
    "harold": "hal harry",
    "henry": "hank harry",
    "herbert": "herb",
    "howard": "howie",
    "isaac": "ike",
    "isabella": "bella izzy",
    "jacob": "jake",
    "jacqueline": "jackie",
    "james": "jim jimmy jamie",
    "janet": "jan",
    "jasmine": "jas",
    "jeffrey": "jeff",
    "jennifer": "jen jenn jenny",
    "jeremiah": "jerry",
    "jeremy": "jem",
    "jerome": "jerry",
    "jessica": "jess jessie",
    "jesus": "chuy",
    "john": "johnny jack",
    "jonathan": "jon jonny",
    "jordan": "jordy",
    "joseph": "joe joey",
    "josephine": "jo josie",
    "joshua": "josh",
    "judith": "judy",
    "julia": "julie",
    "kaitlyn": "katie kate",
    "katherine": "kate katie kathy kat",
    "kathleen": "kathy katie",
    "kathryn": "kate katie kathy",
    "kenneth": "ken kenny",
    "kimberly": "kim",
    "kristen": "kris",
    "kristina": "kris tina",
    "laurence": "larry laurie",
    "lawrence": "larry",
    "leonard": "leo len lenny",
    "leonardo": "leo",
    "lillian": "lily",
    "lindsay": "linds",
    "louis": "lou louie",
    "lucas": "luke",
    "madeline": "maddie",
    "madison": "maddie",
    "manuel": "manny",
    "margaret": "maggie meg peggy marge margie",
    "martin": "marty",
    "matthew": "matt matty",
    "maximilian": "max",
    "maxwell": "max",
    "megan": "meg",
    "melissa": "mel missy",
    "melvin": "mel",
    "michael": "mike mikey mick",
    "michelle": "shelly",
    "mitchell": "mitch",
    "natalie": "nat",
    "natasha": "tasha",
    "nathan": "nate",
    "nathaniel": "nate nathan",
    "nicholas": "nick nicky",
    "nicole": "nikki nicky",
    "oliver": "ollie",
    "olivia": "liv livvy",
    "pamela": "pam",
    "patricia": "pat patty trish tricia",
    "patrick": "pat paddy",
    "penelope": "penny",
    "peter": "pete",
    "philip": "phil",
    "phillip": "phil",
    "priscilla": "cilla",
    "rachel": "rach",
    "randall": "randy",
    "raymond": "ray",
    "rebecca": "becky becca",
    "reginald": "reggie",
    "ricardo": "rick ricky",
    "richard": "rick rich ricky richie",
    "robert": "bob rob bobby robbie",
    "roberta": "bobbie",
    "roberto": "bob rob beto",
    "roderick": "rod",
    "rodney": "rod",
    "ronald": "ron ronnie",
    "rosemary": "rose",
    "rudolph": "rudy",
    "russell": "russ",
    "salvador": "sal",
    "salvatore": "sal",
    "samantha": "sam sammie",
    "samuel": "sam sammy",
    "sandra": "sandy",
    "savannah": "sav",
    "sebastian": "seb",
    "shannon": "shan",
    "stanley": "stan",
    "stephanie": "steph",
    "stephen": "steve stevie",
    "steven": "steve stevie",
    "stewart": "stu",
    "stuart": "stu",
    "susan": "sue susie suzie",
    "suzanne": "sue suzie",
    "tamara": "tammy",
    "teresa": "terri terry tess",
    "terrance": "terry",
    "terrence": "terry",
    "theodore": "ted teddy theo",
    "theresa": "terri terry tess",
    "thomas": "tom tommy",
    "tiffany": "tiff",
    "timothy": "tim timmy",
    "tobias": "toby",
    "tyler": "ty",
    "tyrone": "ty",
    "valerie": "val",
    "vanessa": "nessa",
    "veronica": "ronnie",
    "victor": "vic",
    "victoria": "vicky vicki tori",
    "vincent": "vince vinny",
    "virginia": "ginny",
    "walter": "walt",
    "wesley": "wes",
    "william": "will bill billy willie liam",
    "yolanda": "yoli",
    "zachary": "zach zack",
}


# Names of their own as well: hardly anybody calls a Jack John, or a Frank Francisco.
_OWN_NAMES = frozenset("carol frank gail harry jack jamie jan julie leo liam luke sasha".split())


def _is_like(form: str, other: str) -> bool:
    return form != other and (form.startswith(other) or other.startswith(form))


def _both_ways() -> dict[str, tuple[str, ...]]:
    known: defaultdict[str, list[str]] = defaultdict(list)
    for name, forms in _SHORT_FORMS.items():
        for form in forms.split():
            if form not in _OWN_NAMES:
                # Debbie is Deb too, as both are Deborah; but Rob is hardly ever Bob.
                known[form] += [name, *(o for o in forms.split() if _is_like(o, form))]
    return {
        name: tuple(dict.fromkeys((*_SHORT_FORMS.get(name, "").split(), *known[name])))
        for name in sorted({*_SHORT_FORMS, *known})
    }


# The short forms of a full first name, and the full names that a short one stands for.
NICKNAMES = _both_ways()

# Who hears a name spells it as it sounds.
_SOUND_ALIKE = (
    "aaron aron/adrian adrien/alan allan allen/ann anne/anthony antony/ashley ashlee"
    " ashleigh ashely ashly/brandon branden/brett bret/brian bryan/brittany britney brittney"
    "/caitlin kaitlin kaitlyn katelyn/carl karl/carol carole/casey kasey/catherine katherine"
    " kathryn/chelsea chelsey/christina kristina/christine kristine/christopher kristopher"
    "/cindy cyndi/claire clare/cody kody/corey cory/courtney kourtney/crystal krystal"
    "/curtis kurtis/darren darin/debbie debby/derek derrick/devin devon/diane dianne"
    "/dominic dominick/dylan dillon/elizabeth elisabeth/eric erik erick/gary garry/geoff jeff"
    "/geoffrey jeffrey jeffery/greg gregg/haley hailey hayley/hannah hanna/isaac issac"
    "/isabel isabelle/jackie jacky/jaime jamie/jared jarrod jarred/jason jayson/jennifer jenifer"
    "/jesse jessie/jon john/jonathan jonathon johnathan/jordan jordon/karen karin/katie katy"
    "/kelly kelley kelli/kelsey kelsie/kristen kristin kirsten/kristy christy kristi/lauren loren"
    "/leah lea/lindsay lindsey/louis lewis/luke luc/lynn lynne/marc mark/marcus markus"
    "/marissa marisa/matthew mathew/megan meghan meagan/melissa melisa/michael micheal"
    "/michelle michele/molly mollie/neil neal/nicholas nicolas/nicole nichole/philip phillip"
    "/rachel rachael/rebecca rebekah/robin robyn/sara sarah/sean shawn shaun/shelly shelley"
    "/sherry sherri sheri/sonia sonya/sophia sofia/stacy stacey/stephanie stefanie stephany"
    "/steven stephen/susan suzan/sydney sidney/tanya tonya/teresa theresa/terri terry"
    "/tracy tracey/vicky vicki/victor viktor/yolanda yolonda/zachary zachery/zack zach zac"
    "/zoe zoey"
)
SPELLINGS = {
    name: tuple(other for other in alike.split() if other != name)
    for alike in _SOUND_ALIKE.split("/")
    for name in alike.split()
}


# --- Common first names ---------------------------------------------------------------------------


GIVEN_NAMES = _WORDS["given_names"]
