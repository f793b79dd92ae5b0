"""Technicians' names on the customer's side: the writer, family, friends, pets, the queue."""

import re

from review_analysis.name_matching.context import APOSTROPHES, STOPS, Surroundings
from review_analysis.name_matching.words import (
    CALLERS,
    CUSTOMERS,
    FRIENDS,
    INTRODUCERS,
    NEAREST,
    PETS,
    RELATIVES,
    TRADES,
    either,
)

_KIN_WORDS = RELATIVES | FRIENDS | PETS | NEAREST
_MENTIONED = {word + end for word in _KIN_WORDS for end in ("", "s", "'s")}
_MENTIONED |= {"boys", "children", "girls", "mine", "ours"} | CUSTOMERS


_KIN = either(_KIN_WORDS)
_KIN_BEFORE = re.compile(
    rf"(?i)(?:\b(?:my|our)\s+(?:\w+\s+){{0,3}}(?:{_KIN})(?:[- ]in[- ]law)?"
    rf"|\b(?:a|her|his|the|their|\w+['\u2019]s)\s+(?:{either(FRIENDS)})(?: of (?:mine|ours))?"
    rf"|(?:^|[{STOPS}]\s+)(?:{either(FRIENDS)})"  # "Neighbor Mike told us".
    # "Mom (Rose)", "asked for hubby Mark"; but "his wife Rose", "husband and wife Mark and Rose".
    rf"|(?:^|[{STOPS},;(]\s*|\b(?:because|but|for|of|so|that|when|with)\s+)(?:{either(NEAREST)})"
    rf"|\b(?:another|an?|fellow|one|other) (?:\w+ )?(?:{either(CUSTOMERS)})"
    r"(?=,| (?:also )?(?:called|named)))"
    r"(?: (?:also )?(?:called|named)| is| was|['\u2019]s name(?:['\u2019]s| is| was))?"
    r"(?: (?:dr|mrs?|ms)\.?)?"
    r"(,|\s-|\s\()?\s*$"
)
_KIN_OF_SEVERAL = re.compile(  # "My sons Mark and ", "our boys mark and ".
    rf"(?i:\b(?:my|our)\s+(?:\w+\s+)?(?:(?:{_KIN})s|boys|children|girls)),?\s+"
    r"(?:(?:[A-Z]\w+,?\s+(?:and\s+)?)*|[a-z]+ (?:and|&) )$"
)
_ASIDE_ENDS = re.compile(r"\s*[,)-]|\s+and (?:I|me)\b")
# "A treat for our dog, Tom."; but "Thank you for loving our dog, Tom."
_ENDS_SENTENCE = re.compile(r"\s*[.!](?:\s|\Z)")
_ADDRESSED = re.compile(rf"(?i)\b(?:you|your|thanks?|thx)\b[^{STOPS}]*$")
_KIN_AFTER = re.compile(  # "Mark, my son", "Mark is an old lab"; but "Mark, our dog groomer".
    rf"(?i)(?:\s*[,(]\s*(?:(?:my|our)\s+(?:\w+\s+)?(?:{_KIN})|an? (?:\w+ )?(?:{either(FRIENDS)}))"
    rf"|,? (?:is (?:an?|my|our)|the) (?:[\w-]+ ){{0,3}}(?:{either(PETS)}))\b"
    rf"(?!\s+(?:{either(TRADES)}|lover|sitter|walker|whisperer))"
    r"|(?:\s+(?:and|&)\s+\w+)?\s+(?:next door|(?:across|down|up) the (?:block|hall|road|street))\b"
    r"|\s+from (?:church|school|the gym|work) (?:recommended|referred|sent|told)\b"
    rf"|\s+(?:at|from) [^{STOPS}]*\b(?:pointed|referred|sent) (?:me|us)"
    r" (?:here|to (?:the(?:m|se)|this|you))\b"
)
_WITH_THE_WRITER = re.compile(  # "Mark and I loved it"; but "Mark and I have been in touch".
    r" (?:and|&) (?:I|me|myself) (?:\w+ly |all |always |both |had |have )*"
    r"(?:arrived|ate|came|dined|drove|enjoyed|live|loved?|made it|ordered|shared|split|stayed"
    r"|stopped|visited)\b"
)
_RATING = re.compile(r"(?i)\b(?:\d+|\d/\d+|stars?|thumbs up) from (?:\w+ (?:&|and) )?$")
_SPOKEN_BACK = re.compile(  # The firm's answer: "Mark, we are sorry".
    r"(?i)[\"\u201c], (?:i|we)(?:'m|'re|\u2019re| am| are)? (?:\w+ )?(?:apologi[sz]e|sorry)\b"
)
_DINING = re.compile(r" (?:ate|devoured|opted for)\b")
_CELEBRATED = re.compile(r"(?i)\bhappy (?:birthday|anniversary),? $")
_SENTENCE_END = re.compile(rf"[{STOPS}\n]")
_BY_TRADE = re.compile(rf"(?i)\b(?:{either(TRADES)}|employee),? $")
_NAMESAKE = re.compile(r"(?i)\b(?:also|another|different|funny|namesakes?|other|same|too)\b")
_WORKED = re.compile(
    r"(?i) (?:\w+ly |also |then )?(?:answered|arrived|came out|checked|cleaned|diagnosed"
    r"|explained|fixed|greeted|handled|helped|installed|repaired|replaced|served"
    r"|showed (?:me|us|up)|treated)\b"
)
_OF_THE_TEAM = re.compile(rf"(?i)\b(?:{either(CALLERS)})\.?,? $")
_BEFORE_KIN = {"", *"& across and down from is next the up".split()}
_TAKING = set("bring brought drop dropped off pick picked take took up".split())
_TAKEN = re.compile(  # "I took Max in", "Dropped Max off"; but "Took Max an hour to fix it".
    rf"(?i)(?:\b(?:i|we)(?: \w+){{0,2}} (?:bring|take|took)"
    rf"|(?:^|[{STOPS}]\s+|\b(?:i|we)(?: \w+){{0,2}} |\band )(?:brought|drop(?:ped)?|pick(?:ed)?))"
    r"(?: off| up)? $"
)
_THERE = {"at", "here", "home", "in", "off", "there", "to", "up"}

_I_AM = (" i am", " i'm", " im", " my name is", " my name's")
_THIS_IS = {" hello this is", " hi this is", " this is"}
_LAST_OF_THESE = {phrase.rpartition(" ")[2] for phrase in (*_I_AM, *_THIS_IS)}
_CLOSING = re.compile(
    rf"(?i)(?:(?:^|[{STOPS}])[\"\u201d)]*\s*[-\u2013\u2014~]+\s*"
    r"|(?:\S[ \t]+[^\n:]*[^\n:\s]|[^\n]*[.!?,])[ \t]*\n\s*[-\u2013\u2014~]*\s*"
    rf"|[{STOPS}]\s+(?:best|love|xoxo|your friend),\s*"
    r"|\b(?:sincerely|regards|signed|best wishes|yours truly|respectfully(?: submitted)?"
    r"|(?:customer|client|guest|patient|tenant)s?),?\s*)$"
)
_BY_LINE = re.compile(r"(?i)\b(?:posted|review(?:ed)?|submitted|written) by $")
_LONE = re.compile(r"\w[.!…]+[\"\u201d)]*\s+$")  # "Great work. Mark"
_AFTER_ALL = re.compile(r"\w[.!…,]+\s+$")  # "Thanks again, Mark & Ellen Burke"
_COUPLE = re.compile(r"\s+(?:&|and)\s+[A-Z]\w+(?:\s+(?:(?:from|in|of)\s+)?[A-Z]\w+)+\s*\.?\s*\Z")
_OF_TOWN = re.compile(r",\s*[A-Z]\w+,? [A-Z]{2}\s*\Z")


def is_on_the_writers_side(around: Surroundings) -> bool:
    """ "My husband Mark", "Mark, my son,", "I'm Mark", "Great work!\n- Mark"."""
    return _is_close(around) or _is_taken_along(around) or _is_the_writer(around)


def is_of_the_family(text: str, start: int, end: int) -> bool:
    """Whether an earlier sentence gives somebody on the writer's side the name.

    "My son is called Mark. Mark loved it"; within a sentence the second Mark is another one.
    """
    name = text[start:end]
    first = text.find(name, 0, start)
    is_part = first >= 0 and (text[first - 1 : first] + text[first + len(name)]).strip().isalnum()
    sentence = first + len(name), min(start, first + 300)
    if first < 0 or is_part or not _SENTENCE_END.search(text, *sentence):
        return False
    if _OF_THE_TEAM.search(text, max(0, start - 30), start) or _WORKED.match(text, end):
        return False
    around = Surroundings(text, first, first + len(name))
    is_namesake = any(map(_NAMESAKE.search, (around.before, around.after, text[end : end + 40])))
    is_guest = FRIENDS.isdisjoint(around.preceding) or "my" in around.preceding
    return is_guest and not is_namesake and _is_close(around)


def _is_close(around: Surroundings) -> bool:
    """ "My husband Mark", "a neighbor named Mark", "Mark, my son", "Mark and I loved it"."""
    if _RATING.search(around.before) or _SPOKEN_BACK.match(around.before[-1:] + around.after):
        return True
    if _DINING.match(around.after) or _CELEBRATED.search(around.before):
        return True
    if (
        around.next in _BEFORE_KIN
        and not _BY_TRADE.search(around.before)
        and (_KIN_AFTER.match(around.after) or _WITH_THE_WRITER.match(around.after))
    ):
        return True
    if _MENTIONED.isdisjoint(around.preceding):
        return False
    kin = _KIN_BEFORE.search(around.before)
    if kin is not None and (not kin[1] or _is_an_aside(around)):
        return True
    return _KIN_OF_SEVERAL.search(around.before) is not None


def _is_an_aside(around: Surroundings) -> bool:
    """Whether the name behind "our dog," is the dog's."""
    if _ASIDE_ENDS.match(around.after):
        return True
    return bool(_ENDS_SENTENCE.match(around.after)) and not _ADDRESSED.search(around.before)


def _is_taken_along(around: Surroundings) -> bool:
    """ "We took Max in for his shots", "picked up Max at five"."""
    is_taken = around.previous in _TAKING and around.next in _THERE
    return is_taken and _TAKEN.search(around.before) is not None


def _is_the_writer(around: Surroundings) -> bool:
    if _is_introducing_himself(around) and around.after[:1] not in APOSTROPHES:
        return True
    if not around.previous and _signs_alone(around.before, around.after):
        return True
    if not around.ends_the_text:
        return False
    signs = _BY_LINE if around.previous in INTRODUCERS else _CLOSING
    return signs.search(around.before) is not None


def _is_introducing_himself(around: Surroundings) -> bool:
    """ "I'm Mark", "Hi, this is Mark"."""
    if around.previous not in _LAST_OF_THESE:
        return False
    said = " ".join(["", *around.preceding])
    return said.endswith(_I_AM) or said in _THIS_IS


def _signs_alone(before: str, after: str) -> bool:
    """ "Great work. Mark", "Thanks again, Mark & Ellen Burke", "Fine. Mark, Boise ID"."""
    if not after or (after[0] == "," and _OF_TOWN.match(after)):
        return _LONE.search(before) is not None
    return _COUPLE.match(after) is not None and _AFTER_ALL.search(before) is not None
