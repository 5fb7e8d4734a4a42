"""`sanya tools`: list the tools, or show the contract of one tool in readable form."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

import orjson

from sanya.surfaces.cli.failures import CommandFailed
from sanya.surfaces.cli.home import run_in_home
from sanya.surfaces.cli.main import OK
from sanya.surfaces.cli.output.schema_rows import FIELD_COLUMNS, list_field_rows
from sanya.surfaces.cli.output.tables import write_table
from sanya.surfaces.cli.output.terminal import write_json, write_line
from sanya.surfaces.tool_texts import LISTING_LANGUAGES, ListingLanguage, read_tool_text

if TYPE_CHECKING:
    from sanya.app import App
    from sanya.kernel.contracts.catalogue import Catalogue
    from sanya.kernel.contracts.tool import Tool

EXAMPLES = """examples:
  sanya tools
  sanya tools get_tasks
  sanya tools get_tasks --lang th
  sanya tools --json"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="Show the contract of this tool.")
    parser.add_argument("--lang", choices=LISTING_LANGUAGES, default="en", help="Language of titles and descriptions.")
    parser.add_argument("--json", action="store_true", help="Print the contracts as JSON, which are in English.")


def run(options: Namespace) -> int:
    async def work(app: App) -> Catalogue:
        return app.kernel.catalogue

    catalogue = run_in_home(options, work, lazily=True)
    if options.name is None:
        _list(catalogue, options.json, options.lang)
        return OK
    tool = catalogue.find_tool(options.name)
    if tool is None:
        raise CommandFailed(catalogue.suggest(options.name))
    if options.json:
        write_json(tool.contract)
    else:
        _show(tool, options.lang)
    return OK


def _list(catalogue: Catalogue, as_json: bool, language: ListingLanguage) -> None:
    if as_json:
        write_json([tool.contract for tool in catalogue.tools])
        return
    rows = [(tool.name, tool.suite, tool.effect, _summarise(tool, language)) for tool in catalogue.tools]
    write_table(("tool", "suite", "effect", "description"), rows)


def _summarise(tool: Tool, language: ListingLanguage) -> str:
    """Return the first sentence of the description. Thai has no full stop, so there the title stands for it."""
    text = read_tool_text(tool, language)
    return text.title if text.title != tool.title else text.description.split(". ")[0].rstrip(".")


def _show(tool: Tool, language: ListingLanguage) -> None:
    text = read_tool_text(tool, language)
    write_line(f"{tool.name}: {text.title}")
    write_line(text.description)
    write_line()
    write_line(f"suite    {tool.suite}")
    write_line(f"effect   {tool.effect}")
    write_line(f"scopes   {', '.join(tool.required_scopes)}")
    write_line(f"timeout  {tool.timeout_ms} ms")
    write_line(f"errors   {', '.join(tool.dialect.codes)}")
    if tool.portable_name != tool.name:
        write_line(f"alias    {tool.portable_name}")
    for title, schema in (("Input", text.input_schema), ("Output", tool.output_schema)):
        write_line(f"\n{title}:")
        write_table(FIELD_COLUMNS, list_field_rows(schema))
    _show_examples(tool)


def _show_examples(tool: Tool) -> None:
    if tool.examples:
        write_line("\nExamples:")
    for example in tool.examples:
        arguments = orjson.dumps(dict(example.arguments)).decode("utf-8").replace("'", "'\\''")
        write_line(f"  # {example.title}\n  sanya call {tool.name} '{arguments}'")
