"""Every way into the server, with the scope it needs, what limits it and its deadline. A way that is missing fails.

Limits: `connections` (for each address), `calls` (the caller's rate, counted by the kernel), `requests` (the caller's
rate, counted apart from calls), `streams` (for each caller; ended when idle). Deadlines are in seconds; TOOL is that of
the tool, in the second table.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from graphql import GraphQLObjectType

import sanya
from sanya.app import App
from sanya.kernel.calls.dispatch import MIN_REQUESTS_PER_MINUTE
from sanya.kernel.contracts.completions import COMPLETION
from sanya.surfaces.graphql.schema import build_schema
from sanya.surfaces.grpc import reflection
from sanya.surfaces.grpc.health import CHECK, WATCH
from sanya.surfaces.grpc.server import GrpcServer
from sanya.surfaces.http.application import Application, build_application
from sanya.surfaces.mcp.middleware import CALLING_METHODS, REQUEST_TIMEOUT_S, STREAMS

TOOL = "the tool's"
IDLE = "idle time"
PUBLIC, ANY_CALLER = "public", "any caller"
OWNER = "*"


class Way(NamedTuple):
    """How a way in is guarded. `sample` is a path of the route, if the route itself is none."""

    scope: str
    limit: str
    deadline: float | str
    sample: str = ""


_READ = Way(ANY_CALLER, "requests", 60)
_PAGE = Way(PUBLIC, "connections", 60)

HTTP = {
    "GET /": _PAGE,
    "GET /graphiql": _PAGE,
    "GET /health": _PAGE,
    "GET /health/live": _PAGE,
    r"GET /\.well\-known/oauth\-protected\-resource.*": _PAGE._replace(sample="/.well-known/oauth-protected-resource"),
    "GET /console/widgets/.*": _PAGE._replace(sample="/console/widgets/rmf-fund-list"),
    "GET /graphiql/.*": _PAGE._replace(sample="/graphiql/none.js"),
    "GET (?!/console/api)/console/.*": _PAGE._replace(sample="/console/none.js"),
    "GET /tools": _READ,
    "POST /tools": Way(TOOL, "calls", TOOL),
    "GET /tools/[^/]*": _READ._replace(sample="/tools/get_tasks"),
    "POST /tools/[^/]*": Way(TOOL, "calls", TOOL, "/tools/get_tasks"),
    "GET /openapi.json": _READ,
    "GET /metrics": Way("metrics:read", "requests", 60),
    "GET /graphql": Way(TOOL, "requests", 3660),
    "POST /graphql": Way(TOOL, "requests", 3660),
    "GET /evaluations": Way("herbs:read", "requests", 60),
    "GET /evaluations/[^/]*": Way("herbs:read", "requests", 60, "/evaluations/none"),
    "GET /jobs": _READ,
    "GET /jobs/.*": _READ._replace(sample="/jobs/none"),
    "GET /console/api/session": _READ,
    "GET /console/api/holdings": _READ,
    "GET /console/api/suite": Way("tasks:read", "requests", 60, "/console/api/suite?name=tasks"),
    "GET /console/api/clients": _READ,
    "GET /console/api/inbox": Way("herbs:write", "requests", 60),
    "GET /console/api/ledger": _READ,
    "GET /console/api/call": _READ,
    "POST /console/api/replay": Way(ANY_CALLER, "requests", 900),
    "GET /console/api/verification": Way("audit:read", "requests", 60),
    "POST /console/api/verification": Way("audit:read", "requests", 60),
    "GET /console/api/herbs/review": Way("herbs:read", "requests", 60),
    "GET /console/api/herbs/statement": Way("herbs:read", "requests", 60),
    "POST /console/api/herbs/statement": Way("herbs:review", "requests", 60),
    "POST /console/api/herbs/undo": Way("herbs:review", "requests", 60),
    "GET /console/api/herbs/coverage": Way("herbs:read", "requests", 60),
    "GET /console/api/herbs/labels": Way("herbs:read", "requests", 60),
    "GET /console/api/papers": Way("papers:read", "requests", 60),
    "GET /console/api/paper": Way("papers:read", "requests", 60, "/console/api/paper?pmid=1"),
    "GET /console/api/watches": Way("papers:read", "requests", 60),
    "POST /console/api/watches": Way(OWNER, "requests", 60),
    "GET /console/api/settings": Way(OWNER, "requests", 60),
    "POST /console/api/settings": Way(OWNER, "requests", 60),
    "GET /console/api/keys": Way(OWNER, "requests", 60),
    "POST /console/api/keys": Way(OWNER, "requests", 60),
    "POST /console/api/keys/revoke": Way(OWNER, "requests", 60),
    "GET /console/api/backups": Way(OWNER, "requests", 60),
    "POST /console/api/backups": Way(OWNER, "requests", 60),
    "GET /console/api/imports": Way(OWNER, "requests", 60),
    "POST /console/api/imports": Way(OWNER, "requests", 60),
    "POST /console/api/upload": Way(OWNER, "requests", 900),
    "GET /console/api/operations": Way("metrics:read", "requests", 60),
    "GET /console/api/resource": Way(TOOL, "requests", 60, "/console/api/resource?uri=tasks://task/1"),
    "GET /console/api/complete": Way(
        TOOL, "requests", 60, "/console/api/complete?prompt=project_status&argument=project"
    ),
}
MCP = {
    "tools/call": Way(TOOL, "calls", TOOL),
    "resources/read": Way(TOOL, "calls", 30),
    "completion/complete": Way(TOOL, "calls", 5),
    "subscriptions/listen": Way(ANY_CALLER, "streams", IDLE),
    "tools/list": Way(ANY_CALLER, "requests", 30),
    "resources/list": Way(ANY_CALLER, "requests", 30),
    "resources/templates/list": Way(ANY_CALLER, "requests", 30),
    "prompts/list": Way(ANY_CALLER, "requests", 30),
    "prompts/get": Way(ANY_CALLER, "requests", 30),
    "ping": Way(ANY_CALLER, "requests", 30),
    "server/discover": Way(ANY_CALLER, "requests", 30),
}
"""Methods of POST /mcp and /mcp/portable. The SDK serves `initialize`, which passes the same middleware. GET is a
stream of its caller, DELETE ends nothing, because the server keeps no sessions."""
GRPC = {
    "/sanya.v1.ResourcesService/ListResources": Way(ANY_CALLER, "requests", "message"),
    "/sanya.v1.ResourcesService/ReadResource": Way(TOOL, "calls", 30),
    CHECK: Way(PUBLIC, "connections", "message"),
    WATCH: Way(ANY_CALLER, "streams", IDLE),
    **{path: Way(ANY_CALLER, "streams", IDLE) for path in reflection.PATHS},
}
GRAPHQL = {"resource": Way(TOOL, "calls", 30), "resources": Way(ANY_CALLER, "requests", 60)}
"""Fields that are no tools. `__schema` and `__type` count as the request that has them."""

TOOLS = {
    "get_tasks": ("tasks:read", 30),
    "get_projects": ("tasks:read", 30),
    "get_weekly_review": ("tasks:read", 30),
    "search_tasks": ("tasks:read", 30),
    "get_task_changelogs": ("tasks:read", 30),
    "get_rmf_funds": ("funds:read", 30),
    "search_rmf_funds": ("funds:read", 30),
    "get_rmf_fund_performance": ("funds:read", 30),
    "get_rmf_fund_detail": ("funds:read", 30),
    "get_rmf_fund_nav_history": ("funds:read", 30),
    "compare_rmf_funds": ("funds:read", 30),
    "rank_rmf_funds": ("funds:read", 30),
    "simulate_rmf_dca": ("funds:read", 30),
    "plan_rmf_contribution": ("funds:read", 30),
    "portfolio_rmf": ("funds:read", 30),
    "send_memory": ("memory:write", 30),
    "get_memory": ("memory:read", 30),
    "correct_memory": ("memory:write", 30),
    "forget_memory": ("memory:erase", 30),
    "list_memories": ("memory:read", 30),
    "get_entity": ("memory:read", 30),
    "tool.query_kg": ("herbs:read", 30),
    "tool.find_contraindications": ("herbs:read", 30),
    "tool.hybrid_search": ("herbs:read", 120),
    "tool.rag_answer": ("herbs:read", 120),
    "tool.eval.run": ("herbs:write", 600),
    "tool.ingest.run": ("herbs:write", 3600),
    "tool.ingest.status": ("herbs:read", 120),
    "tool.ingest.cancel": ("herbs:write", 120),
    "tool.ingest.rollback": ("herbs:write", 120),
    "rag.search": ("papers:read", 120),
    "rag.get": ("papers:read", 120),
    "corpus.checkpoint.get": ("papers:read", 120),
    "corpus.checkpoint.create": ("papers:write", 600),
    "corpus.checkpoint.list": ("papers:read", 120),
    "corpus.status": ("papers:read", 120),
    "papers.cite": ("papers:read", 120),
    "papers.resolve": ("papers:read", 120),
    "papers.related": ("papers:read", 120),
    "papers.mesh": ("papers:read", 120),
    "papers.fulltext.search": ("papers:read", 120),
    "papers.fulltext.get": ("papers:read", 120),
    "papers.fulltext.fetch": ("papers:write", 600),
    "pubmed.sync.incremental": ("papers:write", 300),
    "pubmed.fetch": ("papers:write", 300),
    "pubmed.sync_delta": ("papers:write", 3600),
}
RESOURCES = {
    "tasks://task/{id}": "tasks:read",
    "funds://fund/{code}": "funds:read",
    "component://*": "funds:read",
    "ui://*": "funds:read",
    "memory://contradictions": "memory:read",
    "memory://contradictions/{state}/{page}": "memory:read",
    "memory://{id}": "memory:read",
    "memory://{id}/{page}": "memory:read",
    "kg://herb/{id}": "herbs:read",
    "kg://{type}/{id}": "herbs:read",
    "paper://pmid/{id}": "herbs:read",
    "eval://reports": "herbs:read",
    "eval://report/{id}": "herbs:read",
    "job://{id}/log": "herbs:read",
    "resource://pubmed/paper/{pmid}": "papers:read",
}
"""Read in 30 seconds, as calls."""
PROMPTS = {
    "weekly_review", "plan_day", "project_status", "compare_funds", "find_fund", "explain_fund_risk", "what_we_know",
    "what_contradicts", "remember", "herb_safety", "herb_profile", "herbs_for", "evidence_for", "news_on",
    "compare_treatments", "summarise_paper",
}  # fmt: skip
"""Rendered for any caller, since they hold no data; each argument has at most 10,000 characters."""


@pytest.fixture
async def app(begun_home: Path) -> AsyncIterator[App]:
    async with sanya.open(begun_home, require_auth=True, rate_limit_per_minute=0) as opened:
        yield opened


@pytest.fixture
def application(app: App) -> Application:
    return build_application(app)


@pytest.fixture
async def client(application: Application) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(application)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8787", timeout=30) as opened:
        yield opened


def test_every_http_route_is_listed_with_its_limit_and_deadline(application: Application) -> None:
    found = {}
    for path, route in application.routes.list_all().items():
        for method in route.handlers:
            limit = "connections" if route.public else "calls" if method in route.calls else "requests"
            found[f"{method} {path}"] = limit, TOOL if method in route.calls else route.timeout_s
    assert found == {name: (way.limit, way.deadline) for name, way in HTTP.items()}
    assert set(application.endpoints) == {"/mcp", "/mcp/portable"}


async def test_every_http_route_checks_the_scope_that_is_listed(app: App, client: httpx.AsyncClient) -> None:
    nothing = {"authorization": f"Bearer {await app.keys.create('nothing', [])}"}
    for name, way in HTTP.items():
        method, _, path = name.partition(" ")
        path = way.sample or path
        without = await client.request(method, path)
        assert (without.status_code == 401) is (way.scope != PUBLIC), (name, without.status_code)
        if ":" in way.scope or way.scope == OWNER:
            refused = await client.request(method, path, headers=nothing)
            assert refused.status_code == 403 and way.scope in refused.text, (name, refused.text)
        elif way.scope == ANY_CALLER:
            assert (await client.request(method, path, headers=nothing)).status_code in (200, 404), name


def test_every_mcp_method_is_listed(application: Application) -> None:
    for endpoint in application.endpoints.values():
        assert set(endpoint.server._request_handlers) == set(MCP)
    assert {method for method, way in MCP.items() if way.limit == "calls"} == CALLING_METHODS
    assert {method for method, way in MCP.items() if way.limit == "streams"} == STREAMS
    assert {way.deadline for way in MCP.values() if way.limit == "requests"} == {REQUEST_TIMEOUT_S}


def test_every_grpc_method_is_a_tool_or_listed(app: App) -> None:
    server = GrpcServer(app)
    assert len(server.list_paths() - set(GRPC)) == sum(scope.endswith(":read") for scope, _ in TOOLS.values())
    assert server.list_paths() >= set(GRPC)


def test_every_graphql_field_is_a_tool_or_listed(app: App) -> None:
    schema = build_schema(app.kernel.catalogue)
    fields: set[str] = set()
    for root in (schema.query_type, schema.mutation_type, schema.subscription_type):
        fields |= set(root.fields) if isinstance(root, GraphQLObjectType) else set()
    portable = {tool.portable_name for tool in app.kernel.catalogue.tools}
    assert fields - portable == set(GRAPHQL)


def test_every_tool_resource_prompt_and_completion_is_listed(app: App) -> None:
    catalogue = app.kernel.catalogue
    assert {tool.name: (" ".join(tool.required_scopes), tool.timeout_ms / 1000) for tool in catalogue.tools} == TOOLS
    found = {}
    for resource in catalogue.resources:
        reading = catalogue.find_resource_tool(resource.uri)
        assert reading is not None and reading.timeout_ms == 30_000
        scheme = resource.uri.partition("://")[0]
        listed = f"{scheme}://*" if scheme in ("ui", "component") else resource.uri
        found[listed] = " ".join(reading.required_scopes)
        for argument in resource.complete:
            _check_completion(app, resource.uri, argument)
    assert found == RESOURCES
    assert set(catalogue.prompts) == PROMPTS
    for prompt in catalogue.prompts.values():
        for described in prompt.arguments:
            if described.complete is not None:
                _check_completion(app, prompt.name, described.name)


def _check_completion(app: App, ref: str, argument: str) -> None:
    tool = app.kernel.catalogue.find_completion_tool(ref, argument)
    assert tool is not None and tool.name == COMPLETION and tool.required_scopes == (f"{tool.suite}:read",)
    assert tool.timeout_ms / 1000 == MCP["completion/complete"].deadline


async def test_requests_that_make_no_call_have_a_rate_too(begun_home: Path) -> None:
    """Send more than the burst of ten seconds' worth at once. A low rate leaves room for the handshake."""
    burst = MIN_REQUESTS_PER_MINUTE // 6
    async with sanya.open(begun_home, require_auth=True, rate_limit_per_minute=1) as app:
        transport = httpx.ASGITransport(build_application(app))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8787") as client:
            requests: dict[str, tuple[str, dict[str, Any]]] = {
                "listing": ("/tools", {}),
                "console": ("/console/api/session", {}),
                "introspection": ("/graphql", {"params": {"query": "{ __typename }"}}),
            }
            for name, (path, more) in requests.items():
                key = {"authorization": f"Bearer {await app.keys.create(name, [])}"}
                answers = await asyncio.gather(*(client.get(path, headers=key, **more) for _ in range(burst + 20)))
                statuses = [answer.status_code for answer in answers]
                assert statuses[:10] == [200] * 10, name
                assert 429 in statuses and set(statuses) == {200, 429}, name
                assert next(answer for answer in answers if answer.status_code == 429).headers["retry-after"]
