"""Evaluate the analyser on labelled reviews of the project, or on datasets of a folder.

`python -m tools.analyser.evaluation [FOLDER]`.

These formats are recognised by content: XML of SemEval-2014 task 4, SemEval-2016 task 5 and MAMS,
ROAST, TSA-MD, tab-separated texts with 0 or 1 or a mean rating, reviews as JSON lines, and files of
`tools.demo_reviews --truth`.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from review_analysis_neural import NeuralModel
from tools.analyser.evaluation.baselines import CachingModel, vader
from tools.analyser.evaluation.readers import TRAINED_ON, read_folder
from tools.analyser.evaluation.report import report, report_of_labelled


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.analyser.evaluation", description=__doc__
    )
    parser.add_argument("folder", type=Path, nargs="?", help="where more labelled sets lie")
    parser.add_argument(
        "--all", action="store_true", help="also the sets that the weights were trained on"
    )
    parser.add_argument(
        "--weights", type=Path, help="of the neural network, which is measured with the rules then"
    )
    given = parser.parse_args()
    network = CachingModel(NeuralModel.load(given.weights)) if given.weights else None
    if given.folder is None:
        _print(report_of_labelled(network))
        return
    if not given.folder.is_dir():
        parser.error(f"{given.folder} is not a folder.")
    sets = list(read_folder(given.folder))
    if not sets:
        parser.error(f"{given.folder} holds no labelled set in a format that is known.")
    if not given.all:
        known = [labelled.name for labelled in sets if labelled.note == TRAINED_ON]
        sets = [labelled for labelled in sets if labelled.note != TRAINED_ON]
        if known:
            names = ", ".join(known)
            sys.stdout.write(f"Left out, as the weights were trained on them: {names}.\n\n")
    _print(report(sets, vader(), network))


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
