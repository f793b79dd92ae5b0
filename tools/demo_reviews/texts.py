"""The words of the demo's generated reviews, from `texts.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from demo.business import DATA

Templates = Sequence[str]

_TEXTS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)

AUTHORS: Sequence[str] = _TEXTS["authors"].split()
LONG_AUTHORS: Sequence[str] = _TEXTS["long_authors"]
# Source and its share.
SOURCES: Sequence[tuple[str, float]] = _TEXTS["sources"]
REPLIES: Mapping[str, Templates] = _TEXTS["replies"]
OTHER_LANGUAGES: Mapping[str, Mapping[str, Templates]] = _TEXTS["other_languages"]

# Clauses by polarity and aspect.
CLAUSES: Mapping[str, Mapping[str, Templates]] = {
    polarity: _TEXTS[polarity] for polarity in ("positive", "neutral", "negative")
}
# Complaints with a name of their own: the aspect they speak of, and their clauses.
PROBLEMS: Mapping[str, tuple[str, Templates]] = {
    name: (problem["aspect"], problem["clauses"]) for name, problem in _TEXTS["problems"].items()
}
OF_EVERYTHING: Mapping[str, Templates] = {
    "positive": _TEXTS["praise"],
    "neutral": _TEXTS["mixed"],
    "negative": _TEXTS["blame"],
}
JOB_SCENES: Templates = _TEXTS["job_scenes"]
AREA_SCENES: Templates = _TEXTS["area_scenes"]
PERSON_SCENES: Templates = _TEXTS["person_scenes"]
SPELLING_MISTAKES: Mapping[str, str] = _TEXTS["spelling_mistakes"]
# How customers speak of each job.
JOBS: Mapping[str, Templates] = {
    slug: service["jobs"] for slug, service in DATA["services"].items()
}
