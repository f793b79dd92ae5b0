"""The network's logits, its file, and its contribution beside the rules."""

import numpy as np
import pytest

from review_analysis import Analyser
from review_analysis_neural import NeuralModel, WeightsRefused, model
from tests.review_analysis_neural.networks import judging_network, random_network, write

TAXONOMY = {
    "aspects": [{"id": "price", "label": "Price", "terms": ["price", "awful price", "great price"]}]
}


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Write a network and load it as a model, by NumPy unless onnxruntime is chosen."""

    def make(network, *, by_onnx=False):
        monkeypatch.setattr(model, "find_spec", lambda name: by_onnx or None)
        write(tmp_path / "weights.npz", network)
        return NeuralModel.load(tmp_path / "weights.npz")

    return make


# --- The network, computed number by number ------------------------------------------------------


def test_onnxruntime_gives_nearly_equal_logits(made):
    texts = ["The price was lately", "Great staff, awful cafe.", "The leak was late and great."]
    by_numpy, by_onnx = made(random_network()), made(random_network(), by_onnx=True)

    both = [(by_numpy.read([text])[0], by_onnx.read([text])[0]) for text in texts]

    assert by_onnx.name == by_numpy.name.replace("minilm", "minilm-int8")
    assert [one.whole for one, _ in both] != [other.whole for _, other in both]
    for one, other in both:
        assert other.whole == pytest.approx(one.whole, abs=0.25)
        assert other.of_span(4, 9) == pytest.approx(one.of_span(4, 9), abs=0.5)


def test_logits_are_rounded_and_do_not_depend_on_other_sentences(made):
    read = made(random_network())
    alone = read.read(["The staff was late."])[0]

    _, among, _ = read.read(["Great price.", "The staff was late.", "Awful."])

    assert among.whole == alone.whole == tuple(round(value, 2) for value in alone.whole)
    assert among.of_span(4, 9) == alone.of_span(4, 9)


def test_tokens_of_a_review_are_bounded(made, monkeypatch):
    monkeypatch.setattr(model, "MAX_TOKENS", 10)

    first, second, third = made(random_network()).read(["great great great", "great " * 9, "great"])

    assert first is not None
    assert (second, third) == (None, None)


def test_target_beyond_tokens_is_left_to_rules(made):
    [sentence] = made(random_network()).read(["great " * 200 + "price"])

    assert sentence.of_span(0, 5) is not None
    assert sentence.of_span(1200, 1205) is None


# --- File ----------------------------------------------------------------------------------------


def test_same_weights_give_same_file_and_name(tmp_path):
    one, other = tmp_path / "one.npz", tmp_path / "other.npz"
    sha256 = write(one, random_network())

    assert write(other, random_network()) == sha256
    assert one.read_bytes() == other.read_bytes()
    assert NeuralModel.load(one, sha256.upper()).name.endswith(f":{sha256[:8]}")


def test_file_with_other_hash_is_refused(tmp_path):
    path = tmp_path / "weights.npz"
    sha256 = write(path, random_network())

    with pytest.raises(WeightsRefused, match=rf"^has the SHA-256 {sha256}, not 0000$"):
        NeuralModel.load(path, "0000")


@pytest.mark.parametrize("part", [0.0, 0.5, 0.99])
def test_truncated_file_is_refused(tmp_path, part):
    path = tmp_path / "weights.npz"
    write(path, random_network())
    content = path.read_bytes()
    path.write_bytes(content[: int(part * len(content))])

    with pytest.raises(WeightsRefused, match=r"^is no archive of NumPy, or cut off$"):
        NeuralModel.load(path)


def test_altered_file_is_refused(tmp_path):
    path = tmp_path / "weights.npz"
    write(path, random_network())
    content = path.read_bytes()
    middle = content.index(b"1.down.npy") + 200

    for changed in (
        content.replace(b"1.up.npy", b"1.pu.npy"),
        content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
    ):
        path.write_bytes(changed)
        with pytest.raises(WeightsRefused, match=r"^holds no weights of this analyser"):
            NeuralModel.load(path)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("words", lambda network: {"words": network["words"][:-1]}),
        ("norm", lambda network: {"norm": network["norm"][:1]}),
        ("down", lambda network: {"layers": [{**network["layers"][0], "down": np.ones((2, 3))}]}),
    ],
)
def test_weights_of_other_shape_are_refused(tmp_path, name, change):
    network = random_network()
    write(tmp_path / "weights.npz", network | change(network))

    with pytest.raises(WeightsRefused, match=f"{name}"):
        NeuralModel.load(tmp_path / "weights.npz")


# --- Beside the rules ----------------------------------------------------------------------------


def test_network_contributes_to_polarity(made):
    rules, both = Analyser(TAXONOMY), Analyser(TAXONOMY, (), made(judging_network()))
    text = "It was an awful price."

    [blamed], [more_blamed] = rules.read(text).aspects, both.read(text).aspects

    assert (blamed.label, more_blamed.label) == ("negative", "negative")
    assert more_blamed.score != blamed.score
    assert both.read(text).score < rules.read(text).score


def test_reasons_name_result_of_network(made):
    both = Analyser(TAXONOMY, (), made(judging_network()))

    [aspect] = both.read("A great price.", 5).aspects

    assert aspect.mentions[0].because[-2:] == ("second model positive", "stars 5")


def test_offsets_are_of_given_text(made):
    both = Analyser(TAXONOMY, (), made(judging_network()))
    text = "“Nai\u0308ve” crew.  A great price."

    [aspect] = both.read(text).aspects

    [mention] = aspect.mentions
    assert text[mention.start : mention.end] == "great price"
    assert mention.because[-1] == "second model positive"
