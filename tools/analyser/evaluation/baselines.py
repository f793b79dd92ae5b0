"""The analyser, and the baselines that it is compared with."""

import importlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, cast

from review_analysis import analyse
from review_analysis.ensemble import PolarityModel, SentenceLogits
from review_analysis.reading import Label
from tools.analyser.evaluation.examples import TargetExample


class Prediction(NamedTuple):
    label: Label
    score: float


class Classifier(Protocol):
    name: str

    def classify_text(self, text: str) -> Prediction: ...

    def classify_targets(self, examples: Sequence[TargetExample]) -> list[Label]: ...


class Analyser:
    """The project's analyser; a target is given as a taxonomy of one aspect."""

    name = "ours"

    def __init__(
        self, *, sees_stars: bool = False, second_model: PolarityModel | None = None
    ) -> None:
        self._sees_stars = sees_stars
        self._second_model = second_model

    def with_stars(self) -> "Analyser":
        """Return a copy that also uses the stars of a target's review."""
        return Analyser(sees_stars=True, second_model=self._second_model)

    def analyse(
        self,
        text: str,
        rating: float | None,
        taxonomy: Mapping[str, Any],
        roster: Sequence[Mapping[str, Any]],
    ) -> dict[str, Any]:
        return analyse(text, rating, taxonomy, roster, self._second_model)

    def classify_text(self, text: str) -> Prediction:
        found = self.analyse(text, None, {"aspects": []}, [])["sentiment"]
        return Prediction(found["label"], found["score"])

    def classify_targets(self, examples: Sequence[TargetExample]) -> list[Label]:
        return [self._classify_target(example) for example in examples]

    def _classify_target(self, example: TargetExample) -> Label:
        aspect = {"id": "target", "label": example.term, "terms": [example.term]}
        rating = example.rating if self._sees_stars else None
        found = self.analyse(example.text, rating, {"aspects": [aspect]}, [])
        for answer in found["aspects"]:
            if example.start is None:
                return cast("Label", answer["label"])
            for mention in answer["mentions"]:
                if mention["start"] <= example.start < mention["end"]:
                    return cast("Label", mention["label"])
        return cast("Label", found["sentiment"]["label"])


class CachingModel:
    """A second model that reads each sentence once, for any number of targets."""

    def __init__(self, model: PolarityModel) -> None:
        self.name = model.name
        self._model = model
        self._cache: dict[str, SentenceLogits | None] = {}

    def read(self, sentences: Sequence[str]) -> list[SentenceLogits | None]:
        for sentence in sentences:
            if sentence not in self._cache:
                [self._cache[sentence]] = self._model.read([sentence])
        return [self._cache[sentence] for sentence in sentences]


class Classifiers(NamedTuple):
    """The measured analyser, and baselines."""

    ours: Analyser
    baselines: Sequence[Classifier]


class Vader:
    """VADER on the whole text, with the thresholds that its authors recommend."""

    name = "VADER"

    def __init__(self, polarity: Callable[[str], dict[str, float]]) -> None:
        self._polarity = polarity

    def classify_text(self, text: str) -> Prediction:
        score = self._polarity(text)["compound"]
        return Prediction(
            "positive" if score >= 0.05 else "negative" if score <= -0.05 else "neutral", score
        )

    def classify_targets(self, examples: Sequence[TargetExample]) -> list[Label]:
        return [self.classify_text(example.text).label for example in examples]


def vader() -> Vader | None:
    try:
        module = importlib.import_module("vaderSentiment.vaderSentiment")
    except ImportError:
        return None
    return Vader(module.SentimentIntensityAnalyzer().polarity_scores)


def majority(labels: Sequence[Label]) -> list[Label]:
    """Predict the most frequent label for every text."""
    return [Counter(labels).most_common(1)[0][0]] * len(labels) if labels else []


def by_stars(rating: int | None) -> Label:
    """Predict the label from the stars."""
    if rating is None or rating == 3:
        return "neutral"
    return "positive" if rating > 3 else "negative"
