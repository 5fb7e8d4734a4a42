"""GraphQL over HTTP: requests, responses, and that every call goes through the kernel."""

from __future__ import annotations

import asyncio
import json

from tests.surfaces.graphql.conftest import Ask, post_query
from tests.surfaces.http.conftest import SECRET, WAIT_S, AsgiRequest, DemoServer, OpenServer, bearer

SAY = '{ demo_say(text: "hi", times: 2) { said next_cursor } }'


async def test_a_query_gets_its_fields_and_the_stamp_of_its_call(ask: Ask, server: DemoServer) -> None:
    answer = await ask(SAY)
    assert answer["data"] == {"demo_say": {"said": ["hi", "hi"], "next_cursor": "more"}}
    stamp = answer["extensions"]["audit"]["demo_say"]
    outcome = (await server.call("demo.say", {"text": "hi", "times": 2})).json()
    assert stamp["out_hash"] == outcome["meta"]["audit"]["out_hash"]
    assert stamp["seed"] == str(outcome["meta"]["audit"]["seed"])
    assert "errors" not in answer


async def test_aliases_fragments_variables_and_directives_work(ask: Ask) -> None:
    query = """
      query Both($text: String!, $more: Boolean!) {
        first: demo_say(text: $text) { ...Said }
        second: demo_say(text: "no") { ...Said words: said next_cursor @skip(if: $more) __typename }
      }
      fragment Said on DemoSay { said ... @include(if: $more) { cursor: next_cursor } }
    """
    answer = await ask(query, variables={"text": "yes", "more": True})
    assert answer["data"] == {
        "first": {"said": ["yes"], "cursor": None},
        "second": {"said": ["no"], "words": ["no"], "cursor": None, "__typename": "DemoSay"},
    }
    answer = await ask(query, variables={"text": "yes", "more": False})
    assert answer["data"]["first"] == {"said": ["yes"]}
    assert answer["data"]["second"]["next_cursor"] is None


async def test_a_get_request_works_but_not_from_another_sites_page(server: DemoServer) -> None:
    params = {"query": "query($t: String!) { demo_say(text: $t) { said } }", "variables": '{"t": "by address"}'}
    answer = await server.client.get("/graphql", params=params)
    assert answer.json()["data"] == {"demo_say": {"said": ["by address"]}}
    elsewhere = await server.client.get("/graphql", params=params, headers={"sec-fetch-site": "cross-site"})
    assert elsewhere.status_code == 403
    foreign = await server.client.get("/graphql", params=params, headers={"origin": "https://evil.example"})
    assert foreign.status_code == 403


async def test_a_refused_call_is_an_error_beside_the_data_of_others(ask: Ask) -> None:
    answer = await ask('{ lost: demo_lost(text: "a") { said } demo_say(text: "b") { said } }')
    assert answer["data"] == {"lost": None, "demo_say": {"said": ["b"]}}
    (error,) = answer["errors"]
    assert error["path"] == ["lost"]
    assert error["extensions"]["code"] == "NOT_FOUND"
    assert error["extensions"]["error"]["message"] == error["message"] == "no such thing"
    assert answer["extensions"]["audit"]["lost"]["status"] == "error"


async def test_every_fault_has_its_kind_and_no_secret_leaves(ask: Ask) -> None:
    kinds = {
        "demo_upstream": "upstream_failed",
        "demo_store": "store_unavailable",
        "demo_mistake": "internal",
        "demo_lie": "invariant_broken",
        "demo_slow": "deadline_exceeded",
    }
    query = " ".join(f'{tool}(text: "a") {{ said }}' for tool in kinds)
    answer = await ask(f"{{ {query} }}")
    assert {error["path"][0]: error["extensions"]["kind"] for error in answer["errors"]} == kinds
    assert SECRET not in json.dumps(answer)
    assert "Traceback" not in json.dumps(answer)


async def test_write_tools_are_not_in_the_schema(ask: Ask) -> None:
    assert "Cannot query field" in (await ask('{ demo_write(text: "a") { said } }'))["errors"][0]["message"]


async def test_the_seed_of_a_stamp_in_the_body_is_a_string(ask: Ask) -> None:
    answer = await ask('{ other_say(text: "a") { said audit { seed status out_hash } } }')
    body, stamp = answer["data"]["other_say"], answer["extensions"]["audit"]["other_say"]
    assert body["audit"] == {"seed": stamp["seed"], "status": "ok", "out_hash": stamp["out_hash"]}


async def test_resources_are_listed_and_read(ask: Ask) -> None:
    answer = await ask(
        "{ resources { uri is_template }"
        ' resource(uri: "tasks://task/sample-sales-report") { uri mime_type json text } }'
    )
    assert {"uri": "tasks://task/{id}", "is_template": True} in answer["data"]["resources"]
    read = answer["data"]["resource"]
    assert read["uri"] == "tasks://task/sample-sales-report"
    assert read["json"]["id"] == "sample-sales-report"
    assert read["text"] is None
    page = await ask('{ resource(uri: "component://rmf-fund-card") { mime_type json text } }')
    assert page["data"]["resource"]["text"].startswith("<!doctype html>")
    assert page["data"]["resource"]["json"] is None
    nothing = await ask('{ resource(uri: "tasks://task/none") { uri } }')
    assert nothing["data"] == {"resource": None}
    assert nothing["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_a_request_id_and_a_deadline_reach_the_call(ask: Ask, server: DemoServer) -> None:
    first = await ask(SAY, extensions={"request_id": "mine"})
    again = await ask(SAY, extensions={"request_id": "mine"})
    assert first["extensions"]["audit"]["demo_say"]["request_id"] == "mine"
    assert again["extensions"]["audit"]["demo_say"]["replayed"]
    late = await ask('{ demo_wait(text: "a") { said } }', extensions={"timeout_ms": 10})
    assert late["errors"][0]["extensions"]["code"] == "TIMEOUT"


async def test_a_client_that_disconnects_cancels_its_call(server: DemoServer) -> None:
    request = AsgiRequest("/graphql")
    request.body(json.dumps({"query": '{ demo_wait(text: "a") { said } }'}).encode())
    serving = request.start(server.application)
    async with asyncio.timeout(WAIT_S):
        await server.control.started.wait()
        request.leave()
        await server.control.stopped.wait()
        await serving


async def test_keys_scopes_and_limits_hold(open_server: OpenServer) -> None:
    server = await open_server(require_auth=True)
    assert (await post_query(server, SAY)).status_code == 401
    key = await server.app.keys.create("reader", ("tasks:read",))
    answer = (await post_query(server, SAY, headers=bearer(key))).json()
    assert answer["errors"][0]["extensions"]["kind"] == "forbidden"
    limited = await server.app.keys.create("limited", ("demo:read",), calls_per_minute=1)
    answer = (await post_query(server, SAY.replace("{ demo_say", "{ one: demo_say", 1), headers=bearer(limited))).json()
    assert answer["data"]["one"]["said"] == ["hi", "hi"]
    answer = (await post_query(server, SAY, headers=bearer(limited))).json()
    assert answer["errors"][0]["extensions"]["kind"] == "rate_limited"
    assert answer["errors"][0]["extensions"]["retry_after_ms"] > 0


NO_REQUESTS = [
    ("application/x-www-form-urlencoded", b"query={__typename}", 415),
    ("multipart/form-data; boundary=x", b"--x--", 415),
    ("application/graphql", b"{ __typename }", 415),
    ("text/plain", b"{}", 415),
    ("application/json", b"", 400),
    ("application/json", b"{", 400),
    ("application/json", b"[]", 400),
    ("application/json", b'[{"query": "{ __typename }"}]', 400),
    ("application/json", b"{}", 400),
    ("application/json", b'{"query": 1}', 400),
    ("application/json", b'{"query": "{ __typename }", "variables": [1]}', 400),
    ("application/json", b'{"query": "{ __typename }", "operationName": 1}', 400),
    ("application/json", b'{"query": "{ __typename }", "id": 1}', 400),
    ("application/json", b'{"query": "{ __typename }", "extensions": {"request_id": ""}}', 400),
    ("application/json", b'{"query": "{ __typename }", "extensions": {"timeout_ms": 0}}', 400),
    ("application/json", b'{"extensions": {"persistedQuery": {"version": 1}}}', 400),
]


async def test_malformed_requests_are_refused_in_graphql_format(server: DemoServer) -> None:
    for content_type, body, status in NO_REQUESTS:
        answer = await server.client.post("/graphql", content=body, headers={"content-type": content_type})
        assert answer.status_code == status, (content_type, body)
        assert answer.json()["errors"][0]["extensions"]["code"] == "BAD_REQUEST", (content_type, body)


async def test_a_body_over_the_limit_is_refused(open_server: OpenServer) -> None:
    server = await open_server(max_body_bytes=1024)
    answer = await post_query(server, "{ __typename }" + " " * 2000)
    assert answer.status_code == 413


async def test_the_status_of_an_invalid_document_depends_on_the_media_type(server: DemoServer) -> None:
    newer = "application/graphql-response+json"
    for accept, status in (("application/json", 200), (newer, 400), (f"{newer}, application/json;q=0.9", 400)):
        answer = await post_query(server, "{ nothing }", headers={"accept": accept})
        assert answer.status_code == status
        assert answer.headers["content-type"] == accept.partition(",")[0]


async def test_a_document_with_several_operations_needs_a_name(ask: Ask) -> None:
    query = 'query A { __typename } query B { demo_say(text: "b") { said } }'
    assert "operationName" in (await ask(query))["errors"][0]["message"]
    assert (await ask(query, operationName="B"))["data"]["demo_say"] == {"said": ["b"]}
    assert "no operation" in (await ask(query, operationName="C"))["errors"][0]["message"]
