"""docs/tools.md, from the contracts of all tools."""

from __future__ import annotations

import asyncio
import tempfile

import orjson

import sanya
from docs.markdown import code, table
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.suite import Prompt, Suite
from sanya.kernel.tool import Tool
from sanya.surfaces.cli.schemas import FIELD_COLUMNS, field_rows

_INTRODUCTION = """# Tools

Every tool is called the same way on every surface, and answers the same: see [the README](../README.md) for the ways
in, [errors.md](errors.md) for what it says when it refuses. The JSON Schemas are in [`contracts/`](../contracts).
"""


def tools_page() -> str:
    suites = asyncio.run(_catalogue()).suites
    return _INTRODUCTION + "".join(_suite(suite) for suite in suites)


async def _catalogue() -> Catalogue:
    with tempfile.TemporaryDirectory(prefix="sanya-docs-") as bare:
        async with sanya.open(bare, database_url="", tasks_database="") as app:
            return app.kernel.catalogue


def _suite(suite: Suite) -> str:
    parts = [f"\n## {suite.title}\n", *(_tool(tool) for tool in suite.tools)]
    if suite.resources:
        rows = [(code(one.uri), one.description, code(one.mime_type)) for one in suite.resources]
        parts.append(f"\n### Resources of {suite.name}\n\n{table(('address', 'what it holds', 'type'), rows)}\n")
    if suite.prompts:
        prompts = [
            (code(one.name), f"{one.title} · {one.title_th}", one.description, _prompt_arguments(one))
            for one in suite.prompts
        ]
        columns = ("prompt", "title", "what it asks", "arguments")
        note = "…: completed from what is there, in Thai and English; ?: may be left out."
        parts.append(f"\n### Prompts of {suite.name}\n\n{table(columns, prompts)}\n\n{note}\n")
    return "".join(parts)


def _prompt_arguments(prompt: Prompt) -> str:
    """`…` marks those that are completed from live data, `?` those that may be left out."""
    named = [code(one.name) + ("…" if one.complete else "") + ("" if one.required else "?") for one in prompt.arguments]
    return ", ".join(named)


def _tool(tool: Tool) -> str:
    return (
        f"\n### {tool.name}\n\n{tool.description}\n\n{_terms(tool)}\n"
        f"\n{table(FIELD_COLUMNS, _code_first(field_rows(tool.input_schema)))}\n"
        f"\nAnswers with:\n\n{table(FIELD_COLUMNS, _code_first(field_rows(tool.output_schema)))}\n"
        f"{_examples(tool)}"
    )


def _terms(tool: Tool) -> str:
    names = f" Portable name: {code(tool.portable_name)}." if tool.portable_name != tool.name else ""
    scopes = ", ".join(code(scope) for scope in tool.required_scopes)
    return f"Effect: {tool.effect}. Scopes: {scopes}. At most {tool.timeout_ms / 1000:g} s.{names}"


def _code_first(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [(code(first), *rest) for first, *rest in rows]


def _examples(tool: Tool) -> str:
    lines = [
        f"# {one.title}\nsanya call {tool.name} '{orjson.dumps(dict(one.arguments)).decode('utf-8')}'"
        for one in tool.examples
    ]
    return "\n```sh\n" + "\n".join(lines) + "\n```\n" if lines else ""
