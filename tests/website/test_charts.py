"""Charts of the insights page as coordinates."""

from operator import itemgetter

from website.charts import diverging_bars, scatter, timeline


def aspect(positive, neutral, negative, *, impact=0.0):
    counts = {"positive_count": positive, "neutral_count": neutral, "negative_count": negative}
    return {"id": "price", "mention_count": sum(counts.values()), "impact": impact, **counts}


def month(name, count=0, score=None):
    return {"month": name, "review_count": count, "score": score}


def test_bars_have_equal_length_and_meet_in_middle_of_neutral_part():
    bars = diverging_bars([aspect(6, 2, 2), aspect(2, 0, 8)])

    placed = itemgetter("label", "count", "x", "width")
    assert bars["middle"] == 53.33
    assert [list(map(placed, segments)) for _, segments in bars["rows"]] == [
        [("negative", 2, 33.33, 13.33), ("neutral", 2, 46.67, 13.33), ("positive", 6, 60.0, 40.0)],
        [("negative", 8, 0.0, 53.33), ("positive", 2, 53.33, 13.33)],
    ]


def test_aspect_is_placed_by_mentions_and_stars_of_reviews():
    found = scatter([aspect(30, 5, 5, impact=0.25), aspect(4, 0, 6, impact=-1.5)], 4.25)

    assert (found["lowest"], found["most"], found["mean_y"]) == (2.0, 40, 70.0)
    assert list(map(itemgetter("number", "stars", "x", "y", "radius"), found["dots"])) == [
        (1, 4.5, 600.0, 46.7, 20.0),
        (2, 2.75, 150.0, 210.0, 13.5),
    ]


def test_score_line_breaks_at_months_without_reviews():
    found = timeline([month("2025-12", 2, 1.0), month("2026-01"), month("2026-02", 4, -0.5)])

    assert list(map(itemgetter("y", "height", "point"), found["columns"])) == [
        (40.0, 40.0, 0.0),
        (80.0, 0.0, None),
        (0.0, 80.0, 75.0),
    ]
    assert found["lines"] == ["8,0", "56,75"]
    assert found["years"] == [(24.0, "2026")]
    assert itemgetter("first", "last")(found["columns"][2]) == ("2026-02-01", "2026-02-28")
