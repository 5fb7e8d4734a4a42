"""A model small enough for a test: an ONNX file that looks up a row for each token, and its tokenizer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

WORDS = ("[UNK]", "[PAD]", "[CLS]", "[SEP]", "heart", "attack", "rice", "หัวใจ")
DIM = 6


def make_table() -> np.ndarray:
    rows = np.random.default_rng(3).standard_normal((len(WORDS), DIM)).astype(np.float32)
    rows[WORDS.index("หัวใจ")] = rows[WORDS.index("heart")]
    return rows


def write_weights(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])
    mask = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"])
    states = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", DIM])
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "tiny",
        [ids, mask],
        [states],
        [numpy_helper.from_array(make_table(), "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(file))


def write_tokens(folder: Path) -> None:
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 1}))
    tokens = {"pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "unk_token": "[UNK]"}
    (folder / "special_tokens_map.json").write_text(json.dumps(tokens))
    (folder / "tokenizer_config.json").write_text(json.dumps({**tokens, "model_max_length": 64}))


def write_model(folder: Path, weights: str = "onnx/model.onnx") -> Path:
    write_weights(folder / weights)
    write_tokens(folder)
    return folder
