"""Completion of node ids from ids and names, in Thai or English."""

from __future__ import annotations

from collections.abc import Mapping

from sanya.suite import Caller, Completer
from sanya.suites.herbs.graph.model import NodeType
from sanya.suites.herbs.graph.name_resolver import NameResolver
from sanya.suites.herbs.graph.store import HerbStore

MAX_COMPLETIONS = 20


def complete_ids(store: HerbStore, *types: NodeType) -> Completer:
    """Complete to ids that begin with the text, then to ids of nodes with a name that does, in Thai or English."""

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        by_id = [id for type in types for id in await store.complete_ids(type, text, MAX_COMPLETIONS)]
        names = await NameResolver(store).complete_names(text, types, MAX_COMPLETIONS)
        return list(dict.fromkeys([*by_id, *(node.id for _, node in names)]))[:MAX_COMPLETIONS]

    return complete
