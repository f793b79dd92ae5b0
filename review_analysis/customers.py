"""Tell what customers do or are from what the business does.

"I was late", "I will never return" and "rude tourists" are no problems that the business made, and
neither is it when "they called us several times".
"""

from review_analysis import grammar
from review_analysis.segments import Words, subject_of

# Verbs of a customer whom a business fails: "we waited", "I was charged", "I had to".
_BORNE = frozenset(
    "wait waited waiting waits sat sit stood stand hear heard get got gotten getting receive"
    " received was were been being had have left called call calling phoned emailed texted tried"
    " paid pay paying owe owed spent reach find found felt feel ended asked ask cannot can't"
    " couldn't could cant couldnt can need needed came come still".split()
)
_BORNE_NEGATED = frozenset("hear heard get got receive received reach talk see been have".split())
CUSTOMER = frozenset({"i", "we"})  # As a subject.
_OBJECTS = frozenset({"me", "us"})
_BEING = frozenset("was were am 'm been be".split())
_REACHING = frozenset("reach contact hold ahold".split())
WILLING = frozenset("will would 'll 'd".split())
_CHOOSING = frozenset("bought buy chose picked grabbed ordered took selected booked".split())
# Other customers, and what they do to each other.
_VISITORS = frozenset(
    "tourist tourists guest guests visitor visitors customers patrons crowd crowds locals kids"
    " children teenagers teens students parents families members riders patients residents"
    " bikers".split()
)
_PEOPLE = frozenset("people others".split())
_STAFF = frozenset("staff team crew".split())  # "Staff members".
_JOSTLING = frozenset(
    "push pushed pushes pushing shove shoved shoving cut cuts cutting jump jumped line lines"
    " queue queues queuing queueing spit spitting smoke smoking equipment weights".split()
)
_EFFORTS = frozenset(
    "call calls called calling email emails emailed text texts texted message messages messaged"
    " phoned".split()
)


def is_about_customers(words: Words, first: int, last: int) -> bool:
    """Whether the words tell what customers did, or that the business called."""
    return (
        _is_of_customer(words, first, last)
        or _is_of_visitors(words, first, last)
        or _is_call_of_business(words, first, last)
        or _is_out_of_reach(words, first, last)
    )


def _is_of_customer(words: Words, first: int, last: int) -> bool:
    """ "I was late", "we did not arrive", "I broke my ring": what the customer did or was."""
    if first == last and words.words[first - 1 : first] == ["i"] and words.tags[first] == "n":
        return words.words[first].endswith("ed")  # "I yelled": no verb that grammar knows.
    subject = subject_of(words, first, last)
    if not subject or words.words[subject[-1]] not in CUSTOMER:
        return _is_of_nearest_customer(words, first, last)
    if "wrong" in words.words[first : last + 1] and not _CHOOSING.isdisjoint(
        words.words[max(subject.stop, first - 3) : last]
    ):
        return True  # "I grabbed the wrong size".
    verb = subject.stop
    while verb <= last and words.tags[verb] in {"J", "N"}:
        verb += 1
    return verb <= last and _is_done_by_customer(words, verb, first, last)


def _is_of_nearest_customer(words: Words, first: int, last: int) -> bool:
    """ "She told me I was rude", "needless to say I cancelled my visit"."""
    low = words.clause_bounds(first)[0]
    at = first - 1
    while at > low and (words.tags[at] in {"H", "N", "J"} or words.words[at] in _BEING):
        at -= 1
    if at < low or words.words[at] not in CUSTOMER:
        return False
    is_passive = words.tags[at + 1] == "C" and words.words[first].endswith("ed")
    return not is_passive and _is_done_by_customer(words, at + 1, first, last)


def _is_done_by_customer(words: Words, verb: int, first: int, last: int) -> bool:
    """Whether the term tells what "I" and "we" do or are."""
    word, tag = words.words[verb], words.tags[verb]
    if tag == "C" or word == "'m":
        if first == verb:  # "I was nasty with them".
            said = words.words[verb + 1 : verb + 2]
            return words.tags[verb + 1 : verb + 2] == ["A"] and not said[0].endswith("ed")
        is_short = first <= verb + 5 and last <= first + 1
        return is_short and words.tags[first] in {"A", "n", "J"}  # "I was late".
    if word in {"had", "have", "'ve"}:
        return False
    if tag != "H":
        return verb >= first and word not in _BORNE and tag == "V"
    done = next((w for w in words.words[verb + 1 : last + 1] if w not in grammar.NEGATORS), "")
    if not done or any(at not in grammar.NEGATORS for at in words.words[verb + 1 : first]):
        return False
    is_vow = word in WILLING and done in {"come", "go"}  # "I'll never come here again".
    return is_vow or done not in _BORNE | _BORNE_NEGATED


def _is_call_of_business(words: Words, first: int, last: int) -> bool:
    """ "They called us several times", unlike the customer's own calls."""
    if words.words[first] not in _EFFORTS:
        return False
    subject = subject_of(words, first, last)
    said = words.words[subject.start : subject.stop]
    return bool(said) and subject.stop >= first - 1 and said[-1] in {"they", "he", "she"}


def _is_out_of_reach(words: Words, first: int, last: int) -> bool:
    """ "She couldn't get a hold of me"."""
    is_reaching = not _REACHING.isdisjoint(words.words[first : last + 1])
    return is_reaching and not _OBJECTS.isdisjoint(words.words[last : last + 2])


def _is_of_visitors(words: Words, first: int, last: int) -> bool:
    """Whether other customers are or do it: "rude tourists", "people were so rude, pushing"."""
    if words.tags[first] not in {"A", "V", "n"} or not first <= last <= first + 1:
        return False
    end = last + 1
    while end < min(len(words), last + 4) and words.tags[end] in {"A", "n"}:
        end += 1
    nouns = words.words[last + 1 : end]
    subject = subject_of(words, first, last)
    if subject.stop <= first and not nouns:
        nouns = words.words[subject.start : subject.stop]
    if nouns and nouns[-1] in _PEOPLE:
        return not _JOSTLING.isdisjoint(words.words)
    # "Guests were insulted" tells of the staff.
    is_passive = words.tags[first] == "V" and words.tags[first - 1] == "C"
    is_staff = not _STAFF.isdisjoint(nouns)
    return bool(nouns) and nouns[-1] in _VISITORS and not is_passive and not is_staff
