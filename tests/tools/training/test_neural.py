"""Encoded texts of the neural network: tokens of targets, and batches."""

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
from tools.analyser.training.neural import batches

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


def test_encoded_text_has_targets_and_label():
    named, whole = batches.encode_texts(examples(), TOKENIZER)

    assert named.targets == [(2, 3, POSITIVE, 1.0), (7, 8, NEGATIVE, 0.5)]
    assert named.weight == 0
    assert (whole.targets, whole.label) == ([], POSITIVE)
    assert whole.weight > 0


def test_batch_pools_targets_and_whole_texts():
    texts = batches.encode_texts(examples(), TOKENIZER)

    [numbers] = batches.group_by_length(texts)
    one = batches.make_batch(texts, numbers)

    assert numbers == [0, 1]
    assert one.ids[0, :3].tolist() == [VOCABULARY.index(p) for p in ("[CLS]", "the", "price")]
    assert one.pools[0, 0].nonzero()[0].tolist() == [2]
    assert one.pools[1, batches.TARGETS, :5].tolist() == pytest.approx([0.25] * 4 + [0])
    assert one.mask[1, 0, 0, :5].tolist() == pytest.approx([0, 0, 0, 0, -1e4])
    assert one.labels[:2, [0, 1, -1]].tolist() == [[POSITIVE, NEGATIVE, 0], [0, 0, POSITIVE]]
    assert one.weights[2:].sum() == 0
