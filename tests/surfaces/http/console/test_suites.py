"""What the generated page of a suite is made of, for callers who may read the suite."""

from __future__ import annotations

from tests.surfaces.http.conftest import OpenServer

SUITE = "/console/api/suite"


async def test_a_suite_is_described_to_those_who_may_read_it(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    reader = {"authorization": f"Bearer {await server.app.keys.create('reader', ['tasks:read'])}"}
    tasks = (await server.client.get(SUITE, params={"name": "tasks"}, headers=reader)).json()
    assert (tasks["title"], tasks["package"]) == ("Tasks", None)
    assert {"get_tasks", "get_projects"} <= {tool["name"] for tool in tasks["tools"]}
    (task,) = [resource for resource in tasks["resources"] if resource["uri"] == "tasks://task/{id}"]
    assert [part["name"] for part in task["parts"]] == ["id"]
    for name, status in (("funds", 403), ("nowhere", 404), ("", 400)):
        assert (await server.client.get(SUITE, params={"name": name}, headers=reader)).status_code == status, name


async def test_a_suite_is_described_in_the_language_that_is_asked_for(open_server: OpenServer) -> None:
    server = await open_server()
    thai = (await server.client.get(SUITE, params={"name": "tasks", "lang": "th"})).json()
    titles = {tool["name"]: tool["title"] for tool in thai["tools"]}
    assert titles["get_tasks"] == "รายการงาน"
    (task,) = [resource for resource in thai["resources"] if resource["uri"] == "tasks://task/{id}"]
    assert any("ก" <= letter <= "๛" for letter in task["description"])
    assert (await server.client.get(SUITE, params={"name": "tasks", "lang": "la"})).status_code == 400


async def test_the_session_says_which_suites_have_a_generated_page(open_server: OpenServer) -> None:
    server = await open_server()
    suites = (await server.client.get("/console/api/session")).json()["suites"]
    pages = {suite["name"]: suite["has_own_page"] for suite in suites}
    assert pages["tasks"] is True and pages["demo"] is False
