"""The indexes of a gazetteer as bytes: to build them takes a third of a second, to read them a tenth of that.

Keys stand in one text, and the nodes of each are a number in a list of the distinct ones: most nodes have many keys.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Sequence
from hashlib import sha256
from typing import Protocol

import msgspec

from sanya.suites.herbs.graph.model import HerbName
from sanya.suites.herbs.safety.thai_loanwords import LoanwordIndex

NodesByPhrase = dict[str, tuple[str, ...]]

FILE_NAME = "herb-names"
_SEPARATOR = "\0"
"""No name has it: the search form drops control characters."""


class PreparedData(Hashable, Protocol):
    """Keeps bytes between processes, each under a name, for the key that they were written with."""

    def read(self, name: str, key: str) -> bytes | None: ...

    def write(self, name: str, key: str, content: bytes) -> None: ...


class _PackedIndex(msgspec.Struct, array_like=True):
    keys: str
    numbers: bytes
    nodes: list[tuple[str, ...]]


class PreparedNames(msgspec.Struct, array_like=True):
    """Holds what a gazetteer derives from names. `owners` are the positions of the names of `phrases`."""

    phrases: str
    owners: bytes
    exact: _PackedIndex
    folds: _PackedIndex
    misspellings: _PackedIndex
    sounds: _PackedIndex
    loanwords: LoanwordIndex


def hash_names(names: Sequence[HerbName]) -> str:
    """Hash what the indexes are derived from."""
    text = "\n".join(
        f"{name.node_id}\0{name.node_type}\0{name.kind}\0{name.lang}\0{name.exact_only}\0{name.name}" for name in names
    )
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def pack_index(index: NodesByPhrase) -> _PackedIndex:
    nodes = list(dict.fromkeys(index.values()))
    number_of = {value: number for number, value in enumerate(nodes)}
    numbers = array("I", (number_of[value] for value in index.values()))
    return _PackedIndex(_SEPARATOR.join(index), numbers.tobytes(), nodes)


def unpack_index(packed: _PackedIndex) -> NodesByPhrase:
    numbers = array("I", packed.numbers)
    keys = packed.keys.split(_SEPARATOR) if numbers else []
    return dict(zip(keys, map(packed.nodes.__getitem__, numbers), strict=True))


def pack_phrases(phrases: Sequence[tuple[str, HerbName]], names: Sequence[HerbName]) -> tuple[str, bytes]:
    position_of = {id(name): position for position, name in enumerate(names)}
    owners = array("I", (position_of[id(name)] for _, name in phrases))
    return _SEPARATOR.join(phrase for phrase, _ in phrases), owners.tobytes()


def unpack_phrases(prepared: PreparedNames, names: Sequence[HerbName]) -> list[tuple[str, HerbName]]:
    owners = array("I", prepared.owners)
    phrases = prepared.phrases.split(_SEPARATOR) if owners else []
    return list(zip(phrases, map(names.__getitem__, owners), strict=True))


encode_names = msgspec.msgpack.Encoder().encode
decode_names = msgspec.msgpack.Decoder(PreparedNames).decode
