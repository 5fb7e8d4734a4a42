"""Evaluations are stored once, in order, up to a limit."""

from __future__ import annotations

from typing import get_args

from sanya.kernel.storage.database import Database
from sanya.suites.herbs.evaluation.contract import SetName
from sanya.suites.herbs.evaluation.store import EvaluationStore
from tests.suites.herbs.evaluation.examples import kept


async def test_a_run_is_kept_once_with_its_report(database: Database) -> None:
    store = EvaluationStore(database)
    await store.add(kept("eval_a", report="<p>ขมิ้นชัน"))
    await store.add(kept("eval_a", report="another"))
    assert await store.get_report("eval_a") == "<p>ขมิ้นชัน"
    assert await store.get_report("eval_b") is None
    run = await store.get_run("eval_a")
    assert run is not None
    assert (run.number, run.metrics, run.before) == (1, {"R@10": (0.9, 18), "ECE": (0.1, 22)}, None)
    assert [run.id for run in await store.list_newest()] == ["eval_a"]


async def test_the_last_run_is_the_last_one_of_the_series_that_came_to_something_else(database: Database) -> None:
    store = EvaluationStore(database)
    for id, series, content in (("a", "s", "1"), ("b", "s", "2"), ("c", "other", "3"), ("d", "s", "4")):
        await store.add(kept(id, series=series, content=content, before={"R@10": (0.8, 18)}, previous_id="x"))
    assert await store.get_previous("s", "1") == await store.get_run("d")
    assert await store.get_previous("s", "4") == await store.get_run("b")
    assert await store.get_previous("none", "4") is None
    assert [run.id for run in await store.list_newest(2)] == ["d", "c"]


async def test_the_oldest_go_when_there_are_too_many(database: Database) -> None:
    store = EvaluationStore(database, max_runs=2)
    for id in ("a", "b", "c"):
        await store.add(kept(id))
    assert [run.id for run in await store.list_newest()] == ["c", "b"]


async def test_ids_are_completed_as_they_stand(database: Database) -> None:
    store = EvaluationStore(database)
    for id in ("eval_1", "eval_2", "evalx"):
        await store.add(kept(id))
    assert await store.complete_ids("eval_", 5) == ["eval_2", "eval_1"]
    assert await store.complete_ids("%", 5) == []


async def test_a_run_of_every_set_that_the_contract_names_is_kept(database: Database) -> None:
    store = EvaluationStore(database)
    for name in get_args(SetName):
        await store.add(kept(f"eval_{name}", set_name=name))
    assert {run.set_name for run in await store.list_newest()} == set(get_args(SetName))
