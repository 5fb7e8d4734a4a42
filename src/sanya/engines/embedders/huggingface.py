"""Models of the Hugging Face hub, or of a folder in its layout, in ONNX form. onnxruntime runs them: torch would take
ten times the space to install.

A server downloads nothing by itself: the owner downloads a model once, and the error message says how.
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
from sanya.engines.embedders.normalization import normalise_rows
from sanya.engines.embedders.onnx_runtime import load_onnxruntime
from sanya.engines.embedders.packages import hash_file, summarise_error
from sanya.kernel.faults import Unavailable
from sanya.retrieval.embedding import Matrix, Model

_WEIGHTS = (
    "onnx/model.onnx",
    "model.onnx",
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
    "model_optimized.onnx",
)
_KNOWN_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
_POOLED_OUTPUT = "sentence_embedding"
_MAX_TOKENS = 512


async def open_huggingface(name: str) -> LocalEmbedder:
    """Open a model. `name` is a folder, or a model in the hub's cache on this machine."""
    if find_spec("onnxruntime") is None or find_spec("huggingface_hub") is None:
        raise Unavailable("the embedder huggingface is not installed; run: pip install 'sanya[huggingface]'")
    encoder = await asyncio.to_thread(lambda: OnnxEncoder(name, _find_folder(name)))
    return LocalEmbedder(encoder.model, lambda: encoder)


def _find_folder(name: str) -> Path:
    if Path(name).expanduser().is_dir():
        return Path(name).expanduser()
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as error:
        raise Unavailable(
            f"the model {name} is neither a folder nor on this machine; run: sanya models install huggingface:{name}"
        ) from error


class OnnxEncoder:
    def __init__(self, name: str, folder: Path) -> None:
        weights = next((folder / path for path in _WEIGHTS if (folder / path).is_file()), None)
        tokens = folder / "tokenizer.json"
        if weights is None or not tokens.is_file():
            raise Unavailable(
                f"the model {name} lacks tokenizer.json or an ONNX file ({', '.join(_WEIGHTS)}); choose another model"
            )
        self._session = _open_session(weights, name)
        self._inputs = {node.name for node in self._session.get_inputs()}
        if not self._inputs <= _KNOWN_INPUTS:
            raise Unavailable(
                f"the model {name} needs {', '.join(self._inputs - _KNOWN_INPUTS)}, so it is no text encoder; "
                "choose another model"
            )
        self._outputs = [node.name for node in self._session.get_outputs()]
        self._pooling = _read_pooling(folder)
        self._tokenizer = _load_tokenizer(tokens, _read_max_tokens(folder))
        self._name = name
        dim = int(self._compute_rows(self.tokenize(["dimension"])).shape[1])
        # The pooling is part of the digest, because it changes the vectors as much as the weights do.
        digest = sha256(f"{hash_file(weights)}\n{hash_file(tokens)}\n{self._pooling}".encode()).hexdigest()
        self.model = Model(name, dim, digest)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids or [0] for encoding in self._tokenizer.encode_batch(list(texts))]

    def encode(self, batch: Sequence[Sequence[int]]) -> Matrix:
        return normalise_rows(self._compute_rows(batch), self._name)

    def _compute_rows(self, batch: Sequence[Sequence[int]]) -> Matrix:
        longest = max(map(len, batch))
        padded = np.array([[*ids, *[0] * (longest - len(ids))] for ids in batch], dtype=np.int64)
        mask = np.array([[1] * len(ids) + [0] * (longest - len(ids)) for ids in batch], dtype=np.int64)
        inputs = {"input_ids": padded, "attention_mask": mask, "token_type_ids": np.zeros_like(padded)}
        output = _POOLED_OUTPUT if _POOLED_OUTPUT in self._outputs else self._outputs[0]
        (result,) = self._session.run([output], {name: inputs[name] for name in self._inputs})
        rows = np.asarray(result, dtype=np.float32)
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


def _open_session(weights: Path, name: str) -> Any:
    onnxruntime = load_onnxruntime()
    options = onnxruntime.SessionOptions()
    # One thread for each batch and one batch for each core is faster than all cores on one product.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # errors from C++ have no other base class
        raise Unavailable(f"the weights of {name} cannot be read; download the model again") from error


def _load_tokenizer(file: Path, max_tokens: int) -> Any:
    try:
        tokenizer: Any = Tokenizer.from_file(str(file))
    except Exception as error:  # errors from Rust have no other base class
        raise Unavailable(f"{file.name} of the embedding model cannot be read; download the model again") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _read_pooling(folder: Path) -> str:
    config = _read(folder / "1_Pooling" / "config.json")
    if config.get("pooling_mode_cls_token"):
        return "cls"
    return "last" if config.get("pooling_mode_lasttoken") else "mean"


def _read_max_tokens(folder: Path) -> int:
    length = _read(folder / "sentence_bert_config.json").get("max_seq_length")
    return min(length, _MAX_TOKENS) if isinstance(length, int) and length > 0 else _MAX_TOKENS


def _read(file: Path) -> dict[str, Any]:
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise Unavailable(f"{file.name} of the embedding model is not JSON; download the model again") from error
    return config if isinstance(config, dict) else {}


def list_cached_models() -> list[tuple[str, int]]:
    """Return the models in the hub's cache on this machine that have an ONNX file, with their size in MB."""
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    try:
        repositories = scan_cache_dir().repos
    except CacheNotFound:
        return []
    return [
        (repository.repo_id, round(repository.size_on_disk / 1e6))
        for repository in sorted(repositories, key=lambda repository: repository.repo_id)
        if any(file.file_name.endswith(".onnx") for revision in repository.revisions for file in revision.files)
    ]


def fetch_huggingface(name: str, patterns: Sequence[str]) -> None:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        snapshot_download(name, allow_patterns=list(patterns))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise Unavailable(f"the model {name} could not be downloaded: {summarise_error(error)}") from error
