"""Pure: the sentiment that a star rating alone supports, and no more."""

from insights.analysis.reading import Label

MODEL = "stars/1.0"


def score_of(rating: int) -> float:
    """A rating of 1..5 as a score of -1..1."""
    return (rating - 3) / 2


def label_of(score: float) -> Label:
    """What a score amounts to."""
    if score > 0.15:
        return "positive"
    return "negative" if score < -0.15 else "neutral"
