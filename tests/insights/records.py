"""Records for aggregation, made by hand and at random."""

import datetime as dt

from hypothesis import strategies as st

from insights.aggregate import Names
from insights.findings import AnalysedReview, Opinion, Phrase

DAY = dt.date(2026, 3, 14)
NAMES = Names(
    aspects={"price": "Price", "manner": "Manner"},
    technicians={"mara": "Mara"},
    services={"drains": "Drains"},
    problems={"no_show": "No-show"},
    areas={"quay": "Quay"},
    topics={"winter": "Winter"},
)
LABELS = st.sampled_from(["positive", "neutral", "negative"])
SCORES = st.integers(-1000, 1000)


def review(number=1, *, score=800, label="positive", **members):
    values = {
        "ulid": f"01K{number:023}",
        "author": f"Author {number}",
        "rating": 5,
        "date": DAY,
        "text": "It was a pleasure to see such careful work at such a price, from start to end.",
        "model": "rules/1",
        "analysed": True,
    }
    return AnalysedReview(**(values | {"label": label, "score": score} | members))


OPINIONS = {
    kind: st.lists(
        st.builds(
            Opinion,
            id=st.sampled_from(keys),
            label=LABELS,
            score=SCORES,
            quote=st.none() | st.just((0, 40)),
            phrases=st.lists(
                st.builds(
                    Phrase, st.sampled_from(["fair price", "a fair price", "price"]),
                    st.sampled_from(["fair price", "Fair price"]), SCORES,
                ),
                max_size=3,
            ).map(tuple),
            resolved=st.booleans(),
        ),
        unique_by=lambda opinion: opinion.id,
        max_size=2,
    ).map(tuple)
    for kind, keys in {
        "aspects": ["price", "manner", "unknown"],
        "technicians": ["mara"],
        "services": ["drains"],
        "problems": ["no_show"],
        "areas": ["quay"],
        "topics": ["winter"],
    }.items()
}  # fmt: skip
