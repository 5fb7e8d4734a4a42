"""Renders docs/tools.md from the contracts of all tools."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Sequence

import orjson

import sanya
from docs.markdown import mark_code, render_table
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.suite import Prompt, Suite
from sanya.kernel.contracts.tool import Tool
from sanya.surfaces.cli.output.schema_rows import FIELD_COLUMNS, list_field_rows

_INTRODUCTION = """# Tools

A tool takes the same arguments and gives the same answer on every surface. [The README](../README.md) shows how to call
one, [errors.md](errors.md) lists the errors, and [`contracts/`](../contracts) has the JSON Schemas.
"""


def render_tools_page() -> str:
    suites = asyncio.run(_read_catalogue()).suites
    return _INTRODUCTION + _render_index(suites) + "".join(_render_suite(suite) for suite in suites)


def _render_index(suites: Sequence[Suite]) -> str:
    """Return a table of all tools with a link to each and the first sentence of its description."""
    rows = [
        (f"[{mark_code(tool.name)}](#{_make_anchor(tool.name)})", suite.name, tool.effect, _take_first_sentence(tool))
        for suite in suites
        for tool in suite.tools
    ]
    return f"\n{render_table(('tool', 'suite', 'effect', 'purpose'), rows)}\n"


def _make_anchor(heading: str) -> str:
    """Return the anchor that Markdown renderers give a heading: lower case, without punctuation."""
    return re.sub(r"[^\w-]", "", heading.lower())


def _take_first_sentence(tool: Tool) -> str:
    return re.split(r"(?<=[.;]) ", tool.description, maxsplit=1)[0].rstrip(".;")


async def _read_catalogue() -> Catalogue:
    with tempfile.TemporaryDirectory(prefix="sanya-docs-") as bare:
        async with sanya.open(bare, database_url="", tasks_database="") as app:
            return app.kernel.catalogue


def _render_suite(suite: Suite) -> str:
    parts = [f"\n## {suite.title}\n", *(_render_tool(tool) for tool in suite.tools)]
    if suite.resources:
        rows = [
            (mark_code(resource.uri), resource.description, mark_code(resource.mime_type))
            for resource in suite.resources
        ]
        parts.append(f"\n### Resources of {suite.name}\n\n{render_table(('address', 'what it holds', 'type'), rows)}\n")
    if suite.prompts:
        prompts = [
            (
                mark_code(prompt.name),
                f"{prompt.title} · {prompt.title_th}",
                prompt.description,
                _list_prompt_arguments(prompt),
            )
            for prompt in suite.prompts
        ]
        columns = ("prompt", "title", "what it asks", "arguments")
        note = "`…` marks arguments that the server completes from its data, `?` optional ones."
        parts.append(f"\n### Prompts of {suite.name}\n\n{render_table(columns, prompts)}\n\n{note}\n")
    return "".join(parts)


def _list_prompt_arguments(prompt: Prompt) -> str:
    names = [
        mark_code(argument.name) + ("…" if argument.complete else "") + ("" if argument.required else "?")
        for argument in prompt.arguments
    ]
    return ", ".join(names)


def _render_tool(tool: Tool) -> str:
    return (
        f"\n### {tool.name}\n\n{tool.description}\n\n{_describe_limits(tool)}\n"
        f"\n{render_table(FIELD_COLUMNS, _mark_first_as_code(list_field_rows(tool.input_schema)))}\n"
        f"\nAnswer:\n\n{render_table(FIELD_COLUMNS, _mark_first_as_code(list_field_rows(tool.output_schema)))}\n"
        f"{_render_examples(tool)}"
    )


def _describe_limits(tool: Tool) -> str:
    names = f" Portable name: {mark_code(tool.portable_name)}." if tool.portable_name != tool.name else ""
    scopes = ", ".join(mark_code(scope) for scope in tool.required_scopes)
    return f"Effect: {tool.effect}. Scopes: {scopes}. At most {tool.timeout_ms / 1000:g} s.{names}"


def _mark_first_as_code(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [(mark_code(first), *rest) for first, *rest in rows]


def _render_examples(tool: Tool) -> str:
    lines = [
        f"# {example.title}\nsanya call {tool.name} '{orjson.dumps(dict(example.arguments)).decode('utf-8')}'"
        for example in tool.examples
    ]
    return "\n```sh\n" + "\n".join(lines) + "\n```\n" if lines else ""
