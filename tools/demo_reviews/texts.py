"""Templates of the demo's generated reviews, from `texts.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from demo.business import DATA

Templates = Sequence[str]

TEXTS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)

# Clauses by polarity and aspect.
CLAUSES: Mapping[str, Mapping[str, Templates]] = {
    polarity: TEXTS[polarity] for polarity in ("positive", "neutral", "negative")
}
# Named complaints, with their aspect and clauses.
PROBLEMS: Mapping[str, tuple[str, Templates]] = {
    name: (problem["aspect"], problem["clauses"]) for name, problem in TEXTS["problems"].items()
}
OF_EVERYTHING: Mapping[str, Templates] = {
    "positive": TEXTS["praise"],
    "neutral": TEXTS["mixed"],
    "negative": TEXTS["blame"],
}
# Names that customers use for each job.
JOBS: Mapping[str, Templates] = {
    slug: service["jobs"] for slug, service in DATA["services"].items()
}
