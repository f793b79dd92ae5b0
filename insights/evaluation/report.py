"""The measures of every labelled set as plain tables, ours beside simpler ways."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from insights.analysis import analyse
from insights.analysis.reading import Label
from insights.evaluation import simulation
from insights.evaluation.examples import LabelledSet, ReviewExample, TargetExample
from insights.evaluation.judges import Analyser, Judge, Vader, by_stars, majority
from insights.evaluation.measures import Hits, accuracy, auc, forced_accuracy, macro_f1

Row = Sequence[str]
TIMED_REVIEWS = 1_000


def report(sets: Sequence[LabelledSet], vader: Vader | None) -> Iterator[str]:
    """Lines of text: one table after the other, each only if a set has something for it."""
    judges: list[Judge] = [Analyser()] + ([vader] if vader else [])
    if vader is None:
        yield "VADER is left out: it is not installed (pip install vaderSentiment)."
        yield ""
    for title, head, rows in (
        (
            "What a text thinks of a named thing: accuracy, macro-F1",
            ("set", "n", *(judge.name for judge in judges), "majority", "note"),
            [_target_row(one, judges) for one in sets if one.targets],
        ),
        (
            "Whether a text is positive or negative: forced accuracy, AUC",
            ("set", "n", *(judge.name for judge in judges), "majority", "note"),
            [_text_row(one, judges) for one in sets if one.texts],
        ),
        (
            "Categories of restaurants: F1, and F1 together with the polarity",
            ("set", "n", "F1", *(f"joint: {judge.name}" for judge in judges), "note"),
            [_category_row(one, judges) for one in sets if one.categories],
        ),
        (
            "Aspects of reviews: F1, F1 together with the polarity; problems F1; sentiment",
            ("set", "n", "F1", "joint: ours", "joint: stars", "problems", "sentiment", "by stars"),
            [_review_row(one) for one in sets if one.reviews],
        ),
        (
            "People named in reviews",
            ("set", "named", "precision", "recall"),
            [row for one in sets if one.reviews and (row := _people_row(one))],
        ),
        (
            "Opinions against the stars: how many of them are seen, at which accuracy overall",
            ("set", "n", "against", "recall: ours", "accuracy: ours", "accuracy: stars"),
            [row for one in sets if (row := _against_row(one))],
        ),
        (
            "Trends: share of simulated worlds where one is seen",
            ("world", "ours", "a bare slope"),
            list(_trend_rows()),
        ),
        (
            "Speed on one core: reviews a second, all aspects and people of home services",
            ("texts", "ours", *([vader.name] if vader else [])),
            list(_speed_rows(sets, vader)),
        ),
    ):
        if rows:
            yield from _table(title, head, rows)


def _table(title: str, head: Row, rows: Sequence[Row]) -> Iterator[str]:
    lines = [list(head), *map(list, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    yield title
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        yield "  " + "  ".join(cells).rstrip()
    yield ""


def _share(value: float) -> str:
    return f"{value:.3f}"


def _pair(first: float, second: float) -> str:
    return f"{_share(first)} {_share(second)}"


# --- What a text thinks of a named thing ----------------------------------------------------------


def _target_row(labelled: LabelledSet, judges: Sequence[Judge]) -> Row:
    examples = labelled.targets
    right = [example.label for example in examples]
    answers = [judge.of_targets(examples) for judge in judges] + [majority(right)]
    cells = [_pair(accuracy(right, given), macro_f1(right, given)) for given in answers]
    return (labelled.name, str(len(right)), *cells, labelled.note)


# --- Whether a text is positive or negative -------------------------------------------------------


def _text_row(labelled: LabelledSet, judges: Sequence[Judge]) -> Row:
    examples = [example for example in labelled.texts if example.label != "neutral"]
    truths = [example.label == "positive" for example in examples]
    cells = []
    for judge in judges:
        scores = [judge.of_text(example.text).score for example in examples]
        cells.append(_pair(forced_accuracy(truths, scores), auc(truths, scores)))
    commonest = max(sum(truths), len(truths) - sum(truths)) / max(len(truths), 1)
    return (labelled.name, str(len(truths)), *cells, _pair(commonest, 0.5), labelled.note)


# --- Categories -----------------------------------------------------------------------------------


def _category_row(labelled: LabelledSet, judges: Sequence[Judge]) -> Row:
    known = {"food", "service", "price", "ambience"}
    found, ours = Hits(), Hits()
    others = {judge.name: Hits() for judge in judges if judge.name != Analyser.name}
    for example in labelled.categories:
        aspects = _aspects(example.text, None, labelled.taxonomy)
        given = {aspect: label for aspect, label in aspects.items() if aspect in known}
        found.count(example.categories, given)
        ours.count(example.categories.items(), given.items())
        for judge in judges:
            if judge.name in others:
                label = judge.of_text(example.text).label
                others[judge.name].count(
                    example.categories.items(), [(aspect, label) for aspect in given]
                )
    cells = [_share(hits.f1) for hits in (found, ours, *others.values())]
    return (labelled.name, str(len(labelled.categories)), *cells, labelled.note)


def _aspects(text: str, rating: int | None, taxonomy: Mapping[str, Any]) -> dict[str, Label]:
    found = analyse(text, rating, taxonomy, [])["aspects"]
    return {aspect["id"]: aspect["label"] for aspect in found}


# --- Reviews --------------------------------------------------------------------------------------


def measure_reviews(labelled: LabelledSet) -> dict[str, Hits]:
    """The hits of all reviews: `aspects`, `joint`, `stars`, `people`, `problems`, `sentiment`."""
    names = ("aspects", "joint", "stars", "people", "problems", "sentiment", "by_stars")
    hits = {name: Hits() for name in names}
    for review in labelled.reviews:
        answer = analyse(review.text, review.rating, labelled.taxonomy, labelled.roster)
        _count_review(hits, review, answer)
    return hits


def _count_review(
    hits: Mapping[str, Hits], review: ReviewExample, answer: Mapping[str, Any]
) -> None:
    given = {aspect["id"]: aspect["label"] for aspect in answer["aspects"]}
    entities = [(entity["type"], entity["id"]) for entity in answer["entities"]]
    stars = by_stars(review.rating)
    if review.aspects is not None:
        hits["aspects"].count(review.aspects, given)
        hits["joint"].count(review.aspects.items(), given.items())
        hits["stars"].count(review.aspects.items(), [(aspect, stars) for aspect in given])
    if review.people is not None:
        hits["people"].count(review.people, [who for kind, who in entities if kind == "technician"])
    if review.problems is not None:
        hits["problems"].count(
            review.problems, [what for kind, what in entities if kind == "problem"]
        )
    if review.sentiment is not None:
        hits["sentiment"].count([review.sentiment], [answer["sentiment"]["label"]])
        hits["by_stars"].count([review.sentiment], [stars])


def _review_row(labelled: LabelledSet) -> Row:
    hits = measure_reviews(labelled)
    names = ("aspects", "joint", "stars", "problems", "sentiment", "by_stars")
    cells = [_share(hits[name].f1) if _is_asked(hits[name]) else "" for name in names]
    return (labelled.name, str(len(labelled.reviews)), *cells)


def _people_row(labelled: LabelledSet) -> Row | None:
    people = measure_reviews(labelled)["people"]
    if not people.right + people.missed:
        return None
    return (
        labelled.name,
        str(people.right + people.missed),
        _share(people.precision),
        _share(people.recall),
    )


def _is_asked(hits: Hits) -> bool:
    return bool(hits.right + hits.missed)


# --- Against the stars ----------------------------------------------------------------------------


def _against_row(labelled: LabelledSet) -> Row | None:
    """Opinions with a polarity in rated reviews: those that the stars would not have told."""
    asked = [
        example
        for example in labelled.targets
        if example.rating is not None and example.label != "neutral"
    ]
    pairs = list(
        zip(asked, Analyser().of_targets(asked), strict=True) if asked else _of_reviews(labelled)
    )
    if not pairs:
        return None
    against = [(e, given) for e, given in pairs if {by_stars(e.rating), e.label} == _OPPOSED]
    recall = sum(e.label == given for e, given in against) / max(len(against), 1)
    overall = accuracy([e.label for e, _ in pairs], [given for _, given in pairs])
    by_rating = accuracy([e.label for e, _ in pairs], [by_stars(e.rating) for e, _ in pairs])
    return (
        labelled.name,
        str(len(pairs)),
        str(len(against)),
        *(_share(value) for value in (recall, overall, by_rating)),
    )


_OPPOSED = {"positive", "negative"}


def _of_reviews(labelled: LabelledSet) -> Iterator[tuple[TargetExample, Label]]:
    """The aspects that a review has by its label and by the analyser."""
    for review in labelled.reviews:
        if review.rating is None or not review.aspects:
            continue
        given = _aspects(review.text, review.rating, labelled.taxonomy)
        for aspect, label in review.aspects.items():
            if aspect in given and label != "neutral":
                yield TargetExample(review.text, aspect, None, label, review.rating), given[aspect]


# --- Trends and speed -----------------------------------------------------------------------------


def _trend_rows() -> Iterator[Row]:
    for title, months, reviews, change in (
        ("no change, 12 months x 3 reviews", 12, 3, 0.0),
        ("no change, 12 months x 15 reviews", 12, 15, 0.0),
        ("no change, 24 months x 15 reviews", 24, 15, 0.0),
        ("-.30 a year, 12 months x 15 reviews", 12, 15, -0.3),
    ):
        rates = (
            simulation.rate_of_trends(months, reviews, change, says=says)
            for says in (simulation.is_trend, simulation.is_slope)
        )
        yield (title, *map(_share, rates))


def _speed_rows(sets: Sequence[LabelledSet], vader: Vader | None) -> Iterator[Row]:
    rated = [one for one in sets if one.reviews]
    texts = [review.text for one in rated for review in one.reviews][:TIMED_REVIEWS]
    if not texts:
        return
    taxonomy, roster = rated[0].taxonomy, rated[0].roster
    analyse("", 5, taxonomy, roster)  # Compiled once, as in a service.
    ours = _per_second(texts, lambda text: analyse(text, 4, taxonomy, roster))
    cells = [f"{ours:.0f}"]
    if vader:
        cells.append(f"{_per_second(texts, vader.of_text):.0f}")
    yield (f"{len(texts)} reviews", *cells)


def _per_second(texts: Sequence[str], read: Callable[[str], object]) -> float:
    began = time.process_time()
    for text in texts:
        read(text)
    return len(texts) / max(time.process_time() - began, 1e-9)
