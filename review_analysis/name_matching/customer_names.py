"""Rules that recognise names on the customer's side: writer, family, friends, pets."""

import re

from review_analysis.name_matching import lists
from review_analysis.name_matching.context import APOSTROPHES, STOPS, Surroundings

_KIN_WORDS = lists.RELATIVES | lists.FRIENDS | lists.PETS | lists.NEAREST
_KIN, _FRIEND = lists.either(_KIN_WORDS), lists.either(lists.FRIENDS)
_KIN_BEFORE = re.compile(
    rf"(?i)(?:\b(?:my|our)\s+(?:\w+\s+){{0,3}}(?:{_KIN})(?:[- ]in[- ]law)?"
    rf"|\b(?:a|her|his|the|their|\w+['\u2019]s)\s+(?:{_FRIEND})(?: of (?:mine|ours))?"
    rf"|(?:^|[{STOPS}]\s+)(?:{_FRIEND})"  # "Neighbor Mike told us".
    # "Mom (Rose)", "asked for hubby Mark"; not "his wife Rose", "husband and wife Mark and Rose".
    rf"|(?:^|[{STOPS},;(]\s*|\b(?:because|but|for|of|so|that|when|with)\s+)(?:{lists.either(lists.NEAREST)})"
    rf"|\b(?:another|an?|fellow|one|other) (?:\w+ )?(?:{lists.either(lists.CUSTOMERS)})"
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
# "A treat for our dog, Tom."; not "Thank you for loving our dog, Tom."
_ENDS_SENTENCE = re.compile(r"\s*[.!](?:\s|\Z)")
_ADDRESSED = re.compile(rf"(?i)\b(?:you|your|thanks?|thx)\b[^{STOPS}]*$")
_KIN_AFTER = re.compile(  # "Mark, my son", "Mark is an old lab"; not "Mark, our dog groomer".
    rf"(?i)(?:\s*[,(]\s*(?:(?:my|our)\s+(?:\w+\s+)?(?:{_KIN})|an? (?:\w+ )?(?:{_FRIEND}))"
    rf"|,? (?:is (?:an?|my|our)|the) (?:[\w-]+ ){{0,3}}(?:{lists.either(lists.PETS)}))\b"
    rf"(?!\s+(?:{lists.either(lists.TRADES)}|lover|sitter|walker|whisperer))"
    r"|(?:\s+(?:and|&)\s+\w+)?\s+(?:next door|(?:across|down|up) the (?:block|hall|road|street))\b"
    r"|\s+from (?:church|school|the gym|work) (?:recommended|referred|sent|told)\b"
    rf"|\s+(?:at|from) [^{STOPS}]*\b(?:pointed|referred|sent) (?:me|us)"
    r" (?:here|to (?:the(?:m|se)|this|you))\b"
)
_WITH_THE_WRITER = re.compile(  # "Mark and I loved it"; not "Mark and I have been in touch".
    r" (?:and|&) (?:I|me|myself) (?:\w+ly |all |always |both |had |have )*"
    r"(?:arrived|ate|came|dined|drove|enjoyed|live|loved?|made it|ordered|shared|split|stayed"
    r"|stopped|visited)\b"
)
_BY_TRADE = re.compile(rf"(?i)\b(?:{lists.either(lists.TRADES)}|employee),? $")

_I_AM = (" i am", " i'm", " im", " my name is", " my name's")
_THIS_IS = {" hello this is", " hi this is", " this is"}
_CLOSING = re.compile(
    rf"(?i)(?:(?:^|[{STOPS}])[\"\u201d)]*\s*[-\u2013\u2014~]+\s*"
    r"|(?:\S[ \t]+[^\n:]*[^\n:\s]|[^\n]*[.!?,])[ \t]*\n\s*[-\u2013\u2014~]*\s*"
    rf"|[{STOPS}]\s+(?:best|love|xoxo|your friend),\s*"
    r"|\b(?:sincerely|regards|signed|best wishes|yours truly|respectfully(?: submitted)?"
    r"|(?:customer|client|guest|patient|tenant)s?),?\s*)$"
)
_BY_LINE = re.compile(r"(?i)\b(?:posted|review(?:ed)?|submitted|written) by $")

_COUPLE = re.compile(  # "Thanks again, Mark & Ellen Burke".
    r"\s+(?:&|and)\s+[A-Z]\w+(?:\s+(?:(?:from|in|of)\s+)?[A-Z]\w+)+\s*\.?\s*\Z"
)


def is_on_the_writers_side(around: Surroundings) -> bool:
    """Whether the name is that of the writer or somebody close."""
    return _is_close(around) or _is_the_writer(around)


def _is_close(around: Surroundings) -> bool:
    """Whether the name is that of family, friends or pets: "my husband Mark"."""
    if not _BY_TRADE.search(around.before) and (
        _KIN_AFTER.match(around.after) or _WITH_THE_WRITER.match(around.after)
    ):
        return True
    kin = _KIN_BEFORE.search(around.before)
    if kin is not None and (not kin[1] or _is_an_aside(around)):
        return True
    return _KIN_OF_SEVERAL.search(around.before) is not None


def _is_an_aside(around: Surroundings) -> bool:
    """Whether the name after "our dog," is the dog's."""
    if _ASIDE_ENDS.match(around.after):
        return True
    return bool(_ENDS_SENTENCE.match(around.after)) and not _ADDRESSED.search(around.before)


def _is_the_writer(around: Surroundings) -> bool:
    if _is_introducing_himself(around) and around.after[:1] not in APOSTROPHES:
        return True
    if not around.previous and around.before.strip() and _COUPLE.match(around.after):
        return True
    if not around.ends_the_text:
        return False
    signs = _BY_LINE if around.previous in lists.INTRODUCERS else _CLOSING
    return signs.search(around.before) is not None


def _is_introducing_himself(around: Surroundings) -> bool:
    """Whether the writer introduces himself: "I'm Mark", "Hi, this is Mark"."""
    said = " ".join(["", *around.preceding])
    return around.previous != "" and (said.endswith(_I_AM) or said in _THIS_IS)
