"""Read the labelled texts that the weights are trained on; see docs/insights.md."""

import ast
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from review_analysis.segments import Source, sentences

Span = tuple[int, int]

NEGATIVE, NEUTRAL, POSITIVE = 0, 1, 2
_LABELS = {"negative": NEGATIVE, "neutral": NEUTRAL, "positive": POSITIVE}


@dataclass(frozen=True, slots=True)
class TargetExample:
    """Label of `text[start:end]`."""

    domain: str
    text: str
    start: int
    end: int
    label: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class SentenceExample:
    domain: str
    text: str
    label: int
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Examples:
    targets: list[TargetExample] = field(default_factory=list)
    sentences: list[SentenceExample] = field(default_factory=list)


ROAST_DOMAINS = {
    "hotels": "hotels",
    "coursera": "courses",
    "amazon_ff": "food",
    "phones_eng": "phones",
}
RATED_DOMAINS = {
    "amazonReviewSnippets": "products",
    "movieReviewSnippets": "films",
    "nytEditorialSnippets": "news",
    "tweets": "tweets",
}


_KNOWN_FROM = 3  # A word becomes a known target with this many examples.
_GUESSES = {  # Weight of a guess, by domain and whether the sentence is neutral.
    ("products", True): 0.6,
    ("products", False): 0.4,
    ("phones", True): 0.3,
    ("hotels", True): 0.05,
}
OUR_SENTENCES = Path(__file__).with_name("sentences")
_MARK = re.compile(r"\[([^\]]+)\]([-+=])")
_MARKS = {"-": NEGATIVE, "=": NEUTRAL, "+": POSITIVE}
# Each of them says something in a different way. Neutral ones are rarer in reviews.
_OUR_WEIGHTS = {NEGATIVE: 1.2, NEUTRAL: 0.75, POSITIVE: 1.2}
_SENTENCE_WEIGHTS = {"restaurants": 0.5, "films": 0.8, "news": 0.4, "tweets": 0.6}
_OPINION_WORDS = 4  # Longer opinions are never terms of a taxonomy.
_OPINION_WEIGHT = 0.25


def load(folder: Path | None, *, ours: Path = OUR_SENTENCES) -> Examples:
    """Load the examples of a folder, if any, and the project's own sentences in `ours`.

    Test sets of the datasets, and every tenth text with a mean rating, are left out.
    """
    read = [
        *(_sets(folder) if folder else ()),
        *(_marked(path.read_text("utf-8"), path.stem) for path in sorted(ours.glob("*.txt"))),
    ]
    targets = [target for examples in read for target in examples.targets]
    whole = [sentence for examples in read for sentence in examples.sentences]
    return Examples(targets + _guessed(targets, whole), whole)


def _sets(folder: Path) -> Iterator[Examples]:
    yield _mams(folder / "mams_atsa_train.xml")
    for name, domain in ROAST_DOMAINS.items():
        yield _roast(folder / f"roast_{name}_train.txt", domain)
    yield _tsa_md(folder / "tsamd_train.json")
    for name, domain in RATED_DOMAINS.items():
        yield _rated(folder / f"{name}_GroundTruth.txt", domain)


def _guessed(targets: list[TargetExample], whole: list[SentenceExample]) -> list[TargetExample]:
    """Guess targets in sentences of domains with few targets, as weak examples.

    A sentence without an opinion has none on any target in it. No other examples show that goods
    and services are often just mentioned.
    """
    counts = Counter(
        target.text[target.start : target.end].lower() for target in targets if target.weight == 1
    )
    known = {term for term, count in counts.items() if count >= _KNOWN_FROM and term.isalpha()}
    guessed: list[TargetExample] = []
    for example in whole:
        weight = _GUESSES.get((example.domain, example.label == NEUTRAL))
        if weight is None:
            continue
        places = [m.span() for m in re.finditer(r"[a-z]+", example.text.lower()) if m[0] in known]
        guessed += [
            TargetExample(example.domain, example.text, start, end, example.label, weight)
            for start, end in places[:3]
        ]
    return guessed


def balanced(examples: Sequence[SentenceExample]) -> list[float]:
    """Return weights that nearly balance positive and negative examples in each domain.

    Nine of ten hotel reviews are positive, which says nothing about other texts; their stars give
    the prior. Full balance would amplify noise in rare examples.
    """
    weights = [e.weight * _SENTENCE_WEIGHTS.get(e.domain, 1.0) for e in examples]
    sums: defaultdict[tuple[str, int], float] = defaultdict(float)
    for example, weight in zip(examples, weights, strict=True):
        sums[example.domain, example.label] += weight
    for n, example in enumerate(examples):
        if example.label != NEUTRAL:
            both = sums[example.domain, NEGATIVE] + sums[example.domain, POSITIVE]
            weights[n] *= math.sqrt(both / 2 / sums[example.domain, example.label])
    return weights


# --- MAMS -----------------------------------------------------------------------------------------


def _mams(path: Path) -> Examples:
    """Read the targets, and the sentences whose opinions agree."""
    examples = Examples()
    for sentence in ET.parse(path).getroot().iter("sentence"):  # noqa: S314 - a file of our own
        text = sentence.findtext("text") or ""
        sides: set[int] = set()
        for term in sentence.iter("aspectTerm"):
            label = _LABELS[term.get("polarity", "neutral")]
            start, end = int(term.get("from", 0)), int(term.get("to", 0))
            examples.targets.append(TargetExample("restaurants", text, start, end, label))
            sides.add(label)
        sides.discard(NEUTRAL)
        if len(sides) == 1:
            examples.sentences.append(SentenceExample("restaurants", text, min(sides)))
    return examples


# --- ROAST ----------------------------------------------------------------------------------------


def _roast(path: Path, domain: str) -> Examples:
    examples = Examples()
    for line in path.read_text("utf-8").splitlines():
        text, mark, quadruples = line.rpartition("####")
        if not mark:
            continue
        review = _Review(detokenize(text), domain)
        for target, _category, sentiment, opinion in ast.literal_eval(quadruples.strip()):
            if sentiment in _LABELS:
                review.add(detokenize(target), detokenize(opinion), _LABELS[sentiment])
        examples.targets.extend(review.targets())
        examples.sentences.extend(review.whole())
    return examples


class _Review:
    """Labelled spans of one review; an opinion belongs to its target's nearest occurrence."""

    def __init__(self, text: str, domain: str) -> None:
        self.text = text
        self.domain = domain
        self.spans = [(words.start, words.end) for words in sentences(Source(text))]
        self._labels: dict[int, set[int]] = {}  # Of sentences.
        self._judged: dict[Span, set[int]] = {}
        self._opinions: dict[Span, set[int]] = {}

    def add(self, target: str, opinion: str, label: int) -> None:
        places = _places(self.text, opinion)
        for place in places[:1]:
            self._labels.setdefault(self._sentence_of(place[0]), set()).add(label)
            if len(opinion.split()) <= _OPINION_WORDS:
                self._opinions.setdefault(place, set()).add(label)
        pairs = [
            (max(start - stop, begin - end, 0), start, end)
            for begin, stop in places
            for start, end in _places(self.text, target)
            if self._sentence_of(start) == self._sentence_of(begin)
        ]
        if pairs:
            _, start, end = min(pairs)
            self._judged.setdefault((start, end), set()).add(label)

    def targets(self) -> Iterator[TargetExample]:
        yield from self._in_sentences(self._judged, self.domain, 1.0)
        # Terms of a taxonomy are often opinions: "courteous", "no problems".
        yield from self._in_sentences(self._opinions, f"{self.domain}, opinions", _OPINION_WEIGHT)

    def whole(self) -> Iterator[SentenceExample]:
        for number, (begin, stop) in enumerate(self.spans):
            found = self._labels.get(number, set())
            sentence = self.text[begin:stop]
            if len(found) == 1:
                yield SentenceExample(self.domain, sentence, min(found))
            elif not found and len(sentence.split()) >= 4:
                # No opinion is marked there, which is weak evidence.
                yield SentenceExample(self.domain, sentence, NEUTRAL, 0.3)

    def _in_sentences(
        self, labels: dict[Span, set[int]], domain: str, weight: float
    ) -> Iterator[TargetExample]:
        """Yield spans with one label, as examples of their sentences."""
        for (start, end), found in sorted(labels.items()):
            begin, stop = self.spans[self._sentence_of(start)]
            if len(found) == 1 and end <= stop:
                sentence, place = self.text[begin:stop], (start - begin, end - begin)
                yield TargetExample(domain, sentence, *place, min(found), weight)

    def _sentence_of(self, place: int) -> int:
        for number, (_, end) in enumerate(self.spans):
            if place < end:
                return number
        return len(self.spans) - 1


def detokenize(text: str) -> str:
    """Remove the spaces around punctuation that tokenization has added."""
    text = re.sub(r"(\w) ' (s|t|re|ve|ll|d|m)\b", r"\1'\2", text.strip())
    text = re.sub(r"(\d) ([.,/]) (\d)", r"\1\2\3", text)
    text = re.sub(r"(\w) - (?=\w)", r"\1-", text)
    text = re.sub(r" ([.,!?;:)%])", r"\1", text)
    return re.sub(r"([(]) ", r"\1", text)


def _places(text: str, part: str) -> list[Span]:
    if not part or part == "NULL":
        return []
    pattern = rf"(?<!\w){re.escape(part)}(?!\w)"
    return [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]


# --- TSA-MD ---------------------------------------------------------------------------------------


def _tsa_md(path: Path) -> Examples:
    examples = Examples()
    for entry in json.loads(path.read_text("utf-8")):
        text = entry["text"]
        found: set[int] = set()
        for target in entry["targets"]:
            if target["sentiment"] in _LABELS:
                label = _LABELS[target["sentiment"]]
                found.add(label)
                place = target["location"]
                span = place["begin"], place["end"]
                examples.targets.append(TargetExample("various", text, *span, label))
        if len(found) == 1:
            examples.sentences.append(SentenceExample("various", text, min(found)))
    return examples


# --- Texts with a mean rating of -4 to 4 ----------------------------------------------------------


def _rated(path: Path, domain: str) -> Examples:
    examples = Examples()
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        _, rating, text = line.split("\t", 2)
        value = float(rating)
        if number % 10 == 9:
            continue
        if abs(value) < 0.4:
            example = SentenceExample(domain, text, NEUTRAL)
        else:
            label = POSITIVE if value > 0 else NEGATIVE
            example = SentenceExample(domain, text, label, min(1.0, abs(value)))
        examples.sentences.append(example)
    return examples


# --- The project's own sentences: "They never [called back]-." ------------------------------------


def _marked(source: str, domain: str) -> Examples:
    examples = Examples()
    for line in source.splitlines():
        if not line or line.startswith("#"):
            continue
        text = _MARK.sub(r"\1", line)
        sides: set[int] = set()
        marks = 0  # Number of markup characters so far.
        for match in _MARK.finditer(line):
            start, label = match.start() - marks, _MARKS[match[2]]
            end = start + len(match[1])
            examples.targets.append(TargetExample(domain, text, start, end, label))
            sides.add(label)
            marks += 3
        if len(sides - {NEUTRAL}) < 2:
            label = min(sides - {NEUTRAL} or {NEUTRAL})
            examples.sentences.append(SentenceExample(domain, text, label, _OUR_WEIGHTS[label]))
    return examples
