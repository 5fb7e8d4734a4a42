"""Models that the library fastembed knows by name, from its cache on this machine.

A server fetches nothing by itself: the owner downloads a model once, and the message says how.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sanya.engines.embedders.batch_runner import BatchedEmbedder
from sanya.engines.embedders.normalization import normalised
from sanya.engines.embedders.onnx_runtime import onnx_runtime
from sanya.engines.embedders.packages import file_digest
from sanya.kernel.faults import InvalidArgument, Unavailable
from sanya.retrieval.embedding import Matrix, Model

if TYPE_CHECKING:
    from fastembed import TextEmbedding


async def open_fastembed(name: str, cache: Path) -> BatchedEmbedder:
    if find_spec("fastembed") is None:
        raise Unavailable("the embedder fastembed is not installed; run: pip install 'sanya[fastembed]'")
    return await asyncio.to_thread(_opened, name, cache)


def _opened(name: str, cache: Path) -> BatchedEmbedder:
    onnx_runtime()
    from fastembed import TextEmbedding

    known = {str(one["model"]).lower(): one for one in TextEmbedding.list_supported_models()}
    if name.lower() not in known:
        raise InvalidArgument(
            f"fastembed does not know the model {name!r}; its TextEmbedding.list_supported_models() lists those it does"
        )
    try:
        # One thread a batch and a batch a core; no accelerator is guessed.
        embedding = TextEmbedding(name, str(cache), threads=1, cuda=False, local_files_only=True)
    except (ValueError, OSError, RuntimeError) as error:
        fetch = f"from fastembed import TextEmbedding; TextEmbedding({name!r}, {str(cache)!r})"
        raise Unavailable(f'the model {name} is not on this machine; run: python -c "{fetch}"') from error
    encode = _encoder(embedding, name)
    dim = int(encode(["dimension"]).shape[1])
    file = _weights(known[name.lower()], cache)
    digest = file_digest(file) if file else sha256(f"fastembed\n{name}\n{dim}".encode()).hexdigest()
    return BatchedEmbedder(Model(name, dim, digest), encode)


def _encoder(embedding: TextEmbedding, name: str) -> Callable[[Sequence[str]], Matrix]:
    def encode(texts: Sequence[str]) -> Matrix:
        rows = list(embedding.embed(list(texts), batch_size=len(texts)))
        return normalised(np.array(rows, dtype=np.float32), name)

    return encode


def _weights(described: dict[str, object], cache: Path) -> Path | None:
    """The file that holds the weights; None for a model that is not kept as the hub keeps them."""
    from huggingface_hub import try_to_load_from_cache

    sources = described["sources"]
    repository = sources.get("hf") if isinstance(sources, dict) else None
    found = try_to_load_from_cache(repository, str(described["model_file"]), cache_dir=cache) if repository else None
    return Path(found) if isinstance(found, str) else None
