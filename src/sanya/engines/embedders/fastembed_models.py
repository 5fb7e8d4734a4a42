"""Models that the library fastembed knows by name, from its cache on this machine.

A server downloads nothing by itself: the owner downloads a model once, and the error message says how.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sanya.engines.embedders.batch_runner import BatchEmbedder
from sanya.engines.embedders.normalization import normalise_rows
from sanya.engines.embedders.onnx_runtime import load_onnxruntime
from sanya.engines.embedders.packages import hash_file, summarise_error
from sanya.kernel.faults import InvalidArgument, Unavailable
from sanya.retrieval.embedding import Matrix, Model

if TYPE_CHECKING:
    from fastembed import TextEmbedding


async def open_fastembed(name: str, cache: Path) -> BatchEmbedder:
    if find_spec("fastembed") is None:
        raise Unavailable("the embedder fastembed is not installed; run: pip install 'sanya[fastembed]'")
    return await asyncio.to_thread(_open_model, name, cache)


def _open_model(name: str, cache: Path) -> BatchEmbedder:
    load_onnxruntime()
    from fastembed import TextEmbedding

    known = {str(description["model"]).lower(): description for description in TextEmbedding.list_supported_models()}
    if name.lower() not in known:
        raise InvalidArgument(
            f"fastembed does not know the model {name!r}; TextEmbedding.list_supported_models() lists the known ones"
        )
    try:
        # One thread for each batch and one batch for each core; no accelerator is guessed.
        embedding = TextEmbedding(name, str(cache), threads=1, cuda=False, local_files_only=True)
    except (ValueError, OSError, RuntimeError) as error:
        command = f"sanya models install fastembed:{name}"
        raise Unavailable(f"the model {name} is not on this machine; run: {command}") from error
    encode = _build_encoder(embedding, name)
    dim = int(encode(["dimension"]).shape[1])
    file = _find_weights(known[name.lower()], cache)
    digest = hash_file(file) if file else sha256(f"fastembed\n{name}\n{dim}".encode()).hexdigest()
    return BatchEmbedder(Model(name, dim, digest), encode)


def _build_encoder(embedding: TextEmbedding, name: str) -> Callable[[Sequence[str]], Matrix]:
    def encode(texts: Sequence[str]) -> Matrix:
        rows = list(embedding.embed(list(texts), batch_size=len(texts)))
        return normalise_rows(np.array(rows, dtype=np.float32), name)

    return encode


def _find_weights(description: dict[str, object], cache: Path) -> Path | None:
    """Return the file with the weights; None for a model that is not stored in the layout of the hub."""
    from huggingface_hub import try_to_load_from_cache

    sources = description["sources"]
    repository = sources.get("hf") if isinstance(sources, dict) else None
    path = try_to_load_from_cache(repository, str(description["model_file"]), cache_dir=cache) if repository else None
    return Path(path) if isinstance(path, str) else None


class KnownModel(NamedTuple):
    """A model that fastembed knows by name."""

    name: str
    dim: int
    mb: int
    reads: str
    is_here: bool


def list_fastembed_models(cache: Path) -> list[KnownModel]:
    load_onnxruntime()
    from fastembed import TextEmbedding

    return [
        KnownModel(
            str(model["model"]),
            int(model["dim"]),
            round(1000 * float(model["size_in_GB"])),
            "many languages" if "multilingual" in str(model["description"]).lower() else "English or few",
            _find_weights(model, cache) is not None,
        )
        for model in TextEmbedding.list_supported_models()
    ]


def fetch_fastembed(name: str, cache: Path) -> None:
    load_onnxruntime()
    from fastembed import TextEmbedding

    try:
        TextEmbedding(name, str(cache), threads=1, cuda=False)
    except (ValueError, OSError, RuntimeError) as error:
        raise Unavailable(f"the model {name} could not be downloaded: {summarise_error(error)}") from error
