"""Completion of node ids from ids and names, in Thai or English."""

from __future__ import annotations

from collections.abc import Mapping

from sanya.kernel.call import Caller
from sanya.kernel.suite import Completer
from sanya.suites.herbs.graph.model import NodeType
from sanya.suites.herbs.graph.name_resolver import Names
from sanya.suites.herbs.graph.store import HerbStore

MAX_COMPLETIONS = 20


def complete_ids(store: HerbStore, *types: NodeType) -> Completer:
    """Ids that begin with the text, then ids of nodes with a name that does: what is typed may be Thai or English."""

    async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
        del chosen, caller
        by_id = [id for type in types for id in await store.ids_beginning(type, text, MAX_COMPLETIONS)]
        named = await Names(store).beginning(text, types, MAX_COMPLETIONS)
        return list(dict.fromkeys([*by_id, *(node.id for _, node in named)]))[:MAX_COMPLETIONS]

    return complete
