"""Precision and recall on labelled reviews of this project, half of them held back.

`tools/analyser/labelled/` has a folder per kind of text (`reviews`, `sentences`). Each has a folder
per half (`tuning`, `held_back`) with a file of JSON lines per trade. Tune terms and rules only on
`tuning`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tools.analyser.evaluation.examples import LabelledSet
from tools.analyser.evaluation.measures import Hits
from tools.analyser.evaluation.readers import read_folder

LABELLED = Path(__file__).parents[1] / "labelled"
SPLITS = ("tuning", "held_back")
MEASURES = ("problems", "aspects", "joint")

Sum = Mapping[str, Hits]


def labelled_sets(kind: str, split: str) -> list[LabelledSet]:
    """Read the sets of all trades, ordered by name."""
    return list(read_folder(LABELLED / kind / split))


def kinds() -> list[str]:
    return sorted(path.name for path in LABELLED.iterdir() if (path / SPLITS[0]).is_dir())


def total(hits: Sequence[Sum]) -> Sum:
    """Add up the hits of several sets."""
    sums: dict[str, Hits] = defaultdict(Hits)
    for one in hits:
        for name in MEASURES:
            sums[name].add(one[name])
    return sums


def cells(hits: Sum) -> Iterator[str]:
    """Format precision, recall and number of findings of each measure."""
    for name in MEASURES:
        one = hits[name]
        found = one.right + one.wrong
        yield f"{one.precision:.3f} {one.recall:.3f} ({found})" if found + one.missed else ""
