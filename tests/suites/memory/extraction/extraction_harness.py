"""A harness with memories that the rules have parsed, and a model on loopback that reads them as well."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import orjson

from sanya.kernel.storage.database import Database
from sanya.sources.chat import Endpoint
from sanya.sources.extraction import open_extractor
from sanya.suites.memory.extraction.model_output import Extractor
from sanya.suites.memory.extraction.worker import ExtractionWorker
from sanya.suites.memory.storage.records import EXTRACTED_LIKE, EXTRACTOR
from tests.sources.chat import Chat, Say, saying, served
from tests.suites.memory.graph_harness import NAMESPACE, NOW, GraphHarness

MODEL = "some-model"
READER = "memory extraction"
TEXT = "The branch opened on 9 February 2023 and the warehouse burned down on 5 May 2023, says nok of siam."
FIRE = "the warehouse burned down on 5 May 2023"
FLOOD = "Heavy rain flooded the cellar, and the pumps stopped. KHUN NOK saw it."
GOOD = {
    "participants": [{"quote": "KHUN NOK", "kind": "person", "role": "speaker"}],
    "events": [{"quote": FIRE, "date": "2023-05-05"}],
    "relations": [{"kind": "caused", "first": "Heavy rain flooded the cellar", "second": "the pumps stopped"}],
}
RULES_ONLY = ("nodes", "edges")
EVERYTHING = {"nodes": "id <> ''", "edges": "id <> ''"}
EVENTS_AND_LINKS = {"nodes": "kind = 'event'", "edges": "from_id <> ''"}


def answering(items: object) -> Say:
    return saying(orjson.dumps(items).decode())


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: int) -> None:
        self.now += timedelta(**by)


class ExtractionHarness:
    def __init__(self, graph: GraphHarness, chat: Chat, extractor: Extractor) -> None:
        self.graph, self.chat, self.clock = graph, chat, Clock()
        self.database = graph.store.database
        self._extractor = extractor
        self.worker = self.open_another()

    def open_another(self) -> ExtractionWorker:
        """Return a worker like that of another process."""
        return ExtractionWorker(self.graph.store, self._extractor, self.clock)

    async def read_results(self) -> list[tuple[Any, ...]]:
        rows = await self.database.fetch(
            "SELECT r.outcome, r.tries, r.kept, r.dropped FROM memory_readings r JOIN memories m ON m.id = r.memory_id "
            "ORDER BY m.arrival"
        )
        return list(rows)

    async def count_quotes(self, memory: str) -> int:
        said = await self.graph.store.reader.find_edges_stated_by(NAMESPACE, [memory])
        return len([edge for edge in said if EXTRACTOR in edge.properties])

    async def count_extracted(self, where: Mapping[str, str] = EVERYTHING) -> int:
        found = 0
        for table in RULES_ONLY:
            sql = f"SELECT COUNT(*) FROM memory_{table} WHERE properties LIKE ? AND {where[table]}"
            found += int(str((await self.database.fetch(sql, (EXTRACTED_LIKE,)))[0][0]))
        return found


async def read_rules_graph(database: Database) -> list[object]:
    """Return the graph and the ratings without the findings of models."""
    found: list[object] = []
    for table in RULES_ONLY:
        sql = f"SELECT * FROM memory_{table} WHERE properties NOT LIKE ?"
        found.append(sorted(await database.fetch(sql, (EXTRACTED_LIKE,)), key=repr))
    found.append(sorted(await database.fetch("SELECT * FROM memory_contradictions"), key=repr))
    return [*found, sorted(await database.fetch("SELECT id, content, letter, digit, properties FROM memories"))]


@asynccontextmanager
async def open_extraction_harness(database: Database, say: Say) -> AsyncIterator[ExtractionHarness]:
    chat = Chat(say)
    async with served(chat) as url, open_extractor(Endpoint(url, MODEL, "a-key")) as extractor:
        yield ExtractionHarness(GraphHarness(database), chat, extractor)
