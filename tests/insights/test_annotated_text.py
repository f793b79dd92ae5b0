"""A text is shown as it was read: its sentences verbatim, cut where findings begin and end."""

from hypothesis import given
from hypothesis import strategies as st

from insights.aggregate import Names
from insights.annotated_text import Span, marked
from review_analysis import Analyser
from review_analysis.name_matching import PersonEntry, Roster

TAXONOMY = {
    "aspects": [{"id": "price", "label": "Price", "terms": ["price", "fair price"]}],
    "topics": [{"id": "fairness", "label": "Fairness", "terms": ["fair"]}],
    "problems": [{"id": "leak", "label": "Leak", "terms": ["leak"]}],
}
ROSTER = Roster(people=[PersonEntry("kim-lee", "Kim Lee")])
ANALYSER = Analyser(TAXONOMY, ROSTER)
NAMES = Names.on(TAXONOMY, ROSTER)


def test_findings_stand_in_their_sentences_with_their_reasons():
    text = "Kim caused a leak and fixed it. A fair price!"

    shown = marked(text, ANALYSER.read(text, 5), NAMES)

    first, second = shown["sentences"]
    assert [(span.text, span.of) for span in first["spans"]] == [
        ("Kim", ("Kim Lee",)),
        (" caused a ", ()),
        ("leak", ("Leak",)),
        (" and fixed it.", ()),
    ]
    assert ("fair", ("Price", "Fairness")) in [(p.text, p.of) for p in second["spans"]]
    by_name = {finding["name"]: finding for finding in shown["findings"]}
    assert by_name["Leak"]["read"].resolved
    assert by_name["Price"]["words"] == ["fair price"]
    assert by_name["Price"]["because"][0].startswith('phrase "fair price"')


@given(st.text(alphabet="Kim Lee fair price leak.,!?\n\u0301\U0001f600", max_size=80))
def test_pieces_of_a_sentence_are_the_sentence(text):
    reading = ANALYSER.read(text, 3)

    shown = marked(text, reading, NAMES)

    for sentence, as_read in zip(shown["sentences"], reading.sentences, strict=True):
        spans = "".join(span.text for span in sentence["spans"])
        assert spans == text[as_read.start : as_read.end]
        assert Span("") not in sentence["spans"]
