"""Models of the Hugging Face hub, or a folder laid out as one, in their ONNX form. onnxruntime alone runs them: torch
would be ten times as much to install.

A server fetches nothing by itself: the owner downloads a model once, and the message says how.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from sanya.engines.embedders.local import LocalEmbedder
from sanya.engines.embedders.normalization import normalised
from sanya.engines.embedders.onnx_runtime import onnx_runtime
from sanya.engines.embedders.packages import file_digest
from sanya.kernel.faults import Unavailable
from sanya.retrieval.embedding import Matrix, Model

_WEIGHTS = (
    "onnx/model.onnx",
    "model.onnx",
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
    "model_optimized.onnx",
)
_GIVEN = {"input_ids", "attention_mask", "token_type_ids"}
_POOLED = "sentence_embedding"
_MOST_TOKENS = 512


async def open_huggingface(name: str) -> LocalEmbedder:
    """`name` is a folder, or that of a model in the hub's cache on this machine."""
    if find_spec("onnxruntime") is None or find_spec("huggingface_hub") is None:
        raise Unavailable("the embedder huggingface is not installed; run: pip install 'sanya[huggingface]'")
    encoder = await asyncio.to_thread(lambda: OnnxEncoder(name, _folder(name)))
    return LocalEmbedder(encoder.model, lambda: encoder)


def _folder(name: str) -> Path:
    if Path(name).expanduser().is_dir():
        return Path(name).expanduser()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as error:
        raise Unavailable(
            f"the model {name} is neither a folder nor on this machine; run: hf download {name}"
        ) from error


class OnnxEncoder:
    def __init__(self, name: str, folder: Path) -> None:
        weights = next((folder / one for one in _WEIGHTS if (folder / one).is_file()), None)
        tokens = folder / "tokenizer.json"
        if weights is None or not tokens.is_file():
            raise Unavailable(f"the model {name} has no tokenizer.json or no ONNX form ({', '.join(_WEIGHTS)})")
        self._session = _session(weights, name)
        self._inputs = {one.name for one in self._session.get_inputs()}
        if not self._inputs <= _GIVEN:
            raise Unavailable(
                f"the model {name} asks for {', '.join(self._inputs - _GIVEN)}, which no text encoder needs"
            )
        self._outputs = [one.name for one in self._session.get_outputs()]
        self._pooling = _pooling(folder)
        self._tokenizer = _tokenizer(tokens, _most_tokens(folder))
        self._name = name
        dim = int(self._rows(self.tokenize(["dimension"])).shape[1])
        # The pooling makes the vector as much as the weights do.
        digest = sha256(f"{file_digest(weights)}\n{file_digest(tokens)}\n{self._pooling}".encode()).hexdigest()
        self.model = Model(name, dim, digest)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids or [0] for encoding in self._tokenizer.encode_batch(list(texts))]

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        return normalised(self._rows(batch), self._name)

    def _rows(self, batch: Sequence[Sequence[int]]) -> Matrix:
        longest = max(map(len, batch))
        ids = np.array([[*one, *[0] * (longest - len(one))] for one in batch], dtype=np.int64)
        mask = np.array([[1] * len(one) + [0] * (longest - len(one)) for one in batch], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        chosen = _POOLED if _POOLED in self._outputs else self._outputs[0]
        (found,) = self._session.run([chosen], {name: given[name] for name in self._inputs})
        rows = np.asarray(found, dtype=np.float32)
        return rows if rows.ndim == 2 else self._pool(rows, mask)

    def _pool(self, states: Matrix, mask: np.ndarray[Any, np.dtype[np.int64]]) -> Matrix:
        if self._pooling == "cls":
            return states[:, 0]
        if self._pooling == "last":
            last: Matrix = states[np.arange(len(states)), mask.sum(axis=1) - 1]
            return last
        weights = mask[:, :, None].astype(np.float32)
        pooled: Matrix = (states * weights).sum(axis=1) / weights.sum(axis=1)
        return pooled


def _session(weights: Path, name: str) -> Any:
    onnxruntime = onnx_runtime()
    options = onnxruntime.SessionOptions()
    # One thread a batch and a batch a core, rather than all cores on one product after another.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors are made in C++ and share no class but this
        raise Unavailable(f"the weights of {name} cannot be read; download the model again") from error


def _tokenizer(file: Path, most: int) -> Any:
    try:
        tokenizer: Any = Tokenizer.from_file(str(file))
    except Exception as error:  # its errors are made in Rust and share no class but this
        raise Unavailable(f"{file.name} of the embedding model cannot be read; download the model again") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(most)
    return tokenizer


def _pooling(folder: Path) -> str:
    said = _read(folder / "1_Pooling" / "config.json")
    if said.get("pooling_mode_cls_token"):
        return "cls"
    return "last" if said.get("pooling_mode_lasttoken") else "mean"


def _most_tokens(folder: Path) -> int:
    said = _read(folder / "sentence_bert_config.json").get("max_seq_length")
    return min(said, _MOST_TOKENS) if isinstance(said, int) and said > 0 else _MOST_TOKENS


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise Unavailable(f"{file.name} of the embedding model is not JSON; download the model again") from error
    return found if isinstance(found, dict) else {}
