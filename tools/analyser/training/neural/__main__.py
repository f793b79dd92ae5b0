"""Train the neural network: `make train-neural DATA=folder`, or this module with JAX.

Training starts from the open weights of an installed package (`open_weights.txt`).
"""

import argparse
import os
import sys
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.analyser.training.neural", description=__doc__
    )
    parser.add_argument("output", type=Path, help="the file of weights to be written")
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        help="where the labelled texts are; without it our own sentences alone are learnt",
    )
    given = parser.parse_args()
    # One thread, for reproducible sums: XLA splits them among all processors, or `NPROC`.
    os.environ |= {
        "JAX_PLATFORMS": "cpu",
        "NPROC": "1",
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    }
    train(given.folder, given.output)


def train(folder: Path | None, output: Path) -> None:
    """Train on the project's own sentences and a folder's texts, and write the weights."""
    from review_analysis_neural import weights  # noqa: PLC0415  (JAX reads the environment first)
    from review_analysis_neural.tokenizer import Tokenizer  # noqa: PLC0415
    from tools.analyser.training import datasets  # noqa: PLC0415
    from tools.analyser.training.neural import open_weights  # noqa: PLC0415
    from tools.analyser.training.neural.batches import encode_texts  # noqa: PLC0415
    from tools.analyser.training.neural.fit import fit  # noqa: PLC0415

    start = open_weights.load(open_weights.folder())
    texts = encode_texts(datasets.load(folder), Tokenizer(start.vocabulary))
    network = fit(texts, start, _print)
    sha256 = weights.write(output, start.vocabulary, network)
    _print(f"INSIGHTS_NEURAL_WEIGHTS={output.resolve()}")
    _print(f"INSIGHTS_NEURAL_SHA256={sha256}")


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
