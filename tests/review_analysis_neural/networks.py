"""Small networks for tests: one with random weights, one that knows a few words."""

import numpy as np

from review_analysis_neural import weights
from review_analysis_neural.tokenizer import MAX_TOKENS

VOCABULARY = (
    "[PAD] [UNK] [CLS] [SEP] the a was and price staff great awful late ##ly ##r , . ' s cafe leak"
).split()
WIDTH, INNER = 24, 8
GOOD, BAD = 0, 1  # Dimensions of the words with polarity.


def random_network(layers=2):
    """Draw weights with a seed."""
    random = np.random.default_rng(3)

    def draw(*shape):
        return random.normal(0, 0.5, shape).astype(np.float32)

    return {
        "words": draw(len(VOCABULARY), WIDTH),
        "positions": draw(MAX_TOKENS, WIDTH),
        "norm": draw(2, WIDTH),
        "layers": [_layer(draw) for _ in range(layers)],
        "heads": _heads(draw),
    }


def judging_network():
    """Return a network that knows praise and blame by three words."""
    nothing = random_network(layers=0)
    words = np.zeros((len(VOCABULARY), WIDTH), np.float32)
    for word, side in (("great", GOOD), ("awful", BAD), ("leak", BAD)):
        words[VOCABULARY.index(word), side] = 1
    norm = np.stack([np.ones(WIDTH), np.zeros(WIDTH)]).astype(np.float32)
    judge = np.zeros((WIDTH, 3), np.float32)
    judge[GOOD], judge[BAD] = (-4, 0, 4), (4, 0, -4)
    heads = {"target": judge, "sentence": 3 * judge}
    return {
        **nothing,
        "words": words,
        "positions": np.zeros((MAX_TOKENS, WIDTH), np.float32),
        "norm": norm,
        "heads": heads | {f"{name}_bias": np.zeros(3, np.float32) for name in heads},
    }


def write(path, network):
    """Write the network and return the SHA-256 of its file."""
    return weights.write(path, VOCABULARY, network)


def _layer(draw):
    layer = {
        "attention": draw(WIDTH, 3 * WIDTH),
        "out": draw(WIDTH, WIDTH),
        "up": draw(WIDTH, INNER),
        "down": draw(INNER, WIDTH),
    }
    biases = {f"{name}_bias": draw(matrix.shape[1]) for name, matrix in layer.items()}
    return layer | biases | {"out_norm": draw(2, WIDTH), "down_norm": draw(2, WIDTH)}


def _heads(draw):
    return {
        "target": draw(WIDTH, 3),
        "target_bias": draw(3),
        "sentence": draw(WIDTH, 3),
        "sentence_bias": draw(3),
    }
