"""Train the analyser's weights and write them to its package: `make train-insights DATA=folder`."""

import argparse
import json
import sys
from pathlib import Path

from tools.analyser.training import datasets
from tools.analyser.training.learn import Tables, learn

WEIGHTS = Path(__file__).parents[3] / "review_analysis" / "weights.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the labelled texts are")
    parser.add_argument("--sentences", type=Path, default=datasets.OUR_SENTENCES, help="our own")
    parser.add_argument("--output", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    tables = learn(datasets.load(arguments.folder, ours=arguments.sentences))
    arguments.output.write_text(serialised(tables), "utf-8")
    of_targets = sum(map(len, tables["target"].values()))
    sizes = f"{len(tables['sentence']):,} sentence features, {of_targets:,} target features"
    sys.stdout.write(f"{arguments.output}: {sizes}\n")


def serialised(tables: Tables) -> str:
    """Serialise canonically: sorted and without white space."""
    return json.dumps(tables, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


if __name__ == "__main__":
    main()
