"""Reviews of six trades, labelled by hand: the analyser may not get worse at them.

The first part of each file was written before the analyser was seen to answer, the second after.
Terms and rules were tried on both; the third was written when that was done, as the fair measure.
The fourth and fifth came later, written together before the terms were looked at: terms were tried
on the fourth, while of the fifth nothing but totals has been seen. The sixth and seventh are longer
and of two minds, and mostly imply what they think; of the seventh only totals have been seen. The
eighth are short; terms were tried on half of them, and written by whoever wrote the other half.
The ninth and tenth have taxonomies of their own, as strangers write them, and are hard on purpose;
rules were tried on the ninth, and of the tenth only totals have been seen. The eleventh and
twelfth are of the same kind, plain and hard ones of eleven trades, written and labelled before
anything was run on them; again rules were tried on the first of the two alone. The next three are
of the six trades again, written and labelled before the terms were looked at: terms were tried on
the thirteenth, only totals have been seen of the fourteenth, by whoever wrote it; the fifteenth,
plain and short, was written when that was done, and read once. The sixteenth and seventeenth are of
the six trades once more, mostly implied, the eighteenth and nineteenth of eight trades with
taxonomies of a few plain words; all four were written and labelled in one go before anything was
run, and again the first of each two was looked at, by whoever wrote the second. So it was with the
twentieth and twenty-first, of five trades with taxonomies and rosters of their own, in very
different voices. The last two are everyday ones of eight trades with taxonomies of a few plain
words; no word or turn of phrase was tried on either.

Labels of problems count what a customer called about ("a slab leak") as well, which the analyser
does not: recall is lower where they do.
"""

import json
from collections import defaultdict
from operator import ge
from pathlib import Path

import pytest

import demo
from demo.review import write_labels
from review_analysis import analyse
from tools.analyser.evaluation.baselines import Analyser
from tools.analyser.evaluation.measures import Hits, accuracy, forced_accuracy, macro_f1
from tools.analyser.evaluation.readers import read_file
from tools.analyser.evaluation.report import measure_reviews

FOLDER = Path(__file__).parent / "conformance"
FILES = sorted(FOLDER.glob("*.jsonl"))
LATER_FILES = sorted((FOLDER / "later").glob("*.jsonl"))
MIXED_FILES = sorted((FOLDER / "mixed").glob("*.jsonl"))
SHORT_FILES = sorted((FOLDER / "short").glob("*.jsonl"))
OTHER_FILES = sorted((FOLDER / "strangers").glob("*.jsonl"))
UNSEEN_FILES = sorted((FOLDER / "unseen").glob("*.jsonl"))
FRESH_FILES = sorted((FOLDER / "fresh").glob("*.jsonl"))
NEWEST_FILES = sorted((FOLDER / "newest").glob("*.jsonl"))
OUTSIDERS_FILES = sorted((FOLDER / "outsiders").glob("*.jsonl"))
VOICES_FILES = sorted((FOLDER / "voices").glob("*.jsonl"))
EVERYDAY_FILES = sorted((FOLDER / "everyday").glob("*.jsonl"))
PARTS = {**dict.fromkeys((1, 2, 3), FILES), 4: LATER_FILES, 5: LATER_FILES}
PARTS |= {6: MIXED_FILES, 7: MIXED_FILES, 8: SHORT_FILES}
PARTS |= {9: OTHER_FILES, 10: OTHER_FILES, 11: UNSEEN_FILES, 12: UNSEEN_FILES}
PARTS |= {13: FRESH_FILES, 14: FRESH_FILES, 15: FRESH_FILES}
PARTS |= {16: NEWEST_FILES, 17: NEWEST_FILES, 18: OUTSIDERS_FILES, 19: OUTSIDERS_FILES}
PARTS |= {20: VOICES_FILES, 21: VOICES_FILES, 22: EVERYDAY_FILES, 23: EVERYDAY_FILES}
# F1 over all files, rounded down: it may rise, and then so may these. They fell where weak terms
# and problems that only seem so gained more in precision than they lost, where nouns and verbs that
# judge nothing became weak ("installed", "appointment"), and by a hair where four stars and
# contrasts tell less, and where "I was lied to" counts as a problem.
# Of the second, eighth, twelfth and sixteenth, of plain targets, and without stars of the first two
# of plain words, they fell by one to three mentions where the weights of sentences on several
# things rose and absences were told from what is there. The fourteenth lost
# two where "friendly" by itself tells no longer of the staff of a clinic, but of whom it names.
FLOORS = {
    1: {"aspects": 0.89, "joint": 0.88, "people": 1.0, "problems": 0.79, "sentiment": 0.91},
    2: {"aspects": 0.85, "joint": 0.79, "people": 1.0, "problems": 0.55, "sentiment": 0.89},
    3: {"aspects": 0.86, "joint": 0.84, "people": 1.0, "problems": 0.70, "sentiment": 0.95},
    4: {"aspects": 0.90, "joint": 0.86, "people": 0.96, "problems": 0.92, "sentiment": 0.91},
    5: {"aspects": 0.84, "joint": 0.81, "people": 0.95, "problems": 0.87, "sentiment": 0.96},
    6: {"aspects": 0.76, "joint": 0.71, "sentiment": 0.95},
    7: {"aspects": 0.71, "joint": 0.66, "sentiment": 0.90},
    8: {"aspects": 0.91, "joint": 0.88, "sentiment": 0.96},
    9: {"aspects": 0.89, "joint": 0.75},
    10: {"aspects": 0.90, "joint": 0.73},
    11: {"aspects": 0.95, "joint": 0.80, "people": 1.0},
    12: {"aspects": 0.94, "joint": 0.73, "people": 1.0},
    13: {"aspects": 0.88, "joint": 0.85, "people": 1.0, "problems": 0.80, "sentiment": 0.97},
    14: {"aspects": 0.77, "joint": 0.72, "people": 0.96, "problems": 0.58, "sentiment": 0.86},
    15: {"aspects": 0.83, "joint": 0.82, "people": 1.0, "problems": 0.70, "sentiment": 0.91},
    16: {"aspects": 0.82, "joint": 0.72, "people": 1.0, "problems": 0.81, "sentiment": 0.92},
    17: {"aspects": 0.76, "joint": 0.71, "people": 1.0, "problems": 0.50, "sentiment": 0.92},
    18: {"aspects": 0.97, "joint": 0.85},
    19: {"aspects": 0.97, "joint": 0.81},
    20: {"aspects": 0.83, "joint": 0.72, "people": 0.97, "problems": 0.66},
    21: {"aspects": 0.82, "joint": 0.69, "people": 0.96, "problems": 0.95},
    22: {"aspects": 0.87, "joint": 0.80, "people": 1.0},
    23: {"aspects": 0.85, "joint": 0.80, "people": 1.0},
}
# Plain sentences on food, goods, films and services, good or bad; the short ones on food and goods
# alone; of the pairs most have a twin that says the opposite in much the same words. Words and
# turns of phrase were tried on the first of each two files; the second was written before that,
# and is only ever counted.
SENTENCE_FLOORS = {"tried": 0.96, "held_back": 0.80, "short_tried": 0.90, "short_held_back": 0.89}
SENTENCE_FLOORS |= {"pairs_tried": 0.79, "pairs_held_back": 0.76}
# What sentences on laptops and on restaurants say of the things they name, a third of which are
# only named: accuracy and macro-F1. Again the second file is only counted. The third holds
# what other words turn, deny, spare or except, in sentences on services; rules were tried on them.
# The next two add hotels, and name more things at once; the two after them are of the same kind.
# The last holds what customers of forty trades say every day, mostly without a word that judges.
TARGET_FLOORS = {"tried": (0.70, 0.70), "held_back": (0.70, 0.70), "turns": (0.87, 0.75)}
TARGET_FLOORS |= {"several_tried": (0.70, 0.69), "several_held_back": (0.78, 0.78)}
TARGET_FLOORS |= {"plain": (0.89, 0.73)}
TARGET_FLOORS |= {"things_tried": (0.71, 0.68), "things_held_back": (0.82, 0.81)}
# With taxonomies of a few plain words for each aspect and nothing else, as a stranger writes them:
# the polarity of the aspects that they find, with and without stars.
PLAIN_FLOORS = {
    "first": {True: 0.93, False: 0.88},
    "later": {True: 0.92, False: 0.83},
    "mixed": {True: 0.89, False: 0.78},
}
DEMO_FLOORS = {"aspects": 0.97, "joint": 0.91, "people": 1.0}


def hits_of(path, part, tmp_path):
    head, *lines = path.read_text("utf-8").splitlines()
    chosen = tmp_path / path.name
    chosen.write_text(
        "\n".join([head, *(line for line in lines if json.loads(line)["part"] == part)]), "utf-8"
    )
    return measure_reviews(read_file(chosen))


@pytest.mark.parametrize("part", FLOORS)
def test_labelled_reviews_are_read_at_least_as_well_as_before(part, tmp_path):
    totals = defaultdict(Hits)
    for path in PARTS[part]:
        for name, hits in hits_of(path, part, tmp_path).items():
            totals[name].right += hits.right
            totals[name].wrong += hits.wrong
            totals[name].missed += hits.missed

    measured = {name: round(totals[name].f1, 4) for name in FLOORS[part]}

    assert all(measured[name] >= floor for name, floor in FLOORS[part].items()), measured


@pytest.mark.parametrize("has_stars", [True, False])
@pytest.mark.parametrize(
    ("name", "files"),
    [("first", FILES), ("later", LATER_FILES), ("mixed", MIXED_FILES)],
)
def test_few_plain_words_are_judged_at_least_as_well_as_before(name, files, has_stars):
    terms = json.loads((FOLDER / "plain_words.json").read_text("utf-8"))
    answers = []
    for path in files:
        aspects = [
            {"id": id_, "label": id_, "terms": words} for id_, words in terms[path.stem].items()
        ]
        for review in read_file(path).reviews:
            rating = review.rating if has_stars else None
            answer = analyse(review.text, rating, {"aspects": aspects}, [])
            given = {aspect["id"]: aspect["label"] for aspect in answer["aspects"]}
            answers += [
                given[id_] == label for id_, label in review.aspects.items() if id_ in given
            ]

    measured = sum(answers) / len(answers)

    assert len(answers) >= 110
    assert measured >= PLAIN_FLOORS[name][has_stars], measured


@pytest.mark.parametrize("name", SENTENCE_FLOORS)
def test_plain_sentences_are_taken_as_praise_or_blame_at_least_as_well_as_before(name):
    texts = read_file(Path(__file__).parent / "conformance" / "sentences" / f"{name}.tsv").texts

    scores = [analyse(e.text, None, {}, [])["sentiment"]["score"] for e in texts]

    assert len(texts) >= 90
    measured = forced_accuracy([e.label == "positive" for e in texts], scores)
    assert measured >= SENTENCE_FLOORS[name], measured


@pytest.mark.parametrize("name", TARGET_FLOORS)
def test_what_is_said_of_named_things_is_seen_at_least_as_well_as_before(name):
    targets = read_file(FOLDER / "targets" / f"{name}.jsonl").targets

    right, given = [e.label for e in targets], Analyser().of_targets(targets)

    measured = accuracy(right, given), macro_f1(right, given)
    assert len(targets) >= 85
    assert all(map(ge, measured, TARGET_FLOORS[name])), measured


def test_a_thousand_reviews_are_labelled():
    files = [*FILES, *LATER_FILES, *MIXED_FILES, *SHORT_FILES, *OTHER_FILES, *UNSEEN_FILES]
    files += [*FRESH_FILES, *NEWEST_FILES, *OUTSIDERS_FILES, *VOICES_FILES]
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()[1:]]

    assert (len(FILES), len(LATER_FILES), len(MIXED_FILES), len(SHORT_FILES)) == (6, 6, 5, 6)
    assert (len(OTHER_FILES), len(UNSEEN_FILES), len(FRESH_FILES)) == (10, 11, 6)
    assert (len(NEWEST_FILES), len(OUTSIDERS_FILES), len(VOICES_FILES)) == (6, 8, 5)
    assert len(lines) >= 1_000
    assert len({json.loads(line)["text"] for line in lines}) == len(lines)


@pytest.mark.slow
def test_the_demo_is_read_as_it_was_meant(tmp_path):
    path = tmp_path / "truth.json"
    with path.open("w", encoding="utf-8") as file:
        for _ in write_labels(demo.generate(2_000), file, seed=demo.SEED, end=demo.END):
            pass

    hits = measure_reviews(read_file(path))

    measured = {name: round(hits[name].f1, 4) for name in DEMO_FLOORS}
    assert all(measured[name] >= floor for name, floor in DEMO_FLOORS.items()), measured
