"""What the server says about itself: the catalogue, OpenAPI, health."""

from __future__ import annotations

import asyncio
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from sanya import __version__
from sanya.kernel.faults import StoreUnavailable, Unavailable
from sanya.surfaces.http.health import CACHE_S, Health
from tests.surfaces.http.conftest import WAIT_S, House, OpenHouse, bearer


async def test_the_catalogue_has_every_tool_with_its_contract(house: House) -> None:
    document = (await house.client.get("/tools")).json()
    assert [one["name"] for one in document["tools"]] == [one.name for one in house.app.kernel.catalogue.tools]
    assert {one["name"] for one in document["suites"]} >= {"tasks", "demo", "other"}
    say = next(one for one in document["tools"] if one["name"] == "demo.say")
    assert say["portable_name"] == "demo_say"
    assert (say["suite"], say["effect"], say["scopes"]) == ("demo", "read", ["demo:read"])
    assert say["examples"] == [{"title": "A word", "arguments": {"text": "sawasdee"}}]
    assert say["input_schema"]["properties"]["times"]["maximum"] == 5
    assert "NOT_FOUND" in say["errors"]


async def test_one_tool_can_be_looked_up_by_either_name(house: House) -> None:
    for name in ("demo.say", "demo_say"):
        assert (await house.client.get(f"/tools/{name}")).json()["name"] == "demo.say"


@pytest.mark.parametrize("path", ["/tools", "/tools/demo.say", "/openapi.json"])
async def test_a_document_that_the_client_has_is_not_sent_again(house: House, path: str) -> None:
    first = await house.client.get(path)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await house.client.get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert (await house.client.get(path, headers={"if-none-match": '"other"'})).status_code == 200


@pytest.mark.parametrize("path", ["/tools", "/openapi.json", "/health", "/metrics"])
async def test_head_is_get_without_the_body(house: House, path: str) -> None:
    head, get = await house.client.head(path), await house.client.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == get.headers["content-type"]
    if path != "/metrics":
        assert head.headers["content-length"] == str(len(get.content))


async def test_openapi_is_valid_and_has_every_tool(open_house: OpenHouse) -> None:
    house = await open_house(require_auth=True)
    key = await house.app.keys.create("reader", [])
    document = (await house.client.get("/openapi.json", headers=bearer(key))).json()
    OpenAPIV31SpecValidator(document).validate()
    tools = house.app.kernel.catalogue.tools
    assert {f"/tools/{tool.name}" for tool in tools} < set(document["paths"])
    assert document["info"]["version"] == __version__
    assert document["security"] == [{"key": []}]
    operations = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(operations) == len(set(operations))


async def test_openapi_says_where_credentials_may_be_left_out(house: House) -> None:
    document = (await house.client.get("/openapi.json")).json()
    assert {} in document["security"]
    assert document["paths"]["/health"]["get"]["security"] == [{}]


async def test_the_examples_in_openapi_are_requests_that_work(house: House) -> None:
    document = (await house.client.get("/openapi.json")).json()
    tried = 0
    for name in ("demo.say", "other.say", "get_tasks"):
        content = document["paths"][f"/tools/{name}"]["post"]["requestBody"]["content"]["application/json"]
        for example in content.get("examples", {}).values():
            jsonschema.validate(example["value"], content["schema"], jsonschema.Draft202012Validator)
            assert (await house.client.post(f"/tools/{name}", json=example["value"])).status_code == 200
            tried += 1
    assert tried >= 2


async def test_answers_and_errors_are_as_openapi_says(house: House) -> None:
    document = (await house.client.get("/openapi.json")).json()
    responses = document["paths"]["/tools/demo.say"]["post"]["responses"]
    good = (await house.call("demo.say")).json()
    bad = (await house.call("demo.say", {})).json()
    schemas: list[tuple[Any, Any]] = [
        (good, responses["200"]["content"]["application/json"]["schema"]),
        (bad, document["components"]["schemas"]["Refused"]),
    ]
    for body, schema in schemas:
        jsonschema.validate(body, {**schema, "components": document["components"]}, jsonschema.Draft202012Validator)


async def test_health_says_what_is_served_and_that_it_works(house: House) -> None:
    body = (await house.client.get("/health")).json()
    assert (body["status"], body["live"], body["ready"], body["version"]) == ("ok", True, True, __version__)
    assert body["checks"] == {"database": "ok", "ledger": "ok"}
    assert body["tools"] == len(house.app.kernel.catalogue.tools)


class BrokenDatabase:
    dialect = "sqlite"

    async def fetch(self, *_: Any, **__: Any) -> list[Any]:
        raise StoreUnavailable("/home/somebody/sanya.db is gone")

    def transaction(self) -> Any:
        raise StoreUnavailable("/home/somebody/sanya.db is gone")


async def test_a_database_that_fails_makes_the_server_unready_without_saying_where_it_is(house: House) -> None:
    health = Health(BrokenDatabase(), house.app.ledger)  # type: ignore[arg-type]
    with pytest.raises(Unavailable) as unready:
        await health.run_checks()
    assert unready.value.details["checks"] == {"database": "fails", "ledger": "fails"}


async def test_a_thousand_probes_are_one_check(house: House) -> None:
    now = 100.0
    health = Health(house.app.database, house.app.ledger, monotonic=lambda: now)
    async with asyncio.timeout(WAIT_S):
        first = await asyncio.gather(*(health.run_checks() for _ in range(1000)))
    assert all(one is first[0] for one in first)
    now += CACHE_S
    assert await health.run_checks() is not first[0]


async def test_being_alive_does_not_mean_being_ready(house: House) -> None:
    house.app.ledger.failing = True
    assert (await house.client.get("/health/live")).status_code == 200
    assert (await house.client.get("/health")).status_code == 503
