"""An ingest in a home that is served: the worker does it, the search finds it, and it leaves the search again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sanya import app
from sanya.kernel.calls.call import Progress

TEXT = "Ginger is used to treat nausea. Ginger interacts with warfarin, said Somsak, phone 081-234-5678.\n"


def placed(home: Path) -> dict[str, str]:
    file = home / "inbox" / "ginger.txt"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT, "utf-8")
    return {"uri": file.as_uri()}


async def passages(opened: app.App) -> list[dict[str, Any]]:
    filters = {"types": ["chunk"], "review": ["unreviewed"]}
    found = await opened.call("tool.hybrid_search", {"query": "ginger interacts with warfarin", "filters": filters})
    return [hit for hit in found["hits"] if hit["id"].startswith("doc:")]


async def test_what_is_ingested_is_found_as_unreviewed_until_it_is_rolled_back(home: Path) -> None:
    seen: list[Progress] = []
    async with app.open(home) as opened, opened.run_background_work():
        assert await passages(opened) == []
        arguments = {"batch": [placed(home)], "dry_run": False, "wait_s": 60}
        body = await opened.call("tool.ingest.run", arguments, progress=seen.append)
        assert body["status"] == "done"
        assert seen
        assert body["job"]["attempts"] == 1
        (first, *_) = await passages(opened)
        assert "Ginger interacts with warfarin" in first["snippet"]
        kept = str(await opened.database.fetch("SELECT result FROM job_parts"))
        assert "081-234-5678" not in kept + str(await opened.database.fetch("SELECT data FROM herb_nodes"))
        await opened.call("tool.ingest.rollback", {"job_id": body["job_id"]})
        assert await passages(opened) == []


async def test_a_served_home_on_postgresql_ingests_through_the_queue(home: Path, postgresql_url: str) -> None:
    item = placed(home)
    async with app.open(home, database_url=postgresql_url) as opened, opened.run_background_work():
        body = await opened.call("tool.ingest.run", {"batch": [item], "dry_run": False, "wait_s": 60})
        assert (body["status"], body["job"]["documents"][0]["counts"]["sources"]) == ("done", 1)
        again = await opened.call("tool.ingest.run", {"batch": [item], "dry_run": False, "wait_s": 60})
        assert again["job"]["documents"][0]["nothing_new"]
