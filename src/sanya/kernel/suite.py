"""A suite: the tools, resources and prompts of one domain, and the dialect they speak."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from sanya.kernel.call import Caller, Context
from sanya.kernel.dialect import Dialect
from sanya.kernel.shapes import is_text
from sanya.kernel.tool import Tool

Reader = Callable[[Mapping[str, str], Context], Awaitable["Content"]]
Completer = Callable[[str, Mapping[str, str], Caller], Awaitable[list[str]]]
"""Given what was typed, what was chosen before and who asks: what begins so, of what that caller may see."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a resource holds: JSON-shaped data, or text of another type."""

    data: dict[str, Any] | None = None
    text: str | None = None
    mime_type: str = "application/json"
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Resource:
    """A resource or, with `{name}` parts in its URI, a template. `complete` offers values for the parts by name."""

    uri: str
    suite: str
    name: str
    title: str
    description: str
    read: Reader
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
        found = self._pattern.fullmatch(uri)
        if found is None:
            return None
        parts = {name: unquote(value) for name, value in found.groupdict().items()}
        return parts if all(map(is_text, parts.values())) else None


@dataclass(frozen=True, slots=True)
class PromptArgument:
    name: str
    description: str
    required: bool = False
    complete: Completer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A ready request that a person picks. `render` gives the text that is put to the model. A listing has one title
    for everybody, so it shows both languages."""

    name: str
    suite: str
    title: str
    description: str
    title_th: str = ""
    description_th: str = ""
    arguments: tuple[PromptArgument, ...]
    render: Callable[[Mapping[str, str]], str]


@dataclass(frozen=True, slots=True)
class Worker:
    """Work that a suite does in the background while a server runs. It is begun again after a failure and cancelled
    when the server stops, and several processes may run it on one home at once: it must bear all three. One that is
    `open_world` asks outside; a shadow leaves that to the server beside it."""

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

    async def opened(self) -> Suite:
        """The suite itself, where this only stands for one that is not open yet."""
        return self
