"""From what an analyser read to what is stored and counted."""

from hypothesis import given
from hypothesis import strategies as st

from insights.findings import (
    KINDS,
    AnalysedReview,
    Findings,
    Opinion,
    ReviewFacts,
    dump,
    findings_of,
    load,
)
from insights.findings import Phrase as Counted
from insights.findings import Sentence as Kept
from review_analysis.reading import (
    AspectReading,
    EntityReading,
    Mention,
    Phrase,
    Reading,
    Sentence,
)
from tests.insights.counting import DAY, LABELS, OPINIONS, SCORES

SENTENCES = (Sentence(0, 20, "positive", 0.8), Sentence(21, 44, "negative", -0.5))


def mention(score, sentence=0):
    label = "positive" if score > 0 else "negative"
    return Mention(3, 8, label, score, sentence, clause=(0, 9))


def reading(**members):
    values = {"analysed": True, "label": "positive", "score": 0.4565, "sentences": SENTENCES}
    return Reading(**(values | members))


def test_scores_are_kept_in_thousandths():
    findings = findings_of(reading(), {}, "")

    assert findings.score == 456  # Half to even, as everywhere.
    assert findings.sentences == (Kept(0, 20, "positive", 800), Kept(21, 44, "negative", -500))


def test_an_aspect_quotes_the_sentence_of_its_clearest_mention():
    aspect = AspectReading(
        "price", "negative", -0.3, "too much", (mention(0.2), mention(-0.7, sentence=1)),
        quote=lambda: (Phrase("fair price", "fair prices", 0.9),),
    )  # fmt: skip

    findings = findings_of(reading(aspects=(aspect,)), {}, "")

    assert findings.opinions["aspects"] == (
        Opinion(
            "price", "negative", -300, (21, 44), "too much",
            (Counted("fair price", "fair prices", 900),),
        ),
    )  # fmt: skip


def test_technicians_services_and_areas_are_exactly_those_of_the_stored_mentions():
    read = [
        EntityReading("technician", "mara", "negative", -0.8, (mention(-0.8),)),
        EntityReading("technician", "unstored", "negative", -0.8, (mention(-0.8),)),
        EntityReading("problem", "no_show", "negative", -0.8, (mention(-0.8),), resolved=True),
    ]
    stored = {"technicians": ["from-a-column", "mara"]}

    opinions = findings_of(reading(entities=tuple(read)), stored, "").opinions

    assert opinions["technicians"] == (
        Opinion("from-a-column", "positive", 456),
        Opinion("mara", "negative", -800, (0, 20)),
    )
    assert opinions["problems"] == (Opinion("no_show", "negative", -800, (0, 20), resolved=True),)


def test_a_topic_keeps_the_words_that_it_was_known_by():
    places = tuple(Mention(s, s + 4, "positive", 0.5, 0, clause=(0, 9)) for s in (0, 6, 12))
    topic = EntityReading("topic", "winter", "positive", 0.5, places)

    (opinion,) = findings_of(reading(entities=(topic,)), {}, "Snow, snow, hail.").opinions["topics"]

    assert opinion.phrases == (Counted("snow", "snow", 500), Counted("hail", "hail", 500))


FINDINGS = st.builds(
    Findings,
    analysed=st.booleans(),
    label=LABELS,
    score=SCORES,
    opinions=st.fixed_dictionaries({kind: OPINIONS[kind] for kind in KINDS}),
    sentences=st.lists(
        st.builds(Kept, st.integers(0, 9), st.integers(9, 99), LABELS, SCORES), max_size=3
    ).map(tuple),
)


@given(FINDINGS)
def test_what_is_stored_is_what_comes_back(findings):
    assert load(dump(findings)) == findings


def test_a_record_quotes_its_text_verbatim():
    findings = findings_of(reading(), {}, "")
    record = AnalysedReview.of(
        findings, ReviewFacts("01K", "Ann", 5, DAY, "Quick\nwörk.", "rules/1")
    )

    assert record.words((6, 11)) == "wörk."
