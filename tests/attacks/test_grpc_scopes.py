"""Every gRPC method and resource, with valid arguments: refused to a key that lacks its scope, open to one that has it.

The key that lacks the scope has all the others, so that no other scope opens the method.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from sanya.kernel.contracts.schema_types import to_type_name
from sanya.kernel.contracts.tool import Tool
from sanya.published_contracts import find_published_folder
from sanya.surfaces.grpc.encoding import Encoding
from sanya.surfaces.grpc.proto import build_proto
from sanya.surfaces.schema_files import read_numbers
from tests.attacks.conftest import AttackedServer, serve_home
from tests.attacks.grpc_client import GrpcClient, credentials, grpc_client
from tests.sources.pages import Pages

DENIED = "PERMISSION_DENIED"
# The starter data has no full text, so that no example of this tool would work.
WITHOUT_EXAMPLE = {"papers.fulltext.get": {"doc_id": "pmid:1"}}
PLACEHOLDER = re.compile(r"\{[^}]+\}")


@dataclass(frozen=True)
class ScopedServer(AttackedServer):
    client: GrpcClient
    encoding: Encoding
    tools: tuple[Tool, ...]
    """Those that are methods."""
    without: dict[str, str]
    """A key for each scope, with all scopes but that."""
    alone: dict[str, str]
    """A key for each scope, with that alone."""

    async def call(self, tool: Tool, arguments: Mapping[str, Any], key: str) -> tuple[str, Any]:
        method = to_type_name(tool.name)
        write = self.encoding.get_writer(f"{method}Request")
        fields = dict(arguments) if write is None else write(arguments)
        message = self.client.messages.get_message_class(f"{method}Request")(**fields)
        return await self.client.send(method, message.SerializeToString(), credentials(key))


def list_arguments(tool: Tool) -> list[Mapping[str, Any]]:
    """List arguments that the tool accepts."""
    if tool.name in WITHOUT_EXAMPLE:
        return [WITHOUT_EXAMPLE[tool.name]]
    return [example.arguments for example in tool.examples]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def scoped(
    indexed_home: Path, tmp_path_factory: pytest.TempPathFactory, upstream: Pages
) -> AsyncIterator[ScopedServer]:
    home = shutil.copytree(indexed_home, tmp_path_factory.mktemp("scopes") / "home")
    settings = {"require_auth": True, "rate_limit_per_minute": 0, "entrez_url": upstream.url}
    async with serve_home(home, **settings) as served, grpc_client(served.app, served.grpc_port) as client:
        catalogue = served.app.kernel.catalogue
        file = build_proto(catalogue, read_numbers(find_published_folder()))
        names = {method.tool for service in file.services for method in service.methods}
        tools = tuple(tool for tool in catalogue.tools if tool.name in names)
        scopes = sorted({scope for tool in catalogue.tools for scope in tool.required_scopes})
        without = {
            scope: await served.app.keys.create(f"without {scope}", [other for other in scopes if other != scope])
            for scope in scopes
        }
        alone = {scope: await served.app.keys.create(f"only {scope}", [scope]) for scope in scopes}
        ports = served.port, served.grpc_port
        yield ScopedServer(served.app, *ports, home, client, Encoding(file), tools, without, alone)


async def test_every_method_is_refused_without_its_scope(scoped: ScopedServer) -> None:
    for tool in scoped.tools:
        for arguments in list_arguments(tool):
            for scope in tool.required_scopes:
                status, said = await scoped.call(tool, arguments, scoped.without[scope])
                assert status == DENIED, (tool.name, arguments, status, said)
                assert scope in said, said


async def test_every_method_is_open_to_a_key_with_its_scope_alone(scoped: ScopedServer) -> None:
    for tool in scoped.tools:
        (scope,) = tool.required_scopes
        expected = "NOT_FOUND" if tool.name in WITHOUT_EXAMPLE else "OK"
        for arguments in list_arguments(tool):
            status, said = await scoped.call(tool, arguments, scoped.alone[scope])
            assert status == expected, (tool.name, arguments, status, said)


def test_every_tool_that_reads_is_a_method_and_is_called(scoped: ScopedServer) -> None:
    reading = {tool.name for tool in scoped.app.kernel.catalogue.tools if tool.effect == "read"}
    assert {tool.name for tool in scoped.tools} == reading
    assert all(list_arguments(tool) for tool in scoped.tools)


async def test_every_resource_is_refused_without_its_scope(scoped: ScopedServer) -> None:
    for resource in scoped.app.kernel.catalogue.resources:
        uri = PLACEHOLDER.sub("x", resource.uri)
        tool = scoped.app.kernel.catalogue.find_resource_tool(uri)
        assert tool is not None, uri
        (scope,) = tool.required_scopes
        assert (await scoped.client.read(uri, scoped.without[scope]))[0] == DENIED, uri
        status, said = await scoped.client.read(uri, scoped.alone[scope])
        assert status in ("OK", "NOT_FOUND", "INVALID_ARGUMENT"), (uri, status, said)


async def test_no_method_answers_without_a_key(scoped: ScopedServer) -> None:
    for tool in scoped.tools:
        assert (await scoped.call(tool, list_arguments(tool)[0], ""))[0] == "UNAUTHENTICATED", tool.name
    for method in ("ListResources", "ReadResource"):
        assert (await scoped.client.send(method, b""))[0] == "UNAUTHENTICATED", method
