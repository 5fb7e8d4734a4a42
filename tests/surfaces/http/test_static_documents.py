"""Documents about the server itself: the catalogue, OpenAPI, health."""

from __future__ import annotations

import asyncio
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from sanya import __version__
from sanya.kernel.faults import StoreUnavailable, Unavailable
from sanya.surfaces.http.health import CACHE_S, Health
from tests.surfaces.http.conftest import WAIT_S, DemoServer, OpenServer, bearer


async def test_the_catalogue_has_every_tool_with_its_contract(server: DemoServer) -> None:
    document = (await server.client.get("/tools")).json()
    assert [tool["name"] for tool in document["tools"]] == [tool.name for tool in server.app.kernel.catalogue.tools]
    assert {suite["name"] for suite in document["suites"]} >= {"tasks", "demo", "other"}
    say = next(tool for tool in document["tools"] if tool["name"] == "demo.say")
    assert say["portable_name"] == "demo_say"
    assert (say["suite"], say["effect"], say["scopes"]) == ("demo", "read", ["demo:read"])
    assert say["examples"] == [{"title": "A word", "arguments": {"text": "sawasdee"}}]
    assert say["input_schema"]["properties"]["times"]["maximum"] == 5
    assert "NOT_FOUND" in say["errors"]


async def test_the_catalogue_is_described_in_thai_when_asked(server: DemoServer) -> None:
    for path, language in (("/tools/get_tasks", "th"), ("/tools/get_tasks", "en"), ("/tools/demo.say", "th")):
        tool = (await server.client.get(path, params={"lang": language})).json()
        assert (tool["title"] == "รายการงาน") is (path.endswith("get_tasks") and language == "th")
    listed = (await server.client.get("/tools", params={"lang": "th"})).json()["tools"]
    assert "รายการงาน" in [tool["title"] for tool in listed]
    refused = await server.client.get("/tools", params={"lang": "de"})
    assert refused.status_code == 400
    assert "en, th" in refused.json()["error"]["message"]


async def test_a_tool_is_found_by_either_name(server: DemoServer) -> None:
    for name in ("demo.say", "demo_say"):
        assert (await server.client.get(f"/tools/{name}")).json()["name"] == "demo.say"


@pytest.mark.parametrize("path", ["/tools", "/tools/demo.say", "/openapi.json"])
async def test_a_document_with_a_matching_etag_is_not_sent_again(server: DemoServer, path: str) -> None:
    first = await server.client.get(path)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await server.client.get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert (await server.client.get(path, headers={"if-none-match": '"other"'})).status_code == 200


@pytest.mark.parametrize("path", ["/tools", "/openapi.json", "/health", "/metrics"])
async def test_head_is_get_without_the_body(server: DemoServer, path: str) -> None:
    head, get = await server.client.head(path), await server.client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == get.headers["content-type"]
    if path != "/metrics":
        assert head.headers["content-length"] == str(len(get.content))


async def test_openapi_is_valid_and_has_every_tool(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    key = await server.app.keys.create("reader", [])
    document = (await server.client.get("/openapi.json", headers=bearer(key))).json()
    OpenAPIV31SpecValidator(document).validate()
    tools = server.app.kernel.catalogue.tools
    assert {f"/tools/{tool.name}" for tool in tools} < set(document["paths"])
    assert document["info"]["version"] == __version__
    assert document["security"] == [{"key": []}]
    operations = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(operations) == len(set(operations))


async def test_openapi_describes_every_method_and_status_that_is_served(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    key = await server.app.keys.create("reader", [])
    document = (await server.client.get("/openapi.json", headers=bearer(key))).json()
    for path, operations in document["paths"].items():
        allowed = (await server.client.options(path)).headers["allow"].lower().split(", ")
        assert set(operations) == set(allowed) - {"head", "options"}, path
        for method, operation in operations.items():
            for headers in ({}, bearer(key), {"host": "evil.example"}):
                answer = await server.client.request(
                    method, path, headers=headers, json={} if method == "post" else None
                )
                assert str(answer.status_code) in operation["responses"], (path, method, answer.status_code)


async def test_openapi_marks_public_operations(server: DemoServer) -> None:
    document = (await server.client.get("/openapi.json")).json()
    assert {} in document["security"]
    assert document["paths"]["/health"]["get"]["security"] == [{}]


async def test_the_examples_in_openapi_are_requests_that_work(server: DemoServer) -> None:
    document = (await server.client.get("/openapi.json")).json()
    tried = 0
    for name in ("demo.say", "other.say", "get_tasks"):
        content = document["paths"][f"/tools/{name}"]["post"]["requestBody"]["content"]["application/json"]
        for example in content.get("examples", {}).values():
            jsonschema.validate(example["value"], content["schema"], jsonschema.Draft202012Validator)
            assert (await server.client.post(f"/tools/{name}", json=example["value"])).status_code == 200
            tried += 1
    assert tried >= 2


async def test_answers_and_errors_match_the_openapi_schemas(server: DemoServer) -> None:
    document = (await server.client.get("/openapi.json")).json()
    responses = document["paths"]["/tools/demo.say"]["post"]["responses"]
    good = (await server.call("demo.say")).json()
    bad = (await server.call("demo.say", {})).json()
    schemas: list[tuple[Any, Any]] = [
        (good, responses["200"]["content"]["application/json"]["schema"]),
        (bad, document["components"]["schemas"]["Refused"]),
    ]
    for body, schema in schemas:
        jsonschema.validate(body, {**schema, "components": document["components"]}, jsonschema.Draft202012Validator)


async def test_health_reports_checks_and_counts(server: DemoServer) -> None:
    body = (await server.client.get("/health")).json()
    assert (body["status"], body["live"], body["ready"], body["version"]) == ("ok", True, True, __version__)
    assert body["checks"] == {"database": "ok", "ledger": "ok"}
    assert body["tools"] == len(server.app.kernel.catalogue.tools)


class BrokenDatabase:
    dialect = "sqlite"

    async def fetch(self, *_: Any, **__: Any) -> list[Any]:
        raise StoreUnavailable("/home/somebody/sanya.db is gone")

    def transaction(self) -> Any:
        raise StoreUnavailable("/home/somebody/sanya.db is gone")


async def test_a_failing_database_makes_the_server_unready_without_showing_its_path(server: DemoServer) -> None:
    health = Health(BrokenDatabase(), server.app.ledger)  # type: ignore[arg-type]
    with pytest.raises(Unavailable) as unready:
        await health.run_checks()
    assert unready.value.details["checks"] == {"database": "fails", "ledger": "fails"}


async def test_concurrent_health_probes_share_one_check(server: DemoServer) -> None:
    now = 100.0
    health = Health(server.app.database, server.app.ledger, monotonic=lambda: now)
    async with asyncio.timeout(WAIT_S):
        first = await asyncio.gather(*(health.run_checks() for _ in range(1000)))
    assert all(checks is first[0] for checks in first)
    now += CACHE_S
    assert await health.run_checks() is not first[0]


async def test_liveness_does_not_depend_on_readiness(server: DemoServer) -> None:
    server.app.ledger.failing = True
    assert (await server.client.get("/health/live")).status_code == 200
    assert (await server.client.get("/health")).status_code == 503
