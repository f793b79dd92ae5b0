"""Properties of mentions for any text and any roster."""

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from review_analysis.name_matching import PersonEntry, Roster
from review_analysis.text import fold
from tests.review_analysis.names.roster import ROSTER, named

FRAGMENTS = [
    *"Mark mark Marky Dunn MARK José Jose\u0301 Maria Chen Lola 张伟".split(),
    *"drain Heat pump furnace tune-up Alder Bay East was great ß İ".split(),
    *"   \n.,-",
    *("'s", "\u2019", "\u0301", "\U0001f600", "_", "7", "한", "ᄒ", "ᅡ"),
]
texts = st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join) | st.text(max_size=60)
TERMS = {
    *"mark/mark dunn/marky/the dunn guy/josé/josé peña/maria lopez/lola/maria chen".split("/"),
    *"jean luc/jean luc o'brien/张伟/tess/tess quill/alder bay/the bay/ab".split("/"),
    *"east alder bay/heat pump/heat pump installation/furnace/pump switch/furnace tune up".split(
        "/"
    ),
    *("a/c", "furnace tuneup", "drain cleaning", "clogged sink"),
}


@given(texts)
def test_places_hold_a_term_of_the_entry(text):
    for found in ROSTER.find(text):
        words = " ".join(fold(text[found.start : found.end]).replace("-", " ").split())
        is_term = words in TERMS or words.removesuffix("s") in TERMS
        assert is_term or (found.slug == "drain-cleaning" and words.startswith("drain"))


NAMES = st.lists(
    st.sampled_from(
        ["Dr.", "dr", "Mark", "mike", "MICHAEL", "Ana", "de", "la", "O'Neil", "José", "Jr."]
    )
    | st.text(max_size=4),
    max_size=4,
).map(" ".join)


@given(st.lists(st.tuples(NAMES, NAMES), max_size=4), texts)
def test_any_roster_finds_names_in_text_only(names, text):
    roster = Roster(
        PersonEntry(f"t{number}", name, (alias,)) for number, (name, alias) in enumerate(names)
    )

    for name, _ in names:
        for found in roster.find(f"{text} {name} {text}"):
            assert 0 <= found.start < found.end <= 2 * len(text) + len(name) + 2


@given(texts)
def test_places_of_a_kind_are_ordered_and_disjoint(text):
    found = ROSTER.find(text)

    assert found == sorted(found, key=lambda f: (f.start, f.end))
    for kind in ("person", "service", "area"):
        ends = 0
        for place in (f for f in found if f.kind == kind):
            assert ends <= place.start < place.end <= len(text)
            ends = place.end


@given(texts)
@example("drainé\u0301")
@example("José张伟\u1161")
def test_composed_and_decomposed_texts_have_equal_mentions(text):
    composed = unicodedata.normalize("NFC", text)

    expected = [(f.slug, composed[f.start : f.end]) for f in ROSTER.find(composed)]
    for form in ("NFC", "NFD"):
        other = unicodedata.normalize(form, text)
        places = [(f.slug, other[f.start : f.end]) for f in ROSTER.find(other)]
        assert [(s, unicodedata.normalize("NFC", part)) for s, part in places] == expected


@given(
    st.sampled_from(["Mark Dunn", "José Peña", "张伟", "heat pump", "clogged sinks", "Alder Bay"]),
    st.text(alphabet=' \n.,;:!?()"\u201c\u201d\u2026/\U0001f600', max_size=5),
    st.text(alphabet=' \n,;:!?)"\u201d\u2026/\U0001f600', max_size=5),
)
def test_name_is_found_between_spaces_and_punctuation(name, before, after):
    assert [part for _, part in named(before + name + after)] == [name]


def test_stacked_marks_and_repetition_are_read_to_end():
    tower = "a" + "\u0301\u0323" * 50_000
    assert [found.slug for found in ROSTER.find(tower + " Lola")] == ["maria-lopez"]
    assert len(ROSTER.find("Mark " * 40_000)) == 2_000
