"""Latency of `tool.query_kg` over three hops in a graph of 100,000 nodes and 1,000,000 edges: p95 of a kernel call,
against one plain SQL statement on the same store.

A path may follow an edge in either direction, so the statement is a union of eight joins, one per combination of
directions. That is the fastest form we found; joins over a union of both directions take a hundred times as long. The
statement returns ids and labels. The tool also counts its work and returns the statements of each path with sources.
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
from benchmarks.result import Result, judge_ratio
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


def _build_statement() -> str:
    """Build a union of joins with labels. SQLite can stop each join as soon as the page is full."""
    union = " UNION ".join(
        _build_joins(directions) for directions in product((("from", "to"), ("to", "from")), repeat=len(_STEPS))
    )
    return f"""
SELECT h.label_en, found.one, c.label_en, found.two, i.label_en, found.three, p.label_en
FROM ({union} ORDER BY 1, 2, 3, 4 LIMIT ?) AS found
JOIN herb_nodes AS h ON h.id = found.start
JOIN herb_nodes AS c ON c.id = found.one
JOIN herb_nodes AS i ON i.id = found.two
JOIN herb_nodes AS p ON p.id = found.three
ORDER BY found.one, found.two, found.three"""


def _build_joins(directions: tuple[tuple[str, str], ...]) -> str:
    names = ("one", "two", "three")
    columns = [f"a.{directions[0][0]}_id AS start"]
    tables, conditions = [], []
    before = "?"
    for alias, name, (here, there), (_, type, end) in zip("abc", names, directions, _STEPS, strict=True):
        tables.append(f"herb_edges AS {alias}")
        conditions.append(
            f"{alias}.{here}_id = {before} AND {alias}.type = '{type}' AND {alias}.{there}_type = '{end}'"
        )
        columns.append(f"{alias}.{there}_id AS {name}")
        before = f"{alias}.{there}_id"
    return f"SELECT {', '.join(columns)} FROM {', '.join(tables)} WHERE {' AND '.join(conditions)}"


_STATEMENT = _build_statement()


def run(nodes: int = NODES, edges: int = EDGES) -> Result:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory(prefix="sanya-bench-") as home:
        asyncio.run(_make_home(home))
        started = time.perf_counter()
        _fill(Path(home) / "sanya.db", nodes, edges)
        _say(f"Wrote {nodes:,} nodes and {edges:,} edges in {time.perf_counter() - started:.0f} s")
        ours, peer = asyncio.run(_measure(home, nodes))
    return judge_ratio(NAME, _compute_p95(ours), _compute_p95(peer), ("<=", GOAL))


async def _make_home(home: str) -> None:
    async with sanya.open(home, log_level="warning"):
        pass


def _fill(path: Path, nodes: int, edges: int) -> None:
    """Insert rows directly and create the indexes afterwards, because writing is not measured."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -200000")
        indexes = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'herb_edges' AND sql IS NOT NULL"
        ).fetchall()
        connection.execute("BEGIN")
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        _insert(connection, "herb_nodes", NODE_COLUMNS, _make_nodes(nodes))
        _insert(connection, "herb_edges", EDGE_COLUMNS, _make_edges(nodes, edges))
        for _, sql in indexes:
            connection.execute(sql)
        connection.execute("COMMIT")
        connection.execute("ANALYZE")


def _insert(connection: sqlite3.Connection, table: str, columns: str, rows: Iterator[tuple[Any, ...]]) -> None:
    marks = ", ".join("?" for _ in columns.split(", "))
    connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)


def _make_id(type: str, number: int) -> str:
    return f"bench-{type}-{number:06d}"


def _make_nodes(count: int) -> Iterator[tuple[Any, ...]]:
    for number in range(count):
        type = _TYPES[number % len(_TYPES)]
        id = _make_id(type, number // len(_TYPES))
        yield (id, type, None, f"label of {id}", "source", "reviewed", None, '["s"]', "{}", "bench")


def _make_edges(nodes: int, count: int) -> Iterator[tuple[Any, ...]]:
    """Make edges that fit the steps of the pattern. Targets favour low numbers, which creates hubs."""
    chance = random.Random(1)
    each = nodes // len(_TYPES)
    for number in range(count):
        start, type, end = _STEPS[number % len(_STEPS)]
        from_id, to_id = _make_id(start, chance.randrange(each)), _make_id(end, int(each * chance.random() ** 2))
        id = f"bench-{number}"
        yield (id, id, from_id, start, type, to_id, end, 0, "source", "reviewed", None, '["s"]', "{}", "bench")


async def _measure(home: str, nodes: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of each call of both sides, which alternate, after warm-up calls."""
    chance = random.Random(2)
    starts = [_make_id("herb", chance.randrange(nodes // len(_TYPES))) for _ in range(STARTS)]
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
        raise RuntimeError(f"{start} has {len(body['paths'])} paths, expected {LIMIT}")
    return took


async def _ask_plainly(app: App, start: str) -> float:
    began = time.perf_counter()
    rows = await app.database.fetch(_STATEMENT, (*[start] * 2 ** len(_STEPS), LIMIT))
    took = (time.perf_counter() - began) * 1000
    if len(rows) != LIMIT:
        raise RuntimeError(f"{start} has {len(rows)} rows, expected {LIMIT}")
    return took


def _compute_p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
