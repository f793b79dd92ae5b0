"""A script that analyses with a neural network, with the two libraries alone."""

import json

import pytest

pytestmark = pytest.mark.standalone

SCRIPT = """
import json
from review_analysis import Analyser
from review_analysis_neural import NeuralModel

model = NeuralModel.load()
taxonomy = {"aspects": [{"id": "price", "label": "Price", "terms": ["price"]}]}
readings = [Analyser(taxonomy, (), each).read("An awful price.") for each in (None, model)]
print(json.dumps([model.name, *(reading.score for reading in readings)]))
"""


@pytest.mark.parametrize("extra", [(), ("onnx", "onnxruntime")])
def test_script_uses_weights_of_package(installed, extra):
    project = installed("review_analysis_neural", *extra, with_ours=("review_analysis",))
    project.write("read.py", SCRIPT)

    name, by_rules, by_both = json.loads(project.run("read.py"))

    assert name.startswith("minilm")
    assert by_both < by_rules < 0
