"""`tool.query_kg`, three hops in a graph of 100,000 nodes and 1,000,000 edges: the p95 of a call through the whole
kernel, against the same question as one plain SQL statement on the same store.

The question goes along an edge either way, so the statement is a union of eight joins, one for each choice of ways:
the fastest of the ways to write it that we found (joins over a union of both ways take a hundred times as long). It
gives ids and labels; the tool also counts its work and brings the statements along each path, with sources and basis.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import sanya
from benchmarks.result import Result, judged
from sanya.app import App
from sanya.suites.herbs.graph.rows import EDGE_COLUMNS, NODE_COLUMNS

NAME = "herbs_paths"
GOAL = 1.5
NODES, EDGES = 100_000, 1_000_000
STARTS = 400
LIMIT = 25

_TYPES = ("herb", "constituent", "indication", "paper")
_STEPS = (("herb", "contains", "constituent"), ("constituent", "acts_on", "indication"),
          ("indication", "mentioned_in", "paper"))  # fmt: skip
PATTERN = "herb-[contains]->constituent-[acts_on]->indication-[mentioned_in]->paper"


def _plain() -> str:
    """Labels around a union of joins; the engine may stop each as soon as the page is full."""
    union = " UNION ".join(_joins(ways) for ways in product((("from", "to"), ("to", "from")), repeat=len(_STEPS)))
    return f"""
SELECT h.label_en, found.one, c.label_en, found.two, i.label_en, found.three, p.label_en
FROM ({union} ORDER BY 1, 2, 3, 4 LIMIT ?) AS found
JOIN herb_nodes AS h ON h.id = found.start
JOIN herb_nodes AS c ON c.id = found.one
JOIN herb_nodes AS i ON i.id = found.two
JOIN herb_nodes AS p ON p.id = found.three
ORDER BY found.one, found.two, found.three"""


def _joins(ways: tuple[tuple[str, str], ...]) -> str:
    names = ("one", "two", "three")
    columns = [f"a.{ways[0][0]}_id AS start"]
    tables, conditions = [], []
    before = "?"
    for alias, name, (here, there), (_, type, end) in zip("abc", names, ways, _STEPS, strict=True):
        tables.append(f"herb_edges AS {alias}")
        conditions.append(
            f"{alias}.{here}_id = {before} AND {alias}.type = '{type}' AND {alias}.{there}_type = '{end}'"
        )
        columns.append(f"{alias}.{there}_id AS {name}")
        before = f"{alias}.{there}_id"
    return f"SELECT {', '.join(columns)} FROM {', '.join(tables)} WHERE {' AND '.join(conditions)}"


_STATEMENT = _plain()


def run(nodes: int = NODES, edges: int = EDGES) -> Result:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        asyncio.run(_make_home(home))
        started = time.perf_counter()
        _fill(Path(home) / "sanya.db", nodes, edges)
        _say(f"{nodes:,} nodes and {edges:,} edges written in {time.perf_counter() - started:.0f} s")
        ours, peer = asyncio.run(_measure(home, nodes))
    return judged(NAME, _p95(ours), _p95(peer), ("<=", GOAL))


async def _make_home(home: str) -> None:
    async with sanya.open(home, log_level="warning"):
        pass


def _fill(path: Path, nodes: int, edges: int) -> None:
    """Straight into the tables, with the indexes made afterwards: this is not what is measured."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -200000")
        indexes = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'herb_edges' AND sql IS NOT NULL"
        ).fetchall()
        connection.execute("BEGIN")
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        _insert(connection, "herb_nodes", NODE_COLUMNS, _nodes(nodes))
        _insert(connection, "herb_edges", EDGE_COLUMNS, _edges(nodes, edges))
        for _, sql in indexes:
            connection.execute(sql)
        connection.execute("COMMIT")
        connection.execute("ANALYZE")


def _insert(connection: sqlite3.Connection, table: str, columns: str, rows: Iterator[tuple[Any, ...]]) -> None:
    marks = ", ".join("?" for _ in columns.split(", "))
    connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)


def _id(type: str, number: int) -> str:
    return f"bench-{type}-{number:06d}"


def _nodes(count: int) -> Iterator[tuple[Any, ...]]:
    for number in range(count):
        type = _TYPES[number % len(_TYPES)]
        id = _id(type, number // len(_TYPES))
        yield (id, type, None, f"label of {id}", "source", "reviewed", None, '["s"]', "{}", "bench")


def _edges(nodes: int, count: int) -> Iterator[tuple[Any, ...]]:
    """Mostly between neighbours of the pattern; one end is drawn towards low numbers, so that there are hubs."""
    chance = random.Random(1)
    each = nodes // len(_TYPES)
    for number in range(count):
        start, type, end = _STEPS[number % len(_STEPS)]
        from_id, to_id = _id(start, chance.randrange(each)), _id(end, int(each * chance.random() ** 2))
        id = f"bench-{number}"
        yield (id, id, from_id, start, type, to_id, end, 0, "source", "reviewed", None, '["s"]', "{}", "bench")


async def _measure(home: str, nodes: int) -> tuple[list[float], list[float]]:
    """Milliseconds a call of each, in turns, after a few calls that warm both."""
    chance = random.Random(2)
    starts = [_id("herb", chance.randrange(nodes // len(_TYPES))) for _ in range(STARTS)]
    ours, peer = [], []
    async with sanya.open(home, log_level="warning") as app:
        for number, start in enumerate([*starts[:20], *starts]):
            answer, other = await _ask(app, start), await _ask_plainly(app, start)
            if number >= 20:
                ours.append(answer)
                peer.append(other)
    return ours, peer


async def _ask(app: App, start: str) -> float:
    began = time.perf_counter()
    body = await app.call("tool.query_kg", {"start": {"type": "herb", "id": start}, "pattern": PATTERN, "limit": LIMIT})
    took = (time.perf_counter() - began) * 1000
    if len(body["paths"]) != LIMIT:
        raise RuntimeError(f"{start} has {len(body['paths'])} paths, the question is meant to have {LIMIT}")
    return took


async def _ask_plainly(app: App, start: str) -> float:
    began = time.perf_counter()
    rows = await app.database.fetch(_STATEMENT, (*[start] * 2 ** len(_STEPS), LIMIT))
    took = (time.perf_counter() - began) * 1000
    if len(rows) != LIMIT:
        raise RuntimeError(f"{start} has {len(rows)} rows")
    return took


def _p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
