"""Pure: the short forms that people with a common English first name go by; lower case."""

from collections import defaultdict

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
    "francis": "frank",
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


# Names of their own as well: hardly anybody calls a Jack John.
_OWN_NAMES = frozenset("carol gail harry jack jamie jan julie leo liam luke sasha".split())


def _both_ways() -> dict[str, tuple[str, ...]]:
    full_names: defaultdict[str, list[str]] = defaultdict(list)
    for name, forms in _SHORT_FORMS.items():
        for form in forms.split():
            full_names[form].append(name)
    # Frank may be Francis, Franklin or Francisco, and is called by none of the three.
    known = {
        form: tuple(names)
        for form, names in full_names.items()
        if len(names) <= 2 and form not in _OWN_NAMES
    }
    return known | {
        name: (*forms.split(), *known.get(name, ())) for name, forms in _SHORT_FORMS.items()
    }


# The short forms of a full first name, and the full names that a short one stands for.
NICKNAMES = _both_ways()

# Who hears a name spells it as it sounds.
_SOUND_ALIKE = (
    "aaron aron/adrian adrien/alan allan allen/ann anne/anthony antony/ashley ashlee ashleigh"
    " ashely/brian bryan/brittany britney brittney/caitlin kaitlin kaitlyn katelyn/carol carole"
    "/catherine katherine kathryn/chelsea chelsey/christina kristina/christine kristine"
    "/christopher kristopher/claire clare/courtney kourtney/darren darin/debbie debby"
    "/derek derrick/eric erik erick/gary garry/geoff jeff/geoffrey jeffrey jeffery/haley hailey"
    " hayley/hannah hanna/isabel isabelle/jason jayson/jon john/jonathan jonathon johnathan"
    "/karen karin/katie katy/kelly kelley kelli/kristen kristin kirsten/lauren loren/leah lea"
    "/lindsay lindsey/louis lewis/luke luc/marc mark/matthew mathew/megan meghan meagan"
    "/melissa melisa/michael micheal/michelle michele/nicholas nicolas/nicole nichole"
    "/philip phillip/rachel rachael/rebecca rebekah/sara sarah/sean shawn shaun/sophia sofia"
    "/stacy stacey/stephanie stefanie stephany/steven stephen/susan suzan/teresa theresa"
    "/terri terry/tracy tracey/vicky vicki/yolanda yolonda/zachary zachery/zack zach"
)
SPELLINGS = {
    name: tuple(other for other in alike.split() if other != name)
    for alike in _SOUND_ALIKE.split("/")
    for name in alike.split()
}
