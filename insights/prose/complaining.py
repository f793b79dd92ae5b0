"""Complaints in words: never more than what is known of them, and quotes as they were written."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from insights.complaints import Complaints
from insights.findings import AnalysedReview, Span
from insights.prose.quotable import is_clear, is_quotable, is_signed
from insights.prose.quotations import GOOD_LENGTH, LENGTHS, LOOKED_AT, Written
from insights.prose.wording import complain_about, listed, reviews

NAMED = 3
MANY_UNHAPPY = 0.1  # The share of unhappy reviews from which a summary always complains.
RECURRING = 0.02  # The share of all reviews that complain of one thing, from which it does so too.
LEAST_RECURRING = 5
LEAST_SHARE = 0.05  # Of the reviews that complain, that have a complaint worth its name there.
UNRECOGNISED_QUOTES = 2


def complaint_sentences(complaints: Complaints, count: int) -> Iterator[str]:
    """Sentences about complaints, and about unhappy reviews without a recognised one."""
    unhappy = len(complaints.unhappy)
    is_bad = bool(count) and unhappy >= MANY_UNHAPPY * count
    recurring = max(LEAST_RECURRING, RECURRING * count)
    named = [each for each in complaints.items if each.count >= LEAST_SHARE * complaints.count]
    if not is_bad:
        named = [each for each in named if each.count >= recurring]
    named = named[:NAMED]
    of_all = f"{unhappy} of {reviews(count)} give one or two stars"
    if leading := complaints.leading if named else None:
        yield (
            f"The most common complaint is {complain_about(leading.id, leading.label)}: at least"
            f" {leading.count} of the {complaints.count} reviews that complain."
        )
        named = named[1:]
    if named:
        verb = "also complain" if leading else "complain"
        named.sort(key=lambda each: each.label)
        said = [f"{complain_about(each.id, each.label)} (at least {each.count})" for each in named]
        yield f"Customers {verb} about {listed(said)}."
    unknown = len(complaints.unrecognised)
    if is_bad and unknown == unhappy:
        yield f"{of_all}, for reasons that were not recognised."
    elif is_bad and unknown:
        yield f"{of_all}, {unknown} of them for reasons that were not recognised."
    elif is_bad:
        yield f"{of_all}."


# --- Quotes ---------------------------------------------------------------------------------------


def complaint_quotes(
    complaints: Complaints, records: Mapping[str, AnalysedReview], known: frozenset[str]
) -> Mapping[str, Written]:
    """A sentence that tells of each complaint, no review's twice."""
    quotes: dict[str, Written] = {}
    quoted: set[str] = set()
    for complaint in complaints.items:
        places = (
            (records[ulid], span)
            for ulid, spans in complaint.sentences.items()
            for span in spans
            if ulid not in quoted
        )
        if quote := next(_best(places, known), None):
            quotes[complaint.id] = quote
            quoted.update(quote.review_ids)
    return quotes


def unrecognised_quotes(complaints: Complaints, known: frozenset[str]) -> Sequence[Written]:
    """Sentences of unhappy reviews in which nothing was recognised, as they are."""
    places = (
        (record, (sentence.start, sentence.end))
        for record in complaints.unrecognised
        for sentence in record.sentences
        if sentence.label != "positive"
    )
    chosen: dict[str, Written] = {}
    for quote in _best(places, known):
        chosen.setdefault(quote.review_ids[0], quote)
    return list(chosen.values())[:UNRECOGNISED_QUOTES]


def _best(
    places: Iterable[tuple[AnalysedReview, Span]], known: frozenset[str]
) -> Iterator[Written]:
    """Sentences fit to be shown: those that are clear first, then those of a good length."""
    fit: list[tuple[tuple[bool, int], int, Written]] = []
    for record, span in places:
        text = record.words(span).strip()
        is_fit = len(text) in LENGTHS and is_quotable(text, known)
        if is_fit and not is_signed(text, record.author):
            worth = (not is_clear(text, "negative", known), abs(len(text) - GOOD_LENGTH))
            fit.append((worth, len(fit), Written(text, (record.ulid,))))
        if len(fit) == LOOKED_AT:
            break
    return (written for _, _, written in sorted(fit, key=lambda each: each[:2]))
