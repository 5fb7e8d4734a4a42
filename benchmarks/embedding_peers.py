"""Peers of the embedding benchmark: the same granite weights as a graph of onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from sanya.retrieval.embedding import Matrix

BATCH_TOKENS = 4096


class OnnxGranite:
    """Granite on onnxruntime with the given weights: padded batches of texts of similar length, on so many threads."""

    def __init__(self, weights: dict[str, Matrix], shape: Any, threads: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._offset = shape.position_offset
        self._session = onnxruntime.InferenceSession(_build_graph(weights, shape), options, ["CPUExecutionProvider"])

    def embed(self, ids: Sequence[Sequence[int]]) -> Matrix:
        rows = np.empty((len(ids), 384), np.float32)
        for batch in _group_by_length(ids):
            rows[batch] = self._encode([ids[text] for text in batch])
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    def _encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        longest = max(map(len, batch))
        tokens = np.array([[*ids, *[0] * (longest - len(ids))] for ids in batch], np.int64)
        lacking = np.array([[0.0] * len(ids) + [-1e9] * (longest - len(ids)) for ids in batch], np.float32)
        positions = np.arange(longest, dtype=np.int64) + self._offset
        feed = {"tokens": tokens, "positions": positions, "mask": lacking[:, None, None, :]}
        found: Matrix = self._session.run(None, feed)[0]
        return found


def _group_by_length(ids: Sequence[Sequence[int]]) -> list[list[int]]:
    batches: list[list[int]] = []
    longest = 0
    for text in sorted(range(len(ids)), key=lambda text: -len(ids[text])):
        if not batches or (len(batches[-1]) + 1) * longest > BATCH_TOKENS:
            batches.append([])
            longest = len(ids[text])
        batches[-1].append(text)
    return batches


def _build_graph(weights: dict[str, Matrix], shape: Any) -> bytes:
    nodes: list[Any] = []
    constants = {name: numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in weights.items()}

    def add(op: str, inputs: Sequence[str], **attributes: Any) -> str:
        name = f"n{len(nodes)}"
        nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def store_constant(name: str, value: Any) -> str:
        constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def normalise(rows: str, name: str) -> str:
        return add("LayerNormalization", [rows, f"{name}.w", f"{name}.b"], axis=-1, epsilon=shape.epsilon)

    def apply(rows: str, name: str) -> str:
        return add("Add", [add("MatMul", [rows, f"{name}.w"]), f"{name}.b"])

    width = weights["emb_ln.w"].shape[0]
    size = width // shape.heads
    parted = store_constant("parted", np.array([0, 0, 3, shape.heads, size], np.int64))
    joined = store_constant("joined", np.array([0, 0, width], np.int64))
    scale = store_constant("scale", np.float32(1 / np.sqrt(size)))
    numbers = [store_constant(f"at{number}", np.int64(number)) for number in range(3)]
    rows = add("Add", [add("Gather", ["word_emb", "tokens"]), add("Gather", ["pos_emb", "positions"])])
    rows = normalise(add("Add", [rows, add("Gather", ["type_emb", numbers[0]])]), "emb_ln")
    for layer in range(shape.layers):
        name = f"l{layer}"
        mixed = add("Transpose", [add("Reshape", [apply(rows, f"{name}.qkv"), parted])], perm=[2, 0, 3, 1, 4])
        query, key, value = (add("Gather", [mixed, number], axis=0) for number in numbers)
        scores = add("MatMul", [add("Mul", [query, scale]), add("Transpose", [key], perm=[0, 1, 3, 2])])
        attention = add("Softmax", [add("Add", [scores, "mask"])], axis=-1)
        attended = add("Transpose", [add("MatMul", [attention, value])], perm=[0, 2, 1, 3])
        out = apply(add("Reshape", [attended, joined]), f"{name}.ao")
        rows = normalise(add("Add", [out, rows]), f"{name}.aln")
        wide = add("Gelu", [apply(rows, f"{name}.f1")], approximate="tanh")
        rows = normalise(add("Add", [apply(wide, f"{name}.f2"), rows]), f"{name}.fln")
    first = add("Gather", [rows, numbers[0]], axis=1)
    graph = helper.make_graph(
        nodes,
        "granite",
        [
            helper.make_tensor_value_info("tokens", TensorProto.INT64, ["b", "l"]),
            helper.make_tensor_value_info("positions", TensorProto.INT64, ["l"]),
            helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["b", 1, 1, "l"]),
        ],
        [helper.make_tensor_value_info(first, TensorProto.FLOAT, ["b", width])],
        list(constants.values()),
    )
    content: bytes = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10
    ).SerializeToString()
    return content
