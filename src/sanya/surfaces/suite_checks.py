"""Checks of a guest suite: what we demand of our own suites, as a list of problems in words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from sanya.assembly.guests import open_server, read_suite_settings
from sanya.kernel.calls.call import Call, Refused
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.lock import find_publishing_problems
from sanya.kernel.faults import Fault, Internal
from sanya.published_contracts import LOCK_NAME, BadLock, find_published_folder, read_lock
from sanya.suite.proxy import ProxySuite, find_drift, list_new_tools, read_listing
from sanya.suite.schema_shapes import SchemaShape
from sanya.surfaces.grpc.field_numbers import FieldNumberConflict
from sanya.surfaces.grpc.proto import ProtoNameConflict
from sanya.surfaces.schema_files import build_guest_numbers
from sanya.surfaces.suite_inputs import NoValue, draw_inputs, list_wrong_inputs

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.assembly.guests import GuestSuite
    from sanya.kernel.contracts.suite import Suite
    from sanya.kernel.contracts.tool import Tool
    from sanya.suite.definition import SuiteDefinition

_SHOWN_CHARS = 200


async def find_suite_problems(app: App, guest: GuestSuite) -> list[str]:
    """Return every problem of an installed suite. The examples run in the home of `app`, which should be empty."""
    if guest.suite is None or guest.definition is None:
        return [f"{guest.name} is not served: {guest.reason}"]
    tools = guest.suite.tools
    problems = [problem for tool in tools for problem in find_publishing_problems(tool)]
    problems += [f"{tool.name}: {place} has no bound" for tool in tools for place in _find_unbounded(tool.input_schema)]
    problems += _find_lock_problems(guest.suite, guest.definition)
    problems += _find_schema_problems(app.kernel.catalogue)
    problems += await _find_drift_problems(app, guest)
    # Writes first: a read often needs what an example writes.
    for tool in sorted(tools, key=lambda tool: tool.effect == "read"):
        problems += [problem async for problem in _try_examples(app, tool)]
    for tool in tools:
        # The inputs of a proxy are the server's own to try; a call there may cost or change something.
        if tool.examples and not issubclass(tool.input, SchemaShape):
            problems += [problem async for problem in _try_wrong_inputs(app, tool)]
            problems += [problem async for problem in _try_drawn_inputs(app, tool)]
    return problems


async def _find_drift_problems(app: App, guest: GuestSuite) -> list[str]:
    """Compare the saved listing of a proxy with what its server lists now."""
    proxy = None if guest.definition is None else guest.definition.proxy
    if not isinstance(proxy, ProxySuite) or guest.definition is None:
        return []
    server = open_server(guest.name, proxy.get_address(read_suite_settings(guest.definition, app.settings.home)))
    try:
        live = await server.list_all()
    except Fault as fault:
        return [f"drift is not checked: {fault.message}"]
    finally:
        await server.close()
    saved = read_listing(proxy.listing)
    return [*find_drift(proxy, saved, live).values(), *list_new_tools(proxy, saved, live)]


async def _try_examples(app: App, tool: Tool) -> AsyncIterator[str]:
    if not tool.examples and not issubclass(tool.input, SchemaShape):
        yield f"{tool.name} has no example; parity and the docs need one"
    for example in tool.examples:
        outcome = await app.kernel.call(Call(tool.name, example.arguments))
        if isinstance(outcome, Refused):
            yield f"{tool.name}: the example {example.title!r} is refused: {outcome.message}"


async def _try_wrong_inputs(app: App, tool: Tool) -> AsyncIterator[str]:
    for wrong in list_wrong_inputs(tool.typed_input_schema, tool.examples[0].arguments):
        outcome = await app.kernel.call(Call(tool.name, wrong.arguments))
        if not isinstance(outcome, Refused):
            yield f"{tool.name} takes an input of which {wrong.problem}"
        elif isinstance(outcome.fault, Internal):
            yield f"{tool.name} fails on an input of which {wrong.problem}: {outcome.message}"


async def _try_drawn_inputs(app: App, tool: Tool) -> AsyncIterator[str]:
    """Try inputs that the schema allows: each is answered, or refused in words."""
    if tool.effect != "read":
        return
    try:
        for arguments in draw_inputs(tool.typed_input_schema, tool.examples[0].arguments):
            outcome = await app.kernel.call(Call(tool.name, arguments))
            if isinstance(outcome, Refused) and isinstance(outcome.fault, Internal):
                yield f"{tool.name} fails on {shorten(str(arguments), _SHOWN_CHARS)}: {outcome.message}"
                return
    except NoValue:
        return  # a required argument keeps to a pattern: the examples alone show what it takes


def _find_unbounded(schema: Mapping[str, Any], place: str = "input") -> Iterator[str]:
    """Yield the texts and lists of an input that may be of any size."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "string" in kinds and not {"maxLength", "enum", "const", "format"} & schema.keys():
        yield place
    if "array" in kinds and "maxItems" not in schema:
        yield place
    for name, member in schema.get("properties", {}).items():
        yield from _find_unbounded(member, f"{place}.{name}")
    if isinstance(items := schema.get("items"), Mapping):
        yield from _find_unbounded(items, f"{place}[]")
    for branch in schema.get("anyOf", ()):
        yield from _find_unbounded(branch, place)


def _find_lock_problems(suite: Suite, definition: SuiteDefinition) -> list[str]:
    folder = definition.contracts
    if folder is None or not (folder / LOCK_NAME).is_file():
        return [f"the package ships no published contracts; run `sanya suite lock {suite.name}`"]
    try:
        differences = read_lock(folder).find_differences(suite.tools)
        build_guest_numbers(Catalogue([suite]), folder, find_published_folder())
    except (BadLock, FieldNumberConflict, ProtoNameConflict) as problem:
        return [str(problem)]
    return [f"{'breaking' if found.breaking else 'unpublished'}: {found}" for found in differences]


def _find_schema_problems(catalogue: Catalogue) -> list[str]:
    from sanya.surfaces.graphql.schema import build_schema  # here: graphql-core is slow to load

    try:
        build_schema(catalogue)
    except (TypeError, ValueError) as problem:
        return [f"GraphQL: {problem}"]
    return []
