"""Every kind of write to a home, by name, and the starter data of a new home."""

from __future__ import annotations

from tests.crashes.ground import WritePath
from tests.crashes.paths.funds import FundsImport
from tests.crashes.paths.herbs import Evaluation, Ingest
from tests.crashes.paths.house import FirstCalls, Keys, PlainCalls
from tests.crashes.paths.memory import Consolidation, Correcting, Forgetting, Notes, Sending
from tests.crashes.paths.papers import BulkImport, Checkpointing, FullTexts, Syncing
from tests.crashes.paths.tasks import TasksImport

PATHS: dict[str, WritePath] = {
    path.name: path
    for path in (
        TasksImport(),
        FundsImport(),
        Syncing(),
        BulkImport(),
        Checkpointing(),
        FullTexts(),
        Sending(),
        Correcting(),
        Forgetting(),
        Consolidation(),
        Notes(),
        Ingest(),
        Evaluation(),
        Keys(),
        PlainCalls(),
    )
}

FIRST_CALLS = FirstCalls()
