from hypothesis import given
from hypothesis import strategies as st

from insights.aggregate import Names
from insights.annotated_text import Span, annotate
from review_analysis import Analyser
from review_analysis.name_matching import PersonEntry, Roster

TAXONOMY = {
    "aspects": [{"id": "price", "label": "Price", "terms": ["price", "fair price"]}],
    "topics": [{"id": "fairness", "label": "Fairness", "terms": ["fair"]}],
    "problems": [{"id": "leak", "label": "Leak", "terms": ["leak"]}],
}
ROSTER = Roster(people=[PersonEntry("kim-lee", "Kim Lee")])
ANALYSER = Analyser(TAXONOMY, ROSTER)
NAMES = Names.collect(TAXONOMY, ROSTER)


@given(st.text(alphabet="Kim Lee fair price leak.,!?\n\u0301\U0001f600", max_size=80))
def test_pieces_of_a_sentence_are_the_sentence(text):
    reading = ANALYSER.read(text, 3)

    shown = annotate(text, reading, NAMES)

    for sentence, as_read in zip(shown["sentences"], reading.sentences, strict=True):
        spans = "".join(span.text for span in sentence["spans"])
        assert spans == text[as_read.start : as_read.end]
        assert Span("") not in sentence["spans"]
