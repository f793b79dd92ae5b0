"""Plain-text tables of measures, of the analyser and the baselines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from review_analysis import analyse
from review_analysis.ensemble import PolarityModel
from review_analysis.reading import Label
from tools.analyser.evaluation import precision, quotes, simulation
from tools.analyser.evaluation.baselines import (
    Analyser,
    Classifier,
    Classifiers,
    Vader,
    by_stars,
    majority,
)
from tools.analyser.evaluation.examples import LabelledSet, TargetExample
from tools.analyser.evaluation.measures import Hits, accuracy, auc, forced_accuracy, macro_f1

Row = Sequence[str]


def report(
    sets: Sequence[LabelledSet], vader: Vader | None, second_model: PolarityModel | None = None
) -> Iterator[str]:
    """Yield the lines of all tables that have rows."""
    classifiers = Classifiers(Analyser(second_model=second_model), [vader] if vader else [])
    if vader is None:
        yield "VADER is left out: it is not installed (pip install vaderSentiment)."
        yield ""
    for table in (_targets, _texts, _reviews, _against_stars):
        yield from table(sets, classifiers)
    yield from _trends()


def report_of_labelled(second_model: PolarityModel | None) -> Iterator[str]:
    """Yield tables of the project's own labelled reviews."""
    ours = Analyser(second_model=second_model)
    for kind in precision.kinds():
        rows: list[Row] = []
        for split in precision.SPLITS:
            sets = precision.labelled_sets(kind, split)
            hits = [measure_reviews(labelled, ours) for labelled in sets]
            rows += [
                (split, labelled.name, str(len(labelled.reviews)), *precision.cells(one))
                for labelled, one in zip(sets, hits, strict=True)
            ]
            count = sum(len(labelled.reviews) for labelled in sets)
            rows.append((split, "all", str(count), *precision.cells(precision.total(hits))))
        yield from _table(
            f"Own labelled {kind}: precision, recall (findings)",
            ("split", "trade", "n", "problems", "aspects", "aspects with polarity"),
            rows,
        )
    yield from _quotes()
    yield from _quoted_aspects()


def _quotes() -> Iterator[str]:
    counts = {split: quotes.relevance(split) for split in precision.SPLITS}
    yield from _table(
        "Own labelled quotes: precision of those quoted; of all that may be quoted, recall",
        ("split", "quoted", "may be quoted"),
        [
            (
                split,
                f"{each.first.precision:.3f} ({each.first.right + each.first.wrong})",
                f"{each.offered.precision:.3f} {each.offered.recall:.3f}",
            )
            for split, each in counts.items()
        ],
    )


def _quoted_aspects() -> Iterator[str]:
    yield from _table(
        f"Aspects of at least {quotes.OFTEN} reviews, and those of them with a quote",
        ("business", "reviews", "aspects", "quoted"),
        [tuple(map(str, row)) for row in quotes.quoted_aspects()],
    )


def _table(title: str, head: Row, rows: Iterable[Row]) -> Iterator[str]:
    lines = [list(head), *map(list, rows)]
    if len(lines) == 1:
        return
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    yield title
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        yield "  " + "  ".join(cells).rstrip()
    yield ""


def _shares(*values: float) -> str:
    return " ".join(f"{value:.3f}" for value in values)


# --- Targets --------------------------------------------------------------------------------------


def _targets(sets: Sequence[LabelledSet], measured: Classifiers) -> Iterator[str]:
    classifiers = [measured.ours, *measured.baselines]
    yield from _table(
        "What a text thinks of a named thing, without stars: accuracy, macro-F1",
        ("set", "n", *(classifier.name for classifier in classifiers), "majority", "note"),
        (_target_row(labelled, classifiers) for labelled in sets if labelled.targets),
    )


def _target_row(labelled: LabelledSet, classifiers: Sequence[Classifier]) -> Row:
    right = [example.label for example in labelled.targets]
    answers = [classifier.classify_targets(labelled.targets) for classifier in classifiers]
    cells = [
        _shares(accuracy(right, given), macro_f1(right, given))
        for given in (*answers, majority(right))
    ]
    return (labelled.name, str(len(right)), *cells, labelled.note)


# --- Whole texts ----------------------------------------------------------------------------------


def _texts(sets: Sequence[LabelledSet], measured: Classifiers) -> Iterator[str]:
    classifiers = [measured.ours, *measured.baselines]
    yield from _table(
        "Whether a text is positive or negative: forced accuracy, AUC",
        ("set", "n", *(classifier.name for classifier in classifiers), "majority", "note"),
        (_text_row(labelled, classifiers) for labelled in sets if labelled.texts),
    )


def _text_row(labelled: LabelledSet, classifiers: Sequence[Classifier]) -> Row:
    examples = [example for example in labelled.texts if example.label != "neutral"]
    truths = [example.label == "positive" for example in examples]
    answers = [[each.classify_text(e.text).score for e in examples] for each in classifiers]
    commonest = max(sum(truths), len(truths) - sum(truths)) / max(len(truths), 1)
    cells = [_shares(forced_accuracy(truths, scores), auc(truths, scores)) for scores in answers]
    return (labelled.name, str(len(truths)), *cells, _shares(commonest, 0.5), labelled.note)


# --- Reviews --------------------------------------------------------------------------------------


def _aspects(answer: Mapping[str, Any]) -> dict[str, Label]:
    return {aspect["id"]: aspect["label"] for aspect in answer["aspects"]}


def measure_reviews(labelled: LabelledSet, ours: Analyser | None = None) -> dict[str, Hits]:
    """Count hits of `aspects`, `joint` (with polarity), `people`, `problems` and `sentiment`.

    `joint_by_stars` and `sentiment_by_stars` count the baseline by stars.
    """
    names = ("aspects", "joint", "joint_by_stars", "people", "problems")
    hits = {name: Hits() for name in (*names, "sentiment", "sentiment_by_stars")}
    ours = ours or Analyser()
    for review in labelled.reviews:
        answer = ours.analyse(review.text, review.rating, labelled.taxonomy, labelled.roster)
        given = _aspects(answer)
        stars = by_stars(review.rating)
        if review.aspects is not None:
            hits["aspects"].count(review.aspects, given)
            hits["joint"].count(review.aspects.items(), given.items())
            hits["joint_by_stars"].count(review.aspects.items(), [(id_, stars) for id_ in given])
        if review.people is not None:
            hits["people"].count(review.people, _entities(answer, "technician"))
        if review.problems is not None:
            hits["problems"].count(review.problems, _entities(answer, "problem"))
        if review.sentiment is not None:
            hits["sentiment"].count([review.sentiment], [answer["sentiment"]["label"]])
            hits["sentiment_by_stars"].count([review.sentiment], [stars])
    return hits


def _entities(answer: Mapping[str, Any], kind: str) -> list[str]:
    return [entity["id"] for entity in answer["entities"] if entity["type"] == kind]


def _reviews(sets: Sequence[LabelledSet], classifiers: Classifiers) -> Iterator[str]:
    yield from _table(
        "Reviews: F1 of the aspects, F1 together with the polarity, F1 of the problems, sentiment",
        (
            *("set", "n", "aspects", "joint", "joint by stars"),
            *(f"joint by {classifier.name}" for classifier in classifiers.baselines),
            *("problems", "sentiment", "sentiment by stars"),
        ),
        (_review_row(labelled, classifiers) for labelled in sets if labelled.reviews),
    )


def _review_row(labelled: LabelledSet, classifiers: Classifiers) -> Row:
    hits = measure_reviews(labelled, classifiers.ours)
    theirs = [_joint_of(classifier, labelled) for classifier in classifiers.baselines]
    measured = (
        *(hits[name] for name in ("aspects", "joint", "joint_by_stars")),
        *theirs,
        *(hits[name] for name in ("problems", "sentiment", "sentiment_by_stars")),
    )
    cells = [_shares(one.f1) if one.right + one.missed else "" for one in measured]
    return (labelled.name, str(len(labelled.reviews)), *cells)


def _joint_of(classifier: Classifier, labelled: LabelledSet) -> Hits:
    """Count the analyser's aspects, with a baseline's polarity of the review."""
    hits = Hits()
    for review in labelled.reviews:
        if review.aspects is not None:
            given = _aspects(analyse(review.text, review.rating, labelled.taxonomy, []))
            label = classifier.classify_text(review.text).label
            hits.count(review.aspects.items(), [(aspect, label) for aspect in given])
    return hits


# --- Opinions that contradict the stars -----------------------------------------------------------


def _against_stars(sets: Sequence[LabelledSet], classifiers: Classifiers) -> Iterator[str]:
    yield from _table(
        "Opinions against the stars: how many of them are seen, at which accuracy of all",
        ("set", "n", "against", "seen", "accuracy", "accuracy by stars", "note"),
        (row for labelled in sets if (row := _against_row(labelled, classifiers.ours))),
    )


def _against_row(labelled: LabelledSet, ours: Analyser) -> Row | None:
    pairs = [
        (example, given)
        for example, given in (*_rated_targets(labelled, ours), *_rated_aspects(labelled, ours))
        if example.label != "neutral"
    ]
    if not pairs:
        return None
    right = [example.label for example, _ in pairs]
    stars = [by_stars(example.rating) for example, _ in pairs]
    against = [
        example.label == given
        for (example, given), by_rating in zip(pairs, stars, strict=True)
        if by_rating not in {"neutral", example.label}
    ]
    return (
        labelled.name,
        str(len(pairs)),
        str(len(against)),
        _shares(sum(against) / len(against)) if against else "",
        _shares(accuracy(right, [given for _, given in pairs])),
        _shares(accuracy(right, stars)),
        labelled.note,
    )


def _rated_targets(labelled: LabelledSet, ours: Analyser) -> Iterator[tuple[TargetExample, Label]]:
    rated = [example for example in labelled.targets if example.rating is not None]
    yield from zip(rated, ours.with_stars().classify_targets(rated), strict=True)


def _rated_aspects(labelled: LabelledSet, ours: Analyser) -> Iterator[tuple[TargetExample, Label]]:
    """Yield the labelled aspects that the analyser found, with its labels."""
    for review in labelled.reviews:
        if review.rating is not None and review.aspects:
            given = _aspects(ours.analyse(review.text, review.rating, labelled.taxonomy, []))
            for aspect, label in review.aspects.items():
                if aspect in given:
                    example = TargetExample(review.text, aspect, None, label, review.rating)
                    yield example, given[aspect]


# --- Trends ---------------------------------------------------------------------------------------


def _trends() -> Iterator[str]:
    yield from _table(
        "Changes: share of simulated worlds where one is seen, of two years with 40 reviews each",
        ("stars", "no change", "a fall of half a star"),
        (
            (title, *map(_shares, simulation.rates(before, after)))
            for title, (before, after) in simulation.FALLS.items()
        ),
    )
