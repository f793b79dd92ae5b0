"""Read and write the file of weights, a NumPy archive (`.npz`) without pickled objects.

Matrices have 7 bits and a scale per column, or per word for the vectors of words. Vectors (norms,
biases, positions) and the classifiers have 32 bits. The same weights give the same bytes.
"""

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from review_analysis_neural.tokenizer import MAX_TOKENS
from review_analysis_neural.transformer import HEADS, Heads, Layer, Network

LARGEST = 63  # Of a signed 7-bit integer.
CLASSES = 3  # Negative, neutral, positive.
MAX_BYTES = 200_000_000
_MATRICES = ("attention", "out", "up", "down")

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
Arrays = dict[str, np.ndarray[tuple[int, ...], np.dtype[Any]]]


class WeightsRefused(Exception):
    """The file cannot be used; the message says why."""


class Words(NamedTuple):
    """Quantised vectors of the vocabulary."""

    numbers: np.ndarray[tuple[int, ...], np.dtype[np.int8]]
    scales: FloatArray

    def __getitem__(self, ids: list[int]) -> FloatArray:  # type: ignore[override]
        return self.numbers[ids] * self.scales[ids, None]


class Weights(NamedTuple):
    """Content of a file of weights."""

    sha256: str
    vocabulary: list[str]
    words: Words
    network: Network


def read(path: Path, sha256: str = "") -> Weights:
    """Read a file and check its SHA-256 if one is given. Raises `WeightsRefused`."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise WeightsRefused(f"is larger than {MAX_BYTES:,} bytes")
        content = path.read_bytes()
    except OSError as error:
        raise WeightsRefused(f"cannot be read ({error.strerror})") from error
    found = hashlib.sha256(content).hexdigest()
    if sha256 and found != sha256.lower():
        raise WeightsRefused(f"has the SHA-256 {found}, not {sha256}")
    if not zipfile.is_zipfile(io.BytesIO(content)):
        raise WeightsRefused("is no archive of NumPy, or cut off")
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return _parsed(found, {name: archive[name] for name in archive.files})
    except (KeyError, ValueError, IndexError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise WeightsRefused(f"holds no weights of this analyser ({error})") from error


def _parsed(sha256: str, arrays: Arrays) -> Weights:
    words = Words(arrays["words"], arrays["words.scales"])
    vocabulary = arrays["vocabulary"].tobytes().decode().split("\n")
    width = words.numbers.shape[1]
    network: Network = {
        "positions": arrays["positions"],
        "norm": arrays["norm"],
        "layers": [_layer(arrays, number, width) for number in _layers(arrays)],
        "heads": cast("Heads", {name: arrays[name] for name in Heads.__annotations__}),
    }
    _require("words", words.scales.shape == (len(vocabulary),) and width % HEADS == 0)
    _require("words", words.numbers.shape[0] == len(vocabulary))
    _require("positions", network["positions"].shape == (MAX_TOKENS, width))
    _require("norm", network["norm"].shape == (2, width))
    for name in ("target", "sentence"):
        _require(name, arrays[name].shape == (width, CLASSES))
        _require(name, arrays[f"{name}_bias"].shape == (CLASSES,))
    return Weights(sha256, vocabulary, words, network)


def _layers(arrays: Mapping[str, object]) -> Iterator[int]:
    number = 0
    while f"{number}.out" in arrays:
        yield number
        number += 1


def _layer(arrays: Arrays, number: int, width: int) -> Layer:
    found = {}
    inner = arrays[f"{number}.up"].shape[1]
    shapes = {
        "attention": (width, 3 * width),
        "out": (width, width),
        "up": (width, inner),
        "down": (inner, width),
    }
    for name in Layer.__annotations__:
        array = arrays[f"{number}.{name}"]
        part, _, kind = name.partition("_")
        columns = shapes[part][1]
        if not kind:
            _require(name, array.shape == shapes[part])
            array = array * arrays[f"{number}.{name}.scales"]
        _require(name, array.shape[-1] == columns and array.dtype == np.float32)
        found[name] = array
    return cast("Layer", found)


def _require(name: str, is_right: bool) -> None:  # noqa: FBT001
    if not is_right:
        raise ValueError(f"{name} has another shape")


# --- Writing --------------------------------------------------------------------------------------


def write(path: Path, vocabulary: Sequence[str], network: Network) -> str:
    """Quantise and store weights, and return the SHA-256 of the file."""
    words, scales = quantised(network["words"].T)
    arrays: Arrays = {
        "vocabulary": np.frombuffer("\n".join(vocabulary).encode(), np.uint8),
        "words": np.ascontiguousarray(words.T),
        "words.scales": scales,
        "positions": _float(network["positions"][:MAX_TOKENS]),
        "norm": _float(network["norm"]),
    }
    for number, layer in enumerate(network["layers"]):
        for name, array in cast("Mapping[str, FloatArray]", layer).items():
            if name in _MATRICES:
                numbers, scales = quantised(array)
                arrays |= {f"{number}.{name}": numbers, f"{number}.{name}.scales": scales}
            else:
                arrays[f"{number}.{name}"] = _float(array)
    for name, array in cast("Mapping[str, FloatArray]", network["heads"]).items():
        arrays[name] = _float(array)
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **arrays)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def quantised(matrix: FloatArray) -> tuple[np.ndarray[Any, np.dtype[np.int8]], FloatArray]:
    """Quantise a matrix to 7-bit integers, with a scale for each column."""
    scales = np.maximum(np.abs(matrix).max(axis=0), 1e-9) / LARGEST
    return np.rint(matrix / scales).astype(np.int8), _float(scales)


def _float(array: Any) -> FloatArray:
    return np.asarray(array, np.float32)
