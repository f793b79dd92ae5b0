"""Share of right findings in the labelled reviews of this project, half of them held back.

`tools/analyser/labelled/` has a folder for each kind of text (`reviews`, `sentences`), in it one
for each half (`tuning`, `held_back`), with a file of JSON lines for each trade. Terms and rules
are tried on `tuning` alone.
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


def labelled_sets(kind: str, split: str, folder: Path = LABELLED) -> list[LabelledSet]:
    """The sets of all trades, by name."""
    return list(read_folder(folder / kind / split))


def kinds(folder: Path = LABELLED) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if (path / SPLITS[0]).is_dir())


def total(hits: Sequence[Sum]) -> Sum:
    """The hits of several sets as those of one."""
    sums: dict[str, Hits] = defaultdict(Hits)
    for one in hits:
        for name in MEASURES:
            sums[name].add(one[name])
    return sums


def cells(hits: Sum) -> Iterator[str]:
    """Precision and recall of each measure, with the number of findings."""
    for name in MEASURES:
        one = hits[name]
        found = one.right + one.wrong
        yield f"{one.precision:.3f} {one.recall:.3f} ({found})" if found + one.missed else ""
