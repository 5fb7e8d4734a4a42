"""`sanya NAME`: the command of a guest suite. Lists its tools, or calls one with an option for each argument."""

from __future__ import annotations

from argparse import REMAINDER, ArgumentParser, Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

from sanya.kernel.calls.call import Answered, Call, Outcome, Refused
from sanya.kernel.strict_json import DuplicateName, parse_json
from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import FAULT, OK
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.contracts.suite import Suite
    from sanya.kernel.contracts.tool import Tool


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("tool", nargs="?", help="Name of a tool; without it, the tools are listed.")
    parser.add_argument("given", nargs=REMAINDER, metavar="--ARGUMENT VALUE", help="Arguments of the tool.")


def run(options: Namespace) -> int:
    name = str(options.guest_suite)

    async def work(app: App) -> Outcome | Suite:
        suite = next((suite for suite in app.kernel.catalogue.suites if suite.name == name), None)
        if suite is None:
            raise CommandFailed(f"the suite {name} is not served; `sanya suites` says why")
        suite = await suite.open()
        if options.tool is None:
            return suite
        tool = app.kernel.catalogue.find_tool(f"{name}.{options.tool}") or app.kernel.catalogue.find_tool(options.tool)
        if tool is None or tool.suite != name:
            known = ", ".join(_write_short_name(tool, name) for tool in suite.tools)
            raise CommandFailed(f"{name} has no tool {options.tool!r}; it has: {known or 'none'}")
        arguments = read_given(tool.input_schema, f"sanya {name} {options.tool}", options.given)
        return await app.kernel.call(Call(tool.name, arguments, surface="cli"))

    outcome = run_in_home(options, work)
    match outcome:
        case Answered():
            write_json(outcome.body)
        case Refused():
            write_json(outcome.error)
            return FAULT
        case _:
            tools = [(_write_short_name(tool, name), tool.effect, tool.description) for tool in outcome.tools]
            write_table(("tool", "effect", "what it does"), tools)
    return OK


def read_given(schema: Mapping[str, Any], program: str, given: list[str]) -> dict[str, Any]:
    """Return the arguments that the options give. What a schema takes as a text stays one; the rest is JSON."""
    parser = ArgumentParser(prog=program, allow_abbrev=False)
    for name, member in schema.get("properties", {}).items():
        shown = str(member.get("description", "")).replace("%", "%%")
        parser.add_argument(f"--{name}", dest=name, help=shown, metavar=str(member.get("type", "JSON")))
    options = vars(parser.parse_args(given))
    properties = schema.get("properties", {})
    return {name: _read_value(properties[name], text) for name, text in options.items() if text is not None}


def _read_value(schema: Mapping[str, Any], text: str) -> Any:
    kinds = schema.get("type", ())
    if "string" in ((kinds,) if isinstance(kinds, str) else kinds):
        return text
    try:
        return parse_json(text)
    except (orjson.JSONDecodeError, DuplicateName):
        return text  # the contract refuses it, and says what it takes


def _write_short_name(tool: Tool, suite: str) -> str:
    return tool.name.removeprefix(f"{suite}.")
