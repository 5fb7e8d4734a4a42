"""A suite: the tools, resources and prompts of one domain, and the dialect they speak."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import unquote

from sanya.kernel.calls.call import Caller, Context
from sanya.kernel.citations import CitationFollower
from sanya.kernel.contracts.dialect import Dialect
from sanya.kernel.contracts.shapes import is_text
from sanya.kernel.contracts.tool import Tool

ResourceReader = Callable[[Mapping[str, str], Context], Awaitable["Content"]]
Completer = Callable[[str, Mapping[str, str], Caller], Awaitable[list[str]]]
"""Returns completions of the typed text, given the arguments chosen so far and the caller, whose rights limit them."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a resource: JSON data, text of another type, or bytes in base64."""

    data: dict[str, Any] | None = None
    text: str | None = None
    mime_type: str = "application/json"
    meta: Mapping[str, Any] = field(default_factory=dict)
    blob: str | None = None


@dataclass(frozen=True, kw_only=True)
class Resource:
    """A resource, or a template if its URI has `{name}` parts. `complete` offers values for the parts by name."""

    uri: str
    suite: str
    name: str
    title: str
    description: str
    read: ResourceReader
    mime_type: str = "application/json"
    complete: Mapping[str, Completer] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def is_template(self) -> bool:
        return "{" in self.uri

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = re.split(r"\{(\w+)\}", self.uri)
        source = "".join(
            re.escape(part) if index % 2 == 0 else f"(?P<{part}>[^/?#]+)" for index, part in enumerate(parts)
        )
        return re.compile(source)

    def match(self, uri: str) -> dict[str, str] | None:
        match = self._pattern.fullmatch(uri)
        if match is None:
            return None
        parts = {name: unquote(value) for name, value in match.groupdict().items()}
        return parts if all(map(is_text, parts.values())) else None


@dataclass(frozen=True, slots=True)
class PromptArgument:
    name: str
    description: str
    required: bool = False
    complete: Completer | None = None


class PromptMessage(NamedTuple):
    """A message of a prompt. `content` is a block of content of the protocol."""

    role: str
    content: Mapping[str, Any]


PromptFetcher = Callable[[Mapping[str, str]], Awaitable[Sequence[PromptMessage]]]


def _render_nothing(_: Mapping[str, str]) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A request that a person picks. `render` returns the text for the model.

    Where the prompt is another server's, `fetch` returns its messages instead, to callers with the scope to read. MCP
    lists one title for everybody, so the title shows both languages.
    """

    name: str
    suite: str
    title: str
    description: str
    title_th: str = ""
    description_th: str = ""
    arguments: tuple[PromptArgument, ...]
    render: Callable[[Mapping[str, str]], str] = _render_nothing
    fetch: PromptFetcher | None = None


@dataclass(frozen=True, slots=True)
class Worker:
    """Background work of a suite while a server runs.

    It is restarted after a failure and cancelled when the server stops, and several processes may run it on one home at
    the same time: it must tolerate all three. An `open_world` worker calls outside services; a shadow does not run it.
    """

    name: str
    run: Callable[[], Awaitable[None]]
    open_world: bool = False


@dataclass(frozen=True, kw_only=True)
class Suite:
    name: str
    title: str
    dialect: Dialect
    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    workers: tuple[Worker, ...] = ()
    is_private: bool = False
    """Whether answers hold what their owner may want forgotten: the ledger then keeps no papers that they name."""
    follow_citations: CitationFollower | None = None
    """Applies what became of the papers that the suite cites. The lazy outline leaves it out; open the suite first."""
    prepare: Callable[[], Awaitable[object]] | None = None
    """Loads what the first search needs. The lazy outline leaves it out, as above."""

    async def open(self) -> Suite:
        """Return the open suite. A lazy suite opens the real one here."""
        return self
