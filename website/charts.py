"""The figures of the insights page, as coordinates for drawings made on the server."""

from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from insights.statistics import LABELS

Row = dict[str, Any]
FROM_LEFT = tuple(reversed(LABELS))  # Blame, then praise.

WIDTH = 600
PHONE_WIDTH = 300  # Drawn anew, since a drawing made half as wide could not be read.
MONTHS_SHOWN = 60
PHONE_MONTHS_SHOWN = 24
WIDEST = 24  # From one month's column to the next.
COLUMN_SHARE = 2 / 3  # The rest of a step is space.
COLUMNS_HEIGHT = 80
LINE_HEIGHT = 100
YEAR_WIDTH = 34

PLOT_HEIGHT = 280
SMALLEST, LARGEST = 7, 20  # Radii.


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar, in hundredths of the figure's width."""

    label: str
    count: int
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars that diverge from one line: blame to its left, praise to its right."""

    middle: float
    rows: list[tuple[Row, list[Segment]]]


def diverging(rows: Sequence[Row]) -> Bars:
    """A bar for each subject, as long as all others; the neutral part lies across the line."""
    shares = [[row[f"{label}_count"] / row["mention_count"] for label in FROM_LEFT] for row in rows]
    left = max((negative + neutral / 2 for negative, neutral, _ in shares), default=0.0)
    right = max((positive + neutral / 2 for _, neutral, positive in shares), default=0.0)
    unit = 100 / (left + right or 1)
    return Bars(
        round(left * unit, 2),
        [
            (row, list(_segments(row, parts, (left - parts[0] - parts[1] / 2) * unit, unit)))
            for row, parts in zip(rows, shares, strict=True)
        ],
    )


def _segments(row: Row, parts: Sequence[float], x: float, unit: float) -> Iterator[Segment]:
    for label, part in zip(FROM_LEFT, parts, strict=True):
        if part:
            yield Segment(label, row[f"{label}_count"], round(x, 2), round(part * unit, 2))
        x += part * unit


@dataclass(frozen=True, slots=True)
class Dot:
    number: int
    row: Row
    stars: float
    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Scatter:
    """Subjects by how many reviews mention them, and by the stars of these reviews."""

    dots: list[Dot]  # The largest first, so that none hides a smaller one.
    mean: float
    mean_y: float
    lowest: float
    most: int
    width: int


def scatter(aspects: Sequence[Row], mean: float, width: int = WIDTH) -> Scatter:
    """Where each aspect stands; `mean` is the mean of all stars."""
    # Both are rounded, and so may miss by a hundredth.
    stars: list[float] = [min(max(mean + aspect["impact"], 1.0), 5.0) for aspect in aspects]
    most = max((aspect["mention_count"] for aspect in aspects), default=1)
    # Half a star is the least that is told apart at a glance.
    lowest = max(1.0, min([mean, *stars]) // 0.5 * 0.5 - 0.5)

    def y(value: float) -> float:
        return round(PLOT_HEIGHT * (5 - value) / (5 - lowest), 1)

    return Scatter(
        [
            Dot(
                number,
                aspect,
                round(value, 2),
                round(width * aspect["mention_count"] / most, 1),
                y(value),
                round(SMALLEST + (LARGEST - SMALLEST) * (aspect["mention_count"] / most) ** 0.5, 1),
            )
            for number, (aspect, value) in enumerate(zip(aspects, stars, strict=True), 1)
        ],
        mean,
        y(mean),
        lowest,
        most,
        width,
    )


@dataclass(frozen=True, slots=True)
class Column:
    """One month: a column for its reviews, and a point for their mean score."""

    row: Row
    x: float
    y: float
    height: float
    middle: float
    point: float | None  # None without reviews.
    first: str  # The days of the month.
    last: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """Counts as columns, and the mean score as lines that break where a month has no review."""

    columns: list[Column]
    lines: list[str]  # Points for `polyline`.
    years: list[tuple[float, str]]  # Where each begins.
    column_width: float
    most: int
    width: int


def timeline(
    months: Sequence[Row], width: int = WIDTH, months_shown: int = MONTHS_SHOWN
) -> Timeline:
    """The newest months, oldest first."""
    shown = months[-months_shown:]
    most = max((month["review_count"] for month in shown), default=0)
    step = min(width / max(len(shown), 1), WIDEST)
    column_width = step * COLUMN_SHARE
    columns = [_column(month, n * step, column_width, most) for n, month in enumerate(shown)]
    lines = [
        " ".join(f"{column.middle:g},{column.point:g}" for column in run)
        for has_reviews, run in groupby(columns, lambda column: column.point is not None)
        if has_reviews
    ]
    return Timeline(columns, lines, _years(columns), round(column_width, 1), most, width)


def _years(columns: Sequence[Column]) -> list[tuple[float, str]]:
    """Without the first where the second would be written over it."""
    years = groupby(columns, lambda column: str(column.row["month"][:4]))
    begins = [(next(run).x, year) for year, run in years]
    is_covered = len(begins) > 1 and begins[1][0] - begins[0][0] < YEAR_WIDTH
    return begins[1:] if is_covered else begins


def _column(month: Row, x: float, width: float, most: int) -> Column:
    height = COLUMNS_HEIGHT * month["review_count"] / (most or 1)
    score = month["score"]
    year, number = map(int, month["month"].split("-"))
    return Column(
        month,
        round(x, 1),
        round(COLUMNS_HEIGHT - height, 1),
        round(height, 1),
        round(x + width / 2, 1),
        None if score is None else round(LINE_HEIGHT * (1 - score) / 2, 1),
        f"{month['month']}-01",
        f"{month['month']}-{monthrange(year, number)[1]}",
    )
