"""Opens the guest suites: those that installed packages declare under the entry point `sanya.suites`.

A guest that fails to load is named with its reason and does not take the others down: neither the built-in suites nor
other guests. It gets its own tables, settings and cursors, and meets other suites through the kernel alone.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from sanya.assembly.home_resources import HomeResources
from sanya.engines.guest_schema import BadMigration, migrate_guest
from sanya.kernel.calls.call import Answered, Call, Context, Refused
from sanya.kernel.contracts.lock import BrokenContract
from sanya.kernel.contracts.suite import Suite
from sanya.kernel.cursors import Cursors
from sanya.kernel.faults import Fault, Unavailable
from sanya.published_contracts import LOCK_NAME, read_lock
from sanya.settings import load_suite_settings
from sanya.suite.definition import SuiteDefinition, SuiteHome
from sanya.suite.guest_store import Store
from sanya.suite.servers import McpServer, McpServerAddress
from sanya.suites.registry import BUILT_IN

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from sanya.kernel.calls.dispatch import Kernel
    from sanya.sources.mcp_server import McpServerClient

log = logging.getLogger(__name__)

_OPEN_TIMEOUT_S = 30.0

ServerOpener = Callable[[str, McpServerAddress], "McpServerClient"]
GuestStateName = Literal["served", "disabled", "failed"]


class BadGuest(ValueError):
    """A guest suite that cannot be served. The message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuestSuite:
    """A guest suite as this server found it. `reason` says why it failed."""

    name: str
    package: str
    version: str
    state: GuestStateName
    reason: str = ""
    definition: SuiteDefinition | None = None
    suite: Suite | None = None


class KernelBridge:
    """Lets guests call tools through the kernel, which is built after them."""

    kernel: Kernel | None = None

    async def call(self, tool: str, arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Call a tool as the caller of the context, with that caller's scopes and limits."""
        if self.kernel is None:
            raise Unavailable("the server is still starting; call other tools from a handler")
        outcome = await self.kernel.call(Call(tool, arguments, caller=context.caller, surface="suite"))
        match outcome:
            case Answered():
                return outcome.body
            case Refused():
                raise outcome.fault


async def open_guests(
    resources: HomeResources, bridge: KernelBridge, entries: Iterable[EntryPoint]
) -> list[GuestSuite]:
    """Open every guest that is not disabled, one after the other."""
    guests: list[GuestSuite] = []
    for entry in entries:
        taken = frozenset(guest.name for guest in guests) | frozenset(BUILT_IN)
        guests.append(await _open_guest(entry, resources, bridge, taken))
    return guests


async def _open_guest(
    entry: EntryPoint, resources: HomeResources, bridge: KernelBridge, taken: frozenset[str]
) -> GuestSuite:
    package, release = (entry.dist.name, entry.dist.version) if entry.dist else ("", "")
    found = GuestSuite(name=entry.name, package=package, version=release, state="disabled")
    if entry.name in resources.settings.suites_disabled:
        return found
    try:
        if entry.name in taken:
            raise BadGuest(f"another suite is called {entry.name}; rename the entry point")
        definition = await asyncio.to_thread(_load_definition, entry)
        async with asyncio.timeout(_OPEN_TIMEOUT_S):
            suite = await definition.open(await _build_home(definition, resources, bridge))
        _check_suite(definition, suite)
        return replace(found, state="served", definition=definition, suite=suite)
    except (Exception, SystemExit) as error:  # a guest is foreign code: whatever it raises must not stop the server
        reason = _describe_failure(error)
        # The traceback is for who writes the suite: everybody else reads the reason.
        trace = error if log.isEnabledFor(logging.DEBUG) else None
        log.error("the suite %s of the package %s is not served: %s", entry.name, package, reason, exc_info=trace)
        return replace(found, state="failed", reason=reason)


def _describe_failure(error: BaseException) -> str:
    """Return the reason in words. Where its class says more than its message, name the class, file and line."""
    if isinstance(error, BadGuest | BadMigration | Fault | BrokenContract):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({Path(place[0].filename).name}, line {place[0].lineno})" if place else ""
    return f"{type(error).__name__}: {error}{where}; log_level = debug shows the traceback"


def _load_definition(entry: EntryPoint) -> SuiteDefinition:
    definition = getattr(entry.load(), "definition", None)
    if not isinstance(definition, SuiteDefinition):
        raise BadGuest(f"{entry.value} must be a SuiteDefinition or a FunctionSuite")
    if definition.name != entry.name:
        raise BadGuest(f"the entry point is called {entry.name}, but the suite {definition.name}; use one name")
    return definition


async def _build_home(definition: SuiteDefinition, resources: HomeResources, bridge: KernelBridge) -> SuiteHome:
    await migrate_guest(resources.database, definition.name, definition.migrations)
    return SuiteHome(
        store=Store(definition.name, resources.database),
        cursors=Cursors(await resources.vault.get_secret(f"guest {definition.name} cursors")),
        settings=read_suite_settings(definition, resources.settings.home),
        call=bridge.call,
        connect=partial(_connect_server, definition.name, resources),
    )


def open_server(name: str, address: McpServerAddress) -> McpServerClient:
    """Return a client of another MCP server, which connects with its first use. Close it."""
    from importlib.metadata import version  # here, and the SDK's client, because both take long to load

    from sanya.sources.mcp_server import McpServerClient

    return McpServerClient(name, address, version("sanya"))


def _connect_server(name: str, resources: HomeResources, address: McpServerAddress) -> McpServer:
    server = open_server(name, address)
    resources.stack.push_async_callback(server.close)
    return server


def read_suite_settings(definition: SuiteDefinition, home: Path) -> Any:
    """Return the settings of a suite in this home, or None for a suite without any."""
    if definition.settings is None:
        return None
    given = load_suite_settings(home, definition.name, definition.settings.model_fields)
    try:
        return definition.settings.model_validate(given, strict=False)  # the environment has only texts
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BadGuest(f"setting {definition.name}.{place}: {first['msg']}") from None


def _check_suite(definition: SuiteDefinition, suite: Suite) -> None:
    """Check that everything stands in the suite's own namespace, and that it keeps its published contracts."""
    name = definition.name
    owners = [tool.suite for tool in suite.tools] + [resource.suite for resource in suite.resources]
    if {suite.name, *owners, *(prompt.suite for prompt in suite.prompts)} != {name}:
        raise BadGuest(f"the suite and all its parts must be called {name}")
    for tool in suite.tools:
        _check_prefix("tool", tool.name, (f"{name}.", f"{name}_"))
        for scope in tool.required_scopes:
            _check_prefix("scope", scope, (f"{name}:",))
    for resource in suite.resources:
        _check_prefix("resource", resource.uri, (f"{name}://",))
    for prompt in suite.prompts:
        _check_prefix("prompt", prompt.name, (f"{name}.", f"{name}_", f"{name}-"))
    names = [tool.portable_name for tool in suite.tools]
    if len(set(names)) != len(names):
        raise BadGuest("two of its tools have the same portable name")
    if definition.contracts is not None and (definition.contracts / LOCK_NAME).is_file():
        differences = read_lock(definition.contracts).find_differences(suite.tools)
        if breaches := [difference for difference in differences if difference.breaking]:
            raise BrokenContract(breaches)


def _check_prefix(kind: str, name: str, prefixes: tuple[str, ...]) -> None:
    if not name.startswith(prefixes):
        raise BadGuest(f"the {kind} {name} must begin with {' or '.join(prefixes)}")
