"""The memory suite: its store, the search beside it, working memory here or on Redis, and background work."""

from __future__ import annotations

from sanya.assembly.opened import Opened
from sanya.kernel.suite import Suite
from sanya.suites.memory import suite
from sanya.suites.memory.corrections import Corrector
from sanya.suites.memory.indexing import MemoryIndex
from sanya.suites.memory.namespaces import Namespaces
from sanya.suites.memory.recall import Recall
from sanya.suites.memory.sending import Sender
from sanya.suites.memory.store import MemoryStore
from sanya.suites.memory.tools import MemoryTools
from sanya.suites.memory.working import EmbeddedWorkingMemory


async def open_memory(opened: Opened) -> Suite:
    index = MemoryIndex(opened.library)
    store = MemoryStore(opened.database, index)
    sender = Sender(store)
    opened.stack.push_async_callback(sender.close)
    working = EmbeddedWorkingMemory(store)
    tools = MemoryTools(
        store=store,
        sender=sender,
        recall=Recall(store, index, working),
        corrector=Corrector(store),
        working=working,
        namespaces=Namespaces(frozenset(opened.settings.memory_shared_by)),
    )
    return suite.build(tools)
