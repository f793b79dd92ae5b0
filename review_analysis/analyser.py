"""Analysis of one text with a taxonomy and a roster."""

import datetime as dt
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain
from typing import Any

from review_analysis import (
    concepts,
    ensemble,
    phrases,
    polarity,
    problems,
    subjects,
    valence,
    weak_terms,
)
from review_analysis.ensemble import PolarityModel
from review_analysis.features import ScoredSentence
from review_analysis.language import is_english
from review_analysis.model import Logits
from review_analysis.name_matching import Found, Roster
from review_analysis.polarity import Verdict
from review_analysis.reading import (
    AspectReading,
    Complaint,
    EntityReading,
    Label,
    Mention,
    Phrase,
    Reading,
    Sentence,
)
from review_analysis.rosters import Exclusions, named_words, neutralise_names, roster_of
from review_analysis.segments import VERBS, Source, Words, opens_contrast, sentences
from review_analysis.terms import MAX_MENTIONS, Entry, Kind, Matcher, Place, matcher_of
from review_analysis.weak_terms import WordSpan, is_blamed

_Places = list[tuple[Entry, list[Place]]]

_NEUTRAL_LIMIT = 0.15  # Scores up to this distance from 0 are neutral.
# Range of scores of each label. The gaps keep rounded scores within the range.
_BOUNDS: dict[Label, tuple[float, float]] = {
    "negative": (-1.0, -0.16),
    "neutral": (-_NEUTRAL_LIMIT, _NEUTRAL_LIMIT),
    "positive": (0.16, 1.0),
}
_KINDS: dict[str, Kind] = {"aspects": "aspect", "problems": "problem", "topics": "topic"}
_CONTEXT_SENTENCES = 4  # On either side.
_CONTEXT_DECAY = 0.6  # Per sentence of distance.
_LOW_RATING = 2  # Up to this rating every sentence that is not positive is a complaint.
_COMPLAINT_SCORE = -0.4  # With a higher rating a sentence is a complaint up to this score.
_WAITING = "wait"  # A complaint by itself; other aspects need a word of blame.


class Analyser:
    """Analyser compiled for a taxonomy and a roster. Immutable.

    The polarity of sentences and mentions is averaged with that of `second_model`.
    """

    def __init__(
        self,
        taxonomy: Mapping[str, Any],
        roster: Sequence[Mapping[str, Any]] | Roster = (),
        second_model: PolarityModel | None = None,
    ) -> None:
        self._matcher = matcher_of(
            tuple(
                Entry.of(entry, kind)
                for group, kind in _KINDS.items()
                for entry in taxonomy.get(group) or ()
            )
        )
        self._problems = [entry.id for entry in self._matcher.entries if entry.kind == "problem"]
        self._excluded_concepts = concepts.excluded_by(self._problems)
        if isinstance(roster, Roster):  # A `Roster` has its own services and areas.
            self._roster, self._exclusions = roster, Exclusions({})
        else:
            self._roster, self._exclusions = roster_of(taxonomy, roster), Exclusions(taxonomy)
        self._known_words = valence.known_words()
        self._roles = {person.slug: person.role for person in self._roster.people}
        self._second_model = second_model

    def read(
        self, text: str | None, rating: float | None = None, date: dt.date | None = None
    ) -> Reading:
        """Analyse a text. The rating has half its weight, or decides alone if there are no words.

        A rating between two stars is rounded. Raises ValueError if the rating is not a number from
        1 to 5. People who are inactive on `date` are not recognised.
        """
        stars = _stars(rating)
        source = Source(text or "")
        parts = list(sentences(source))
        if not parts or not is_english(source, parts, self._known_words):
            score = 0.0 if stars is None else (stars - 3) / 2
            return Reading(analysed=False, label=_label(score), score=score)
        found_names = self._roster.find(source.composed, date=date)
        names = self._exclusions.without(source, found_names)
        for words in parts if names else ():
            neutralise_names(words, names, self._known_words)
        review = _Review(source, parts, names, stars, self._second_model)
        label, score = review.overall
        found = review.relevant(_by_entry(self._matcher, source))
        entities = review.entities(found, self._roles)
        named = review.named_concepts(found, entities, self._excluded_concepts)
        return Reading(
            analysed=True,
            label=label,
            score=score,
            aspects=review.aspects(found),
            entities=(*entities, *review.problems_of(named, entities, self._problems)),
            sentences=review.spans(),
            complaints=review.complaints(named),
        )


def _stars(rating: float | None) -> int | None:
    if rating is None:
        return None
    if isinstance(rating, bool) or not isinstance(rating, int | float) or not 1 <= rating <= 5:
        raise ValueError(f"rating must be a number from 1 to 5, or None; it is {rating!r}.")
    return round(rating)


def _label(score: float) -> Label:
    return (
        "positive"
        if score > _NEUTRAL_LIMIT
        else "negative"
        if score < -_NEUTRAL_LIMIT
        else "neutral"
    )


def _mean(verdicts: Sequence[Verdict]) -> tuple[Label, float]:
    total = sum(verdict.weight for verdict in verdicts)
    score = sum(verdict.weight * verdict.score for verdict in verdicts) / total
    return _label(score), score


def _overall(judged: Sequence[tuple[Mention, Verdict]]) -> tuple[Label, float]:
    """Return the common label of all mentions, else the sign of their mean, with a score."""
    verdicts = [verdict for _, verdict in judged]
    _, score = _mean(verdicts)
    labels = {verdict.label for verdict in verdicts}
    label: Label = "positive" if score > 0 else "negative" if score < 0 else "neutral"
    if len(labels) == 1:
        label = labels.pop()
    low, high = _BOUNDS[label]
    return label, min(high, max(low, score))


class _Review:
    """State of the analysis of one text."""

    def __init__(
        self,
        source: Source,
        parts: list[Words],
        names: Sequence[Found],
        rating: int | None,
        second_model: PolarityModel | None,
    ) -> None:
        self.source = source
        self.rating = rating
        self.sentences: list[ScoredSentence] = []
        self.verdicts: list[Verdict] = []
        self._second = ensemble.read_sentences(second_model, source, parts)
        for words, second in zip(parts, self._second, strict=True):
            sentence, logits = polarity.score_sentence(words, second)
            self.sentences.append(sentence)
            self.verdicts.append(polarity.sentence_verdict(logits, rating))
        self.overall = _mean(self.verdicts)
        self._named = [named_words(words, names) for words in parts]
        self._names = names
        self._starts = [words.start for words in parts]
        self._contrasts = [opens_contrast(words) for words in parts]
        # Targets share the features of their clause, and one place may belong to several entries.
        self._clause, self.judge = cache(self._logits_of_clause), cache(self._judge)
        self._quotable = cache(self._candidates_of_clause)

    def spans(self) -> tuple[Sentence, ...]:
        return tuple(
            Sentence(
                *self.source.span(sentence.words.start, sentence.words.end),
                verdict.label,
                verdict.score,
            )
            for sentence, verdict in zip(self.sentences, self.verdicts, strict=True)
        )

    def _judge(self, start: int, end: int, polarity_of_term: int) -> tuple[Mention, Verdict]:
        """Judge `source.normalised[start:end]`."""
        number = self._sentence_at(start)
        sentence = self.sentences[number]
        words = sentence.words
        first, last = words.at(start, end)
        clause = self._clause(number, words.clauses[first])
        second = ensemble.span_logits(self._second[number], words, start, end)
        logits = polarity.target_logits(
            sentence, first, last, polarity_of_term, clause, second=second
        )
        verdict = polarity.target_verdict(
            logits, self.rating, self._context_score(number), is_mixed=polarity.is_mixed(sentence)
        )
        low, high = words.clause_bounds(first)
        mention = Mention(
            *self.source.span(start, end),
            verdict.label,
            verdict.score,
            number,
            self.source.span(words.starts[low], words.ends[high]),
            partial(polarity.reasons, sentence, first, last, polarity_of_term, self.rating, second),
        )
        return mention, verdict

    def _logits_of_clause(self, number: int, clause: int) -> Logits:
        return polarity.clause_logits(self.sentences[number], clause)

    def _context_score(self, number: int) -> float:
        """Return the decaying sum of the scores of nearby sentences, 0 if there is a rating.

        Sentences on the other side of a contrast do not count.
        """
        if self.rating is not None:
            return 0.0
        low = number if self._contrasts[number] else max(0, number - _CONTEXT_SENTENCES)
        sum_ = 0.0
        for other in range(low, min(len(self.verdicts), number + _CONTEXT_SENTENCES + 1)):
            distance = abs(other - number)
            if distance and not (other == number + 1 and self._contrasts[other]):
                sum_ += self.verdicts[other].score * _CONTEXT_DECAY**distance
        return sum_

    def _sentence_at(self, start: int) -> int:
        return max(0, bisect_right(self._starts, start) - 1)

    # --- Relevant places --------------------------------------------------------------------------

    def relevant(self, found: _Places) -> _Places:
        """Keep the places at which the text refers to their entry."""
        kept = ((entry, self._relevant_places(entry, places)) for entry, places in found)
        return [(entry, places) for entry, places in kept if places]

    def _relevant_places(self, entry: Entry, places: list[Place]) -> list[Place]:
        if entry.kind == "problem":
            return [place for place in places if self._is_own_problem(place)]
        if entry.kind == "aspect":
            places = [
                place
                for place in places
                if not subjects.is_about_others(self.sentences, self._word_span(place))
            ]
        if not any(place.is_weak for place in places):
            return places
        relevant = weak_terms.are_relevant(
            self.sentences,
            [(self._word_span(place), place.is_weak) for place in places],
            entry.subjects,
            self._named,
        )
        return [place for place, counts in zip(places, relevant, strict=True) if counts]

    def _word_span(self, place: Place) -> WordSpan:
        number = self._sentence_at(place.start)
        return WordSpan(number, *self.sentences[number].words.at(place.start, place.end))

    def _is_own_problem(self, place: Place) -> bool:
        span = self._word_span(place)
        sentence = self.sentences[span.sentence]
        clause = self._clause(span.sentence, sentence.words.clauses[span.first])
        logits = polarity.target_logits(sentence, span.first, span.last, place.polarity, clause)
        verdict = polarity.target_verdict(logits, self.rating, self._context_score(span.sentence))
        is_praise = verdict.label == "positive" and logits[2] > logits[0]
        return problems.is_about_business(
            self.sentences, span, self.overall[0], is_praise=is_praise
        )

    # --- Aspects ----------------------------------------------------------------------------------

    def aspects(self, found: _Places) -> tuple[AspectReading, ...]:
        readings = []
        for entry, places in found:
            if entry.kind != "aspect":
                continue
            judged = self._judged(places)
            label, score = _overall(judged)
            readings.append(
                AspectReading(
                    id=entry.id,
                    label=label,
                    score=score,
                    phrase=self._phrase(places, judged, label),
                    mentions=tuple(mention for mention, _ in judged),
                    quote=partial(self._phrases, places, judged),
                )
            )
        return tuple(readings)

    def _judged(self, places: list[Place]) -> list[tuple[Mention, Verdict]]:
        return [self.judge(place.start, place.end, place.polarity) for place in places]

    def _phrase(
        self, places: list[Place], judged: list[tuple[Mention, Verdict]], label: Label
    ) -> str:
        """Quote the mention with the strongest evidence for the label."""
        sign = {"positive": 1, "negative": -1, "neutral": 0}[label]

        def evidence(index: int) -> tuple[bool, float]:
            mention, verdict = judged[index]
            return mention.label == label, verdict.score * sign or verdict.weight

        best = max(range(len(places)), key=evidence)
        place, number = places[best], judged[best][0].sentence
        sentence = self.sentences[number]
        words = sentence.words
        first, last = phrases.opinion_span(sentence, *words.at(place.start, place.end), sign)
        start = min(place.start, words.starts[first])
        end = max(place.end, words.ends[last])
        start, end = self.source.span(start, end)
        return self.source.original[start:end]

    def _phrases(
        self, places: list[Place], judged: list[tuple[Mention, Verdict]]
    ) -> tuple[Phrase, ...]:
        """Return distinct phrases that contain a term of the aspect."""
        found: dict[str, Phrase] = {}
        for place, (mention, verdict) in zip(places, judged, strict=True):
            words = self.sentences[mention.sentence].words
            bounds = words.clause_bounds(words.at(place.start, place.end)[0])
            for key, start, end, praise in self._quotable(mention.sentence, *bounds):
                holds_it = start <= place.start and place.end <= end
                if holds_it and praise * verdict.score > 0 and key not in found:
                    given = self.source.original[slice(*self.source.span(start, end))]
                    found[key] = Phrase(key, " ".join(given.split()), verdict.score)
        return tuple(found.values())[: phrases.MAX_PHRASES]

    def _candidates_of_clause(self, number: int, low: int, high: int) -> list[phrases.Candidate]:
        return list(phrases.candidates(self.sentences[number], low, high, self._named[number]))

    # --- Entities ---------------------------------------------------------------------------------

    def entities(
        self, found: _Places, roles: Mapping[str, str | None]
    ) -> tuple[EntityReading, ...]:
        """Return people, services and areas in text order, then problems and topics."""
        spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for name in self._names:
            spans.setdefault((name.kind, name.slug), []).append((name.start, name.end))
        named = (
            _entity(
                kind,
                slug,
                [self.judge(*span, 0) for span in places[:MAX_MENTIONS]],
                role=roles.get(slug) if kind == "person" else None,
            )
            for (kind, slug), places in spans.items()
        )
        own = (
            _entity(
                entry.kind,
                entry.id,
                self._judged(places),
                resolved=entry.kind == "problem" and any(map(self._is_resolved, places)),
            )
            for entry, places in found
            if entry.kind != "aspect"
        )
        return (*named, *own)

    def _is_resolved(self, place: Place) -> bool:
        span = self._word_span(place)
        return valence.is_resolved(self.sentences[span.sentence].words, span.first, span.last)

    # --- Complaints -------------------------------------------------------------------------------

    def named_concepts(
        self, found: _Places, entities: Sequence[EntityReading], excluded: Container[str]
    ) -> dict[int, dict[str, WordSpan | None]]:
        """Return the concepts of each sentence, with a span unless a problem's term names them.

        Other concepts follow from constructions, or from a blamed aspect in a sentence without
        another concept.
        """
        named: dict[int, dict[str, WordSpan | None]] = {}
        for entity in entities:
            for mention in entity.mentions if entity.type == "problem" else ():
                named.setdefault(mention.sentence, {})[entity.concept or entity.id] = None
        for concept, span in chain(self._constructed(), self._blamed(found, named)):
            if concept not in excluded and problems.is_about_business(
                self.sentences, span, self.overall[0], is_praise=False
            ):
                named.setdefault(span.sentence, {}).setdefault(concept, span)
        return named

    def _constructed(self) -> Iterator[tuple[str, WordSpan]]:
        for number in filter(self._blames, range(len(self.sentences))):
            for concept, first, last in concepts.find(self.sentences[number].words):
                yield concept, WordSpan(number, first, last)

    def _blamed(self, found: _Places, named: Container[int]) -> Iterator[tuple[str, WordSpan]]:
        """Yield the concepts of blamed aspects in sentences without a problem."""
        for entry, places in found:
            concept = concepts.of_aspect(entry.id)
            if entry.kind != "aspect" or concept is None:
                continue
            for place in places:
                span = self._word_span(place)
                if span.sentence in named or not self._blames(span.sentence):
                    continue
                sentence = self.sentences[span.sentence]
                is_judged = concept == _WAITING or place.polarity < 0 or is_blamed(sentence, span)
                score = self.judge(place.start, place.end, place.polarity)[1].score
                if is_judged and score <= _COMPLAINT_SCORE:
                    yield concept, span

    def _blames(self, number: int) -> bool:
        """Whether a sentence is a complaint, by its verdict and the rating."""
        verdict = self.verdicts[number]
        if self.rating is not None and self.rating <= _LOW_RATING:
            return verdict.label != "positive"
        return verdict.score <= _COMPLAINT_SCORE

    def problems_of(
        self,
        named: Mapping[int, Mapping[str, WordSpan | None]],
        entities: Sequence[EntityReading],
        problems_: Iterable[str],
    ) -> Iterator[EntityReading]:
        """Yield problems of the taxonomy that follow from concepts alone, in concept order."""
        known = {entity.concept for entity in entities if entity.type == "problem"}
        for concept in concepts.LABELS:
            # A sentence that names a problem of the taxonomy reports that one.
            spans = [
                span
                for found in named.values()
                if (span := found.get(concept)) and all(found.values())
            ]
            problem = concepts.problem_of(concept, problems_)
            if concept not in known and spans and problem:
                places = [
                    (words.starts[span.first], words.ends[span.last])
                    for span in spans
                    for words in [self.sentences[span.sentence].words]
                ]
                judged = [self.judge(*place, -1) for place in places]
                yield _entity("problem", problem, judged)

    def complaints(self, named: Mapping[int, Mapping[str, object]]) -> tuple[Complaint, ...]:
        """Return the sentences that blame this business, with their concepts."""
        found: list[Complaint] = []
        for number, sentence in enumerate(self.sentences):
            span = self.source.span(sentence.words.start, sentence.words.end)
            if number in named:
                found += [
                    Complaint(*span, concept if concept in concepts.LABELS else None)
                    for concept in named[number]
                ]
            elif self._blames(number) and self._is_about_business(number):
                found.append(Complaint(*span))
        return tuple(found)

    def _is_about_business(self, number: int) -> bool:
        words = self.sentences[number].words
        verb = next((at for at, tag in enumerate(words.tags) if tag in VERBS), 0)
        is_others = subjects.is_about_others(self.sentences, WordSpan(number, verb, verb))
        return concepts.is_statement(words) and not is_others


def _entity(
    kind: str,
    slug: str,
    judged: list[tuple[Mention, Verdict]],
    *,
    resolved: bool = False,
    role: str | None = None,
) -> EntityReading:
    label, score = _overall(judged)
    mentions = tuple(mention for mention, _ in judged)
    concept = concepts.of_problem(slug) if kind == "problem" else None
    return EntityReading(kind, slug, label, score, mentions, resolved, concept, role)


def _by_entry(matcher: Matcher, source: Source) -> _Places:
    """Group the places of terms by entry, in the order of the taxonomy."""
    grouped: dict[int, list[Place]] = {}
    for place in matcher.find(source):
        grouped.setdefault(place.entry, []).append(place)
    return [(matcher.entries[number], places) for number, places in sorted(grouped.items())]
