"""Extract the part of a language model's answer that the review supports.

The model chooses from the given ids, or names a problem in the review's own words, and quotes the
review. The rules find the sentences and names, and the places of quotes. Then the rules read each
quote alone: they must not find the opposite opinion, and the quote must name the subject. An entry
that fails a check is dropped.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

from insights.aggregate import Names
from insights.findings import LONGEST_PHRASE, TYPES, Complaint, Kind, Span
from insights.llm.prompts import JUDGED, KINDS, parse_answer
from insights.prose.quotable import stems, stems_of
from insights.prose.wording import answering_stems
from insights.statistics import LABELS
from review_analysis.concepts import of_problem
from review_analysis.reading import (
    AspectReading,
    EntityReading,
    Label,
    Mention,
    Reading,
    Sentence,
)

MAX_NEUTRAL = 0.35  # Largest absolute value of a neutral score.
MAX_ENTRIES = 50
LABEL = re.compile("[A-Za-z][a-z]+(?: [a-z]+){1,4}")  # Of a problem without a known id.
MIN_WORDS = 3
_QUOTATION_MARKS = frozenset(
    "'\"`\u00b4\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2032\u2033\u00ab\u00bb"
)
_DASHES = frozenset("-\u2010\u2011\u2012\u2013\u2014\u2015\u2212")
_EDGES = " .-,"
_OPPOSITE: Mapping[Label, Label] = {"positive": "negative", "negative": "positive"}

Read = Callable[[str], Reading]  # By the rules, without stars.


class Answer(NamedTuple):
    reading: Reading
    complaints: tuple[Complaint, ...]  # Problems without a known id.
    dropped: int  # Number of dropped entries.


class _Claim(NamedTuple):
    """An entry whose quote occurs in the review."""

    id: str
    label: Label
    score: float
    mention: Mention
    entry: Mapping[str, Any]


def read_answer(content: str, text: str, names: Names, rules: Reading, read: Read) -> Answer:
    """Convert an answer into a reading, with the rules' sentences and names.

    An answer adds no technician, service or area, only opinions on those that the rules found.
    Raises `AnswerRefused`.
    """
    answer = parse_answer(content)
    sentiment = answer.get("sentiment")
    judged = _judgement(sentiment) if isinstance(sentiment, dict) else None
    if judged is None or judged[0] == _OPPOSITE.get(rules.label):
        judged = rules.label, rules.score  # Another review in the request may have misled it.
    label, score = judged
    # The rules find no sentences in other languages.
    rules = replace(rules, sentences=rules.sentences or (Sentence(0, len(text), label, score),))
    checked = _Checked(text, names, rules, read, (label, score))
    claims = {kind: list(checked.claims(answer, kind)) for kind in KINDS}
    reading = replace(
        rules,
        analysed=True,
        label=label,
        score=score,
        aspects=tuple(_aspect(claim, text, rules) for claim in claims["aspects"]),
        entities=(
            *_roster_entities(rules, claims),
            *(
                EntityReading(
                    "problem",
                    claim.id,
                    claim.label,
                    claim.score,
                    (claim.mention,),
                    resolved=claim.entry.get("resolved") is True,
                    concept=of_problem(claim.id),
                )
                for claim in claims["problems"]
            ),
            *(
                EntityReading("topic", claim.id, claim.label, claim.score, (claim.mention,))
                for claim in claims["topics"]
            ),
        ),
    )
    return Answer(reading, tuple(checked.own_problems(answer)), checked.dropped)


@dataclass
class _Checked:
    """Check the entries of an answer."""

    text: str
    names: Names
    rules: Reading
    read: Read
    whole: tuple[Label, float]
    dropped: int = 0

    def claims(self, answer: Mapping[str, Any], kind: Kind) -> Iterator[_Claim]:
        """Yield the valid entries with a known id, one for each id."""
        seen: set[str] = set()
        for entry in _entries(answer, kind):
            if kind == "problems" and not entry.get("id"):
                continue  # See `own_problems`.
            claim = self._claim(entry, kind)
            if claim is None or claim.id in seen:
                self.dropped += 1
            else:
                seen.add(claim.id)
                yield claim

    def _claim(self, entry: Mapping[str, Any], kind: Kind) -> _Claim | None:
        key, span = entry.get("id"), self._place(entry)
        if not isinstance(key, str) or key not in self.names.of(kind) or span is None:
            return None
        judged: tuple[Label, float] | None = self.whole
        if kind in JUDGED:
            judged = _judgement(entry)
        elif kind == "problems":
            judged = ("negative", -0.5)
        if judged is None or not self._is_shown(kind, key, judged[0], span):
            return None
        before = [i for i, each in enumerate(self.rules.sentences) if each.start <= span[0]]
        mention = Mention(*span, *judged, before[-1] if before else 0, span)
        return _Claim(key, *judged, mention, entry)

    def _place(self, entry: Mapping[str, Any]) -> Span | None:
        quote = entry.get("quote")
        return find_quote(quote, self.text) if isinstance(quote, str) else None

    def _is_shown(self, kind: Kind, key: str, label: Label, span: Span) -> bool:
        """Whether the quote names the subject, and the rules do not find the opposite in it."""
        if kind in {"technicians", "services"}:
            return True  # The rules have found the name.
        quote = self.text[slice(*span)]
        alone = self.read(quote)
        if kind != "topics" and alone.label == _OPPOSITE.get(label):
            return False
        found = {each.id for each in alone.aspects} | {each.id for each in alone.entities}
        found |= {each.concept or "" for each in alone.complaints}
        name = self.names.of(kind)[key]
        words = answering_stems(key, name) if kind == "aspects" else stems(name)
        return bool({key, of_problem(key)} & found) or not stems_of(quote).isdisjoint(words)

    def own_problems(self, answer: Mapping[str, Any]) -> Iterator[Complaint]:
        """Yield problems without a known id, whose labels consist of words of the review.

        Labels with the same stems, in any order, are the same problem.
        """
        known = stems(*re.findall(r"\b[a-z]\w*", self.text))  # Without names.
        for entry in _entries(answer, "problems"):
            if entry.get("id"):
                continue
            label, span = str(entry.get("label", "")).strip(), self._place(entry)
            words = stems(label)
            is_supported = LABEL.fullmatch(label) and words and words <= known
            if (
                not is_supported
                or span is None
                or self.read(self.text[slice(*span)]).label == "positive"
            ):
                self.dropped += 1
                continue
            over = [
                each for each in self.rules.sentences if each.start < span[1] and each.end > span[0]
            ]
            sentence = (over[0].start, over[-1].end) if over else span
            yield Complaint(*sentence, "-".join(sorted(words)), label.capitalize())


def _entries(answer: Mapping[str, Any], kind: Kind) -> list[Mapping[str, Any]]:
    given = answer.get(kind)
    some = given[:MAX_ENTRIES] if isinstance(given, list) else []
    return [entry for entry in some if isinstance(entry, dict)]


def _judgement(entry: Mapping[str, Any]) -> tuple[Label, float] | None:
    """Return the label and score of an entry; None if they are invalid or disagree."""
    label, score = entry.get("label"), entry.get("score")
    if label not in LABELS or isinstance(score, bool) or not isinstance(score, int | float):
        return None
    agrees = {"positive": score > 0, "negative": score < 0, "neutral": abs(score) <= MAX_NEUTRAL}
    return (cast("Label", label), float(score)) if agrees[label] and abs(score) <= 1 else None


def _aspect(claim: _Claim, text: str, rules: Reading) -> AspectReading:
    same = next((aspect for aspect in rules.aspects if aspect.id == claim.id), None)
    phrase = text[claim.mention.start : claim.mention.end]
    if len(phrase) > LONGEST_PHRASE:
        phrase = same.phrase if same else ""
    return AspectReading(
        claim.id,
        claim.label,
        claim.score,
        phrase=phrase,
        mentions=(claim.mention,),
        quote=same.quote if same else tuple,
    )


def _roster_entities(
    rules: Reading, claims: Mapping[Kind, list[_Claim]]
) -> Iterator[EntityReading]:
    """Yield technicians, services and areas of the text, with the answer's opinions."""
    judged = {
        (type_, claim.id): claim
        for type_ in ("person", "service")
        for claim in claims[TYPES[type_]]
    }
    for entity in rules.entities:
        if entity.type in {"person", "service", "area"}:
            claim = judged.get((entity.type, entity.id))
            yield replace(entity, label=claim.label, score=claim.score) if claim else entity


# --- Quotes ---------------------------------------------------------------------------------------


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Find the span of a quote of at least three whole words; None without a match."""
    wanted = _folded(quote)[0].strip(_EDGES)
    if len(wanted.split()) < MIN_WORDS:
        return None
    folded, places = _folded(text)
    if found := re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", folded):
        stop = places[found.end()] if found.end() < len(places) else len(text)
        return places[found.start()], len(text[:stop].rstrip())
    return None


def _folded(text: str) -> tuple[str, list[int]]:
    """Normalise case, accents, spaces and marks; also return each character's original index."""
    folded: list[str] = []
    places: list[int] = []
    for place, written in enumerate(text):
        if written in _QUOTATION_MARKS:
            continue
        plain = " " if written.isspace() else "-" if written in _DASHES else written
        if plain == "-" and folded[-1:] == [" "]:  # "Great - really" is "great—really".
            folded.pop()
            places.pop()
        if plain in {" ", "-"} and folded[-1:] in ([plain], ["-"]):
            continue
        plain = unicodedata.normalize("NFKD", plain).casefold()
        base = [each for each in plain if not unicodedata.combining(each)]
        folded += base
        places += [place] * len(base)
    return "".join(folded), places
