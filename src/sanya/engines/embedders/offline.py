"""The embedders that come with the house: one that is sharp in English, one that reads both languages."""

from __future__ import annotations

from sanya.engines.embedders.local import LocalEmbedder, LocalModel
from sanya.engines.embedders.packages import verified_bytes
from sanya.retrieval.embedding import Model
from sanya.retrieval.legs import ENGLISH, MULTILINGUAL

GRANITE = Model(
    "granite-embedding-30m-english", 384, "6a1cc24734a57e4524ecdab1466b2c14535a059b393c76c418ca458ec29602dd"
)
USE = Model(
    "universal-sentence-encoder-multilingual-3", 512, "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
)


def offline_embedders() -> dict[str, LocalEmbedder]:
    return {ENGLISH: LocalEmbedder(GRANITE, _granite), MULTILINGUAL: LocalEmbedder(USE, _multilingual)}


def _granite() -> LocalModel:
    from sanya.engines.embedders.granite import Granite

    return Granite(GRANITE)


def _multilingual() -> LocalModel:
    from sanya.engines.embedders.multilingual import Multilingual

    return Multilingual(USE)


def check_weights() -> list[Model]:
    """The models, if their weights are installed and the right ones; nothing is loaded."""
    from sanya.engines.embedders.granite import granite_weights
    from sanya.engines.embedders.multilingual import multilingual_weights

    for file, model in ((granite_weights(), GRANITE), (multilingual_weights(), USE)):
        verified_bytes(file, model.digest)
    return [GRANITE, USE]
