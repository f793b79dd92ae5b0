"""Coordinates of the charts of the insights page, which the server draws."""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from insights.statistics import LABELS

Row = dict[str, Any]
FROM_LEFT = tuple(reversed(LABELS))  # Negative first.

WIDTH = 600
PHONE_WIDTH = 300  # A separate chart: the wide one at half its size would be illegible.
MONTHS_SHOWN = 60
PHONE_MONTHS_SHOWN = 24
MAX_STEP = 24  # From one month's column to the next.
COLUMN_SHARE = 2 / 3  # Of a step; the rest is space.
COLUMNS_HEIGHT = 80
LINE_HEIGHT = 100
YEAR_WIDTH = 34

PLOT_HEIGHT = 280
MIN_RADIUS, MAX_RADIUS = 7, 20


def diverging_bars(rows: Sequence[Row]) -> Row:
    """Draw one bar per subject, negative left and positive right of a common line.

    Bars are equally long, and their neutral part is centred on the line. `middle`, `x` and `width`
    are percentages of the chart's width.
    """
    shares = [[row[f"{label}_count"] / row["mention_count"] for label in FROM_LEFT] for row in rows]
    left = max((negative + neutral / 2 for negative, neutral, _ in shares), default=0.0)
    right = max((positive + neutral / 2 for _, neutral, positive in shares), default=0.0)
    unit = 100 / (left + right or 1)
    return {
        "middle": round(left * unit, 2),
        "rows": [
            (row, list(_segments(row, parts, (left - parts[0] - parts[1] / 2) * unit, unit)))
            for row, parts in zip(rows, shares, strict=True)
        ],
    }


def _segments(row: Row, parts: Sequence[float], x: float, unit: float) -> Iterator[Row]:
    for label, part in zip(FROM_LEFT, parts, strict=True):
        if part:
            count, width = row[f"{label}_count"], round(part * unit, 2)
            yield {"label": label, "count": count, "x": round(x, 2), "width": width}
        x += part * unit


def scatter(aspects: Sequence[Row], mean: float, width: int = WIDTH) -> Row:
    """Draw a dot per aspect: its mentions across, and the mean stars of these reviews up.

    `mean` is the mean of all reviews. The largest dots come first, so that they hide no others.
    """
    # `mean` and `impact` are rounded, so their sum may leave the scale.
    stars: list[float] = [min(max(mean + aspect["impact"], 1.0), 5.0) for aspect in aspects]
    most = max((aspect["mention_count"] for aspect in aspects), default=1)
    # Smaller steps than half a star are hard to distinguish.
    lowest = max(1.0, min([mean, *stars]) // 0.5 * 0.5 - 0.5)

    def y(value: float) -> float:
        return round(PLOT_HEIGHT * (5 - value) / (5 - lowest), 1)

    dots = []
    for number, (aspect, value) in enumerate(zip(aspects, stars, strict=True), 1):
        share = aspect["mention_count"] / most
        radius = round(MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * share**0.5, 1)
        dot = {"number": number, "row": aspect, "stars": round(value, 2), "radius": radius}
        dots.append(dot | {"x": round(width * share, 1), "y": y(value)})
    axes = {"mean": mean, "mean_y": y(mean), "lowest": lowest, "most": most, "width": width}
    return {"dots": dots, **axes}


def timeline(months: Sequence[Row], width: int = WIDTH, months_shown: int = MONTHS_SHOWN) -> Row:
    """Draw the newest months, oldest first: counts as columns, mean scores as lines.

    `lines` are points for `polyline`; a month without reviews breaks the line.
    """
    shown = months[-months_shown:]
    most = max((month["review_count"] for month in shown), default=0)
    step = min(width / max(len(shown), 1), MAX_STEP)
    column_width = step * COLUMN_SHARE
    columns = [_column(month, n * step, column_width, most) for n, month in enumerate(shown)]
    lines = [
        " ".join(f"{column['middle']:g},{column['point']:g}" for column in run)
        for has_reviews, run in groupby(columns, lambda column: column["point"] is not None)
        if has_reviews
    ]
    drawn = {"columns": columns, "lines": lines, "years": _years(columns)}
    return drawn | {"column_width": round(column_width, 1), "most": most, "width": width}


def _years(columns: Sequence[Row]) -> list[tuple[float, str]]:
    """Return position and label of each year; omit the first if the second would cover it."""
    years = groupby(columns, lambda column: str(column["row"]["month"][:4]))
    begins: list[tuple[float, str]] = [(next(run)["x"], year) for year, run in years]
    is_covered = len(begins) > 1 and begins[1][0] - begins[0][0] < YEAR_WIDTH
    return begins[1:] if is_covered else begins


def _column(month: Row, x: float, width: float, most: int) -> Row:
    height = COLUMNS_HEIGHT * month["review_count"] / (most or 1)
    score = month["score"]
    year, number = map(int, month["month"].split("-"))
    return {
        "row": month,
        "x": round(x, 1),
        "y": round(COLUMNS_HEIGHT - height, 1),
        "height": round(height, 1),
        "middle": round(x + width / 2, 1),
        "point": None if score is None else round(LINE_HEIGHT * (1 - score) / 2, 1),
        "first": f"{month['month']}-01",
        "last": f"{month['month']}-{monthrange(year, number)[1]}",
    }
