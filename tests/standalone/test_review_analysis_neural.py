"""A script that reads with a neural network, with the two libraries and nothing else of ours."""

import json

import pytest

from tests.review_analysis_neural.networks import judging_network, write

pytestmark = pytest.mark.standalone

SCRIPT = """
import json
from pathlib import Path
from review_analysis import Analyser
from review_analysis_neural import NeuralModel

model = NeuralModel.load(Path("weights.npz"))
taxonomy = {"aspects": [{"id": "price", "label": "Price", "terms": ["price"]}]}
readings = [Analyser(taxonomy, (), each).read("An awful price.") for each in (None, model)]
print(json.dumps([model.name, *(reading.score for reading in readings)]))
"""


def test_script_reads_with_a_network(installed):
    project = installed("review_analysis_neural", with_ours=("review_analysis",))
    sha256 = write(project.folder / "weights.npz", judging_network())
    project.write("read.py", SCRIPT)

    name, by_rules, by_both = json.loads(project.run("read.py"))

    assert name == f"minilm:{sha256[:8]}"
    assert by_both < by_rules < 0
