"""Short forms of common English first names, in lower case."""

from collections import defaultdict

from review_analysis.name_matching.words import words

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


GIVEN_NAMES = words(
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
