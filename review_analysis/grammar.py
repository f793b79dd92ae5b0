"""Parts of speech, as far as a list of the small words and a few endings can tell.

One letter each: D determiner, P preposition, R pronoun, C copula, H auxiliary, N negator,
& conjunction, B contrast, W relative or question word, T "than", J adverb, A adjective, V verb,
# number, n noun and whatever is left; `,` and `.` are marks within and at the end of a sentence.
"""

from review_analysis import lexicon
from review_analysis.word_lists import word_lists

_WORDS = word_lists(__file__)

_CLASSES = {
    "D": """the a an this that these those my our your his her their its some any every each all
        both another such either several many few much most other own half""",
    "P": """of in on at with for to from by about as into over after before during between through
        under around near against within off up out down upon across behind beside besides since
        until till per along among onto inside outside towards toward via like including above
        below beyond plus regarding""",
    "R": """i we you he she it they me us him them everyone everybody someone somebody anyone
        anybody everything something anything myself ourselves yourself itself themselves himself
        herself one mine ours yours theirs""",
    "C": """is was are were be been being am 's 're 'm seem seems seemed look looks looked feel
        feels felt taste tastes tasted smell smells smelled sound sounds sounded become becomes
        became stay stays stayed remain remains remained get gets got getting came come comes turned
        isn't wasn't aren't weren't ain't isnt wasnt arent werent""",
    "H": """have has had having do does did doing done will would can could should may might must
        shall 've 'll 'd don't doesn't didn't won't wouldn't can't couldn't shouldn't haven't hasn't
        hadn't mustn't needn't dont doesnt didnt wont wouldnt cant couldnt shouldnt havent hasnt
        hadnt cannot""",
    "N": """not no never none nobody nothing nowhere neither nor without hardly barely scarcely
        rarely seldom zero n't""",
    "&": "and or & / n",
    "B": """but however although though yet except while whereas despite unless nonetheless
        nevertheless otherwise""",
    "W": """which who whom whose where when what how why because if that's whether so once""",
    "T": "than",
    "J": """very really so too quite pretty extremely super just also even still always again only
        rather somewhat almost absolutely definitely totally completely incredibly there here back
        now then well ever already often usually sometimes more less most least far way bit little
        enough soon later away together once twice maybe perhaps please actually honestly overall
        especially particularly truly highly fairly slightly kind sort much""",
    "V": """go goes went gone going take takes took taken taking make makes made making know knows
        knew known think thinks thought say says said tell tells told ask asks asked give gives gave
        given use uses used using find finds found want wants wanted need needs needed try tries
        tried trying work works worked working call calls called calling leave leaves left put puts
        keep keeps kept let lets begin begins began start starts started show shows showed shown
        hear heard run runs ran bring brings brought buy bought buying sit sat stand stood pay paid
        paying meet met include includes included continue set learn change lead understand watch
        follow stop stopped create speak spoke read spend spent grow open opened walk win offer
        offers offered remember love loves loved hate hates hated like likes liked enjoy enjoys
        enjoyed consider appear wait waited waiting serve serves served order ordered ordering eat
        eats ate eaten eating drink drank come cook cooked see sees saw seen seeing arrive arrived
        explain explained fix fixed repair repaired recommend recommends recommended charge charged
        hire hired book booked receive received return returned visit visited expect expected
        decide decided choose chose pick picked send sent sell sold install installed replace
        replaced finish finished complete completed help helps helped treat treated handle handled
        deliver delivered provide provides provided answer answered respond responded refuse
        refused seat seated check checked share shared split break broke fail failed last lasts
        lasted die died hold holds held believe wish hope prefer avoid thank thanks
        beat beaten begun bent bitten bled blew blown bound bred built caught chosen clung crept
        dealt drawn dreamt drew driven drove drunk dug dwelt fallen fed fell fled flew flown flung
        forbade forbidden foresaw forgave forgiven forgot forgotten fought froze frozen gotten grew
        grown hid hidden hung knelt laid leapt learnt led lent lied meant mistook misunderstood
        outdid outdone outgrew overcame overdid overheard overpaid oversaw overslept oversold
        overtook proven quit rang rebuilt redid redone repaid reset rewrote rewritten ridden risen
        rode rung sang sank sewn shaken shook shone shrank shrunk slept slid slung smelt sought spat
        sped spilt sprang sprung spun stank stole stolen strode struck stung sunk swam swept swore
        sworn swung taught threw thrown tore trod undercut understood undertook undid undone upheld
        vied wept withdrew withdrawn withheld withstood woke woken won wore wove woven written wrote
        wrung""",
}
_TAGS = {word: tag for tag, words in _CLASSES.items() for word in words.split()}
_TAGS["that"] = "W"
_TAGS["so"] = "J"
_TAGS["little"] = "J"
_TAGS["like"] = "P"

NEGATORS = _WORDS["negators"]
LONGEST_DENIAL = 5  # In words.
DENYING = NEGATORS | {"wrong", "nope", "false"}
_IN_DENIALS = (DENYING - {"nothing", "nobody", "nowhere"}) | _WORDS["in_denials"]
FUNCTION_WORDS = frozenset(
    word for tag in "DPRCHN&BWT" for word in _CLASSES[tag].split() if len(word) > 1
) | {"i", "a", "very", "there", "here", "just", "also"}

_MARKS = {".": ".", "!": ".", "?": ".", "\u2026": ".", "\n": "."}
_ADJECTIVE_ENDINGS = ("ful", "less", "ous", "ive", "able", "ible", "ish", "ical", "iest")
# Past forms that are nouns or adjectives where nothing follows that something is done to.
_EITHER = _WORDS["either"]
_OBJECTS = frozenset("me us him them".split())
_NOUNS_LIKE_VERBS = _WORDS["nouns_like_verbs"]


def is_denial(words: list[str]) -> bool:
    """Whether they say no to what was said, and no more: "never", "not even close", "it didn't",
    "they are not".
    """
    return (
        len(words) <= LONGEST_DENIAL
        and _IN_DENIALS.issuperset(words)
        and not DENYING.isdisjoint(words)
    )


def tags(words: list[str]) -> list[str]:
    """The part of each word of a sentence."""
    tags = [_KNOWN.get(word) or _cached_tag(word) for word in words]
    if "'s" in words:
        for index in range(1, len(words) - 1):
            # "Mark's work": a possessive, unlike "Mark's here".
            if words[index] == "'s" and tags[index + 1] == "n":
                tags[index] = "D" if tags[index - 1] == "n" else "C"
    _find_verbs_by_object(words, tags)
    if "but" in words:
        for index, word in enumerate(words):
            if word == "but":
                tags[index] = _part_of_but(words, index)
    return tags


def _find_verbs_by_object(words: list[str], tags: list[str]) -> None:
    """Tag as verbs what no list and no ending shows, where an object follows."""
    if not _TAKING_OBJECTS.isdisjoint(words):
        for index, word in enumerate(words[1:-1], 1):
            if word in _TAKING_OBJECTS and _has_object(words, tags, index):
                tags[index] = "V"
    if not _OBJECTS.isdisjoint(words):
        for index, word in enumerate(words[2:], 1):
            if word in _OBJECTS and tags[index] == "n":  # "The office texts me".
                tags[index] = "V"


def _has_object(words: list[str], tags: list[str], index: int) -> bool:
    """Whether a form that may be a verb has an object: "they lost my file", not "a lost file"."""
    takes = tags[index + 1] == "D" or words[index + 1] in _OBJECTS
    return takes and tags[index - 1] not in {"D", "A", "C", "P"}


def _part_of_but(words: list[str], index: int) -> str:
    """A contrast, unlike "nothing but praise" and "not only late but rude"."""
    if index and words[index - 1] in {"nothing", "anything"}:
        return "P"
    for before in range(index - 1, 0, -1):
        if words[before] == "but":
            break
        if words[before] in _ADDING and words[before - 1] in NEGATORS:
            return "&"
    return "B"


_ADDING = frozenset("only just merely simply".split())

# A list above is surer than the lexicon, whose adjectives no ending gives away.
_KNOWN: dict[str, str] = {**dict.fromkeys(lexicon.load().adjectives, "A"), **_TAGS}

_TAKING_OBJECTS = _EITHER.union(word for word in lexicon.load().adjectives if word.endswith("ed"))


def _cached_tag(word: str) -> str:
    tag = _guess(word)
    if len(_KNOWN) < 50_000:  # Enough for a language; a bound for noise.
        _KNOWN[word] = tag
    return tag


def _guess(word: str) -> str:
    head = word[0]
    if not head.isalpha():
        return _MARKS.get(head) or ("#" if head.isdigit() else ",")
    if len(word) < (4 if word.endswith("ed") else 5):
        return "n"
    if word.endswith("ly"):
        return "J"
    if word.endswith(_ADJECTIVE_ENDINGS):
        return "A"
    return "V" if word.endswith(("ing", "ed")) and word not in _NOUNS_LIKE_VERBS else "n"
