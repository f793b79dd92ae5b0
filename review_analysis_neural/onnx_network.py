"""Compute the layers of the network by onnxruntime, in integers (extra `onnx`).

With 7-bit weights, sums of products fit 16 bits, so all processors give the same results.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from review_analysis_neural.transformer import EPSILON, HEADS, Layer
from review_analysis_neural.weights import FloatArray, quantised

_CONTRIBUTED = "com.microsoft"  # Domain of onnxruntime's own operators.
_OPERATORS = (("", 20), (_CONTRIBUTED, 1))


def encoder(layers: Sequence[Layer]) -> Callable[[FloatArray], FloatArray]:
    """Compile these layers into a function of a sentence's vectors."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        _Graph(layers).content(), options, providers=["CPUExecutionProvider"]
    )

    def encode(x: FloatArray) -> FloatArray:
        found: FloatArray = session.run(None, {"x": x[None]})[0][0]
        return found

    return encode


class _Graph:
    """Builder of an ONNX model. Each method adds nodes and returns the name of their result."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = layers
        self._width = layers[0]["out"].shape[0]
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def content(self) -> bytes:
        split = [0, 0, HEADS, self._width // HEADS]
        self._split = self._constant(np.array(split, np.int64))
        self._joined = self._constant(np.array([0, 0, self._width], np.int64))
        self._scale = self._constant(np.float32((self._width // HEADS) ** -0.5))
        x = "x"
        for layer in self._layers:
            x = self._layer(layer, x)
        shape = [1, "tokens", self._width]
        graph = helper.make_graph(
            self._nodes,
            "encoder",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info(x, TensorProto.FLOAT, shape)],
            self._constants,
        )
        operators = [helper.make_opsetid(*each) for each in _OPERATORS]
        content: bytes = helper.make_model(
            graph, opset_imports=operators, ir_version=10
        ).SerializeToString()
        return content

    def _layer(self, layer: Layer, x: str) -> str:
        projected = self._matrix(x, layer["attention"], layer["attention_bias"])
        query, key, value = self._add("Split", projected, results=3, axis=-1, num_outputs=3)
        attended = self._attend(
            self._head(query, [0, 2, 1, 3]),
            self._head(key, [0, 2, 3, 1]),
            self._head(value, [0, 2, 1, 3]),
        )
        attended = self._matrix(attended, layer["out"], layer["out_bias"])
        [x] = self._add("Add", x, attended)
        x = self._norm(x, layer["out_norm"])
        inner = self._matrix(x, layer["up"], layer["up_bias"])
        [inner] = self._add("FastGelu", inner, domain=_CONTRIBUTED)
        inner = self._matrix(inner, layer["down"], layer["down_bias"])
        [x] = self._add("Add", x, inner)
        return self._norm(x, layer["down_norm"])

    def _head(self, x: str, order: list[int]) -> str:
        [x] = self._add("Reshape", x, self._split)
        [x] = self._add("Transpose", x, perm=order)
        return x

    def _attend(self, query: str, key: str, value: str) -> str:
        [weights] = self._add("MatMul", query, key)
        [weights] = self._add("Mul", weights, self._scale)
        [weights] = self._add("Softmax", weights, axis=-1)
        [attended] = self._add("MatMul", weights, value)
        [attended] = self._add("Transpose", attended, perm=[0, 2, 1, 3])
        [attended] = self._add("Reshape", attended, self._joined)
        return attended

    def _matrix(self, x: str, matrix: FloatArray, bias: FloatArray) -> str:
        numbers, scales = map(self._constant, quantised(matrix))
        given = (x, numbers, scales, "", self._constant(bias))
        [x] = self._add("DynamicQuantizeMatMul", *given, domain=_CONTRIBUTED)
        return x

    def _norm(self, x: str, scale_and_shift: FloatArray) -> str:
        scale, shift = map(self._constant, scale_and_shift)
        [x] = self._add("LayerNormalization", x, scale, shift, axis=-1, epsilon=EPSILON)
        return x

    def _constant(self, array: Any) -> str:
        name = f"constant{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def _add(self, kind: str, *given: str, results: int = 1, **attributes: Any) -> list[str]:
        names = [f"{kind}{len(self._nodes)}.{number}" for number in range(results)]
        self._nodes.append(helper.make_node(kind, given, names, **attributes))
        return names
