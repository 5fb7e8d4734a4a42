"""From a dry run to the graph and back: exactly what was shown is written, once, and is removed again whole."""

from __future__ import annotations

from typing import Any

from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.ingest.diff_json import diff_from_json
from sanya.suites.herbs.ingest.documents import PageProgress, ReadDocument, ReadRequest
from tests.suites.herbs.graph_harness import edge, insert_graph, node
from tests.suites.herbs.ingest.jobs.ingest_harness import (
    MORE,
    ROLLBACK,
    RUN,
    STATUS,
    TEXT,
    IngestHarness,
    open_ingest_harness,
)


def counts(body: dict[str, Any]) -> dict[str, int]:
    return {name: count for name, count in body["documents"][0]["counts"].items() if count}


async def test_a_dry_run_is_the_default_and_shows_the_diff_without_writing(harness: IngestHarness) -> None:
    before = await harness.graph()
    body = await harness.job(RUN, batch=[harness.document("a.txt", TEXT)])
    assert (body["status"], body["dry_run"], body["ending"]) == ("done", True, None)
    assert counts(body) == {
        "nodes": 3, "edges": 6, "names": 1, "sources": 1, "conflicts": 1, "ambiguous": 1, "linked": 7
    }  # fmt: skip
    kinds = ["source", *["node"] * 3, "name", *["edge"] * 6, "conflict", "ambiguous"]
    assert [change["kind"] for change in body["changes"]] == kinds
    first = body["changes"][5]
    assert (first["from"], first["type"], first["to"]) == ("turmeric", "treats", "flatulence")
    assert (first["text"], first["page"]) == ("turmeric ─treats→ flatulence", 1)
    assert 0 < first["confidence"] < 1
    assert body["changes"][-2]["id"] == "ginger:interacts_with:warfarin"
    assert body["changes"][-1]["candidates"] == ["moss-a", "moss-b"]
    assert await harness.graph() == before


async def test_a_real_run_writes_what_the_dry_run_showed_all_of_it_unreviewed(harness: IngestHarness) -> None:
    batch = [harness.document("a.txt", TEXT), harness.document("b.txt", MORE)]
    dry = await harness.job(RUN, batch=batch)
    real = await harness.job(RUN, batch=batch, dry_run=False)
    assert real["status"] == "done"
    assert real["changes"] == dry["changes"]
    # The second document finds the node that the first one brings, in the dry run as well.
    assert [report["counts"]["names"] for report in real["documents"]] == [1, 0]
    rows = await harness.database.fetch("SELECT id, review FROM herb_edges WHERE batch = ?", (real["job_id"],))
    assert [review for _, review in rows] == ["unreviewed"] * 9
    assert {id for id, _ in rows} == {change["id"] for change in dry["changes"] if change["kind"] == "edge"}
    assert "written as unreviewed" in await harness.log(real["job_id"])


async def test_the_same_bytes_change_nothing_whatever_their_name(harness: IngestHarness) -> None:
    first = await harness.job(RUN, batch=[harness.document("a.txt", TEXT)], dry_run=False)
    before = await harness.graph()
    for name in ("a.txt", "other.txt"):
        again = await harness.job(RUN, batch=[harness.document(name, TEXT)], dry_run=False)
        assert again["status"] == "done"
        assert again["documents"][0]["nothing_new"]
        assert f"nothing new, {first['job_id']} read the same bytes" in await harness.log(again["job_id"])
    assert await harness.graph() == before


async def test_a_dry_run_can_be_applied_as_it_is_even_when_its_file_is_gone(harness: IngestHarness) -> None:
    batch = [harness.document("a.txt", TEXT), harness.document("b.txt", MORE)]
    dry = await harness.job(RUN, batch=batch)
    (harness.folder / "a.txt").unlink()
    real = await harness.job(RUN, apply_job=dry["job_id"], dry_run=False)
    assert real["status"] == "done"
    assert real["changes"] == dry["changes"]
    (batches,) = ({row[0] for row in await harness.database.fetch("SELECT batch FROM herb_documents")},)
    assert batches == {real["job_id"]}


async def test_a_dry_run_whose_ground_has_changed_is_refused_and_another_change_is_not(harness: IngestHarness) -> None:
    dry = await harness.job(RUN, batch=[harness.document("a.txt", TEXT)])
    await insert_graph(harness.database, [node("elsewhere")], [])
    await harness.job(RUN, batch=[harness.document("c.txt", "Ginger is used to treat flatulence.\n")], dry_run=False)
    await insert_graph(harness.database, [], [edge(node("turmeric"), "treats", node("flatulence", "indication"))])
    await bump(harness)
    before = await harness.graph()
    error = await harness.refusal(RUN, apply_job=dry["job_id"], dry_run=False)
    assert error["code"] == "INVALID_ARG"
    assert "make a dry run again" in error["message"]
    assert await harness.graph() == before


async def bump(harness: IngestHarness) -> None:
    async with harness.database.transaction() as transaction:
        await transaction.execute("UPDATE revisions SET revision = revision + 1 WHERE suite = 'herbs'")


async def test_a_document_that_fails_does_not_hold_up_the_others(harness: IngestHarness) -> None:
    batch = [
        {"uri": (harness.folder / "none.txt").as_uri()},
        harness.document("a.txt", TEXT),
        {"uri": "file:///etc/passwd"},
    ]
    body = await harness.job(RUN, batch=batch, dry_run=False)
    assert body["status"] == "error"
    assert [report["status"] for report in body["documents"]] == ["error", "done", "error"]
    assert all(body["documents"][number]["error"]["message"] for number in (0, 2))
    assert "2 of 3 documents failed" in body["failure"]


async def test_a_batch_is_rolled_back_whole_and_can_come_again(harness: IngestHarness) -> None:
    before = await harness.graph()
    real = await harness.job(RUN, batch=[harness.document("a.txt", TEXT)], dry_run=False)
    for _ in range(2):
        back = await harness.job(ROLLBACK, job_id=real["job_id"])
        assert (back["status"], back["ending"]) == ("done", "rolled_back")
        assert await harness.graph() == before
    assert "rolled back: 12 rows left the graph" in await harness.log(real["job_id"])
    again = await harness.job(RUN, batch=[harness.document("a.txt", TEXT)], dry_run=False)
    assert again["changes"] == real["changes"]


async def test_what_a_later_batch_rests_on_is_not_rolled_back_under_it(harness: IngestHarness) -> None:
    first = await harness.job(RUN, batch=[harness.document("a.txt", TEXT)], dry_run=False)
    second = await harness.job(RUN, batch=[harness.document("b.txt", MORE)], dry_run=False)
    before = await harness.graph()
    error = await harness.refusal(ROLLBACK, job_id=first["job_id"])
    assert error["code"] == "INVALID_ARG"
    assert error["details"]["used_by"] == [second["job_id"]]
    assert await harness.graph() == before
    await harness.job(ROLLBACK, job_id=second["job_id"])
    assert (await harness.job(ROLLBACK, job_id=first["job_id"]))["ending"] == "rolled_back"


async def test_a_dry_run_has_nothing_to_roll_back(harness: IngestHarness) -> None:
    dry = await harness.job(RUN, batch=[harness.document("a.txt", TEXT)])
    assert "dry run" in (await harness.refusal(ROLLBACK, job_id=dry["job_id"]))["message"]


async def test_a_long_diff_is_read_page_by_page(harness: IngestHarness) -> None:
    species = [f"Mitragyna {letter}{other}osa Korth." for letter in "bcdfgklm" for other in "aeiou"]
    text = "".join(f"{name} is used to treat nausea.\n" for name in species)
    body = await harness.job(RUN, batch=[harness.document("a.txt", text)])
    found, cursor = list(body["changes"]), body["next_cursor"]
    assert len(found) == 50
    while cursor is not None:
        page = await harness.call(STATUS, job_id=body["job_id"], cursor=cursor, limit=70)
        found += page["job"]["changes"]
        cursor = page["next_cursor"]
    (part,) = await harness.jobs.list_parts(body["job_id"])
    diff = diff_from_json(dict(part.result["diff"]))
    kept = [*diff.sources, *diff.nodes, *diff.names, *diff.edges]
    assert len(found) == len(kept) > 200
    assert {change["id"] for change in found if change["kind"] == "edge"} == {edge.id for edge in diff.edges}


class IntrudedReader:
    """A reader that lets another job ingest a document while the first document is read."""

    def __init__(self, harness: IngestHarness, intruder: dict[str, str]) -> None:
        self._reader = open_reader([harness.folder])
        self._room = harness
        self._intruder: dict[str, str] | None = intruder

    async def read(self, request: ReadRequest, read: PageProgress) -> ReadDocument:
        if self._intruder is not None:
            item, self._intruder = self._intruder, None
            assert (await self._room.job(RUN, batch=[item], dry_run=False))["status"] == "done"
        return await self._reader.read(request, read)


async def test_a_graph_that_moves_meanwhile_is_compared_with_anew(harness: IngestHarness) -> None:
    same, other = harness.document("same.txt", TEXT), harness.document("b.txt", MORE)
    reader = IntrudedReader(harness, same)
    async with open_ingest_harness(harness.database, harness.folder, reader) as second:
        job = await second.job(RUN, batch=[other, same], dry_run=False)
    assert job["status"] == "done"
    # The plant came in with the other job's document, which is not written twice.
    assert [report["counts"]["names"] for report in job["documents"]] == [0, 0]
    assert [report["nothing_new"] for report in job["documents"]] == [False, True]
    assert len(await harness.database.fetch("SELECT 1 FROM herb_nodes WHERE id = 'mitragyna-speciosa'")) == 1
