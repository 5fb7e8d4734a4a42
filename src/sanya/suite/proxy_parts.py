"""Resources and prompts of a proxied server, under addresses and names of the suite."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import orjson

from sanya.kernel.calls.call import Caller, Context
from sanya.kernel.contracts.suite import Completer, Content, Prompt, PromptArgument, PromptMessage, Resource
from sanya.kernel.faults import NotFound
from sanya.suite.proxy_content import to_own_uri
from sanya.suite.schema_tidying import write_in_words
from sanya.suite.servers import McpServer, ServerListing

_PART = re.compile(r"\{([^}]*)\}")
_JSON = "application/json"


def build_resources(suite: str, listing: ServerListing, server: McpServer) -> tuple[Resource, ...]:
    """Return the resources and templates. A template of another form than `{name}` has no counterpart here."""
    plain = [_build_resource(suite, listed, str(listed["uri"]), server) for listed in listing.resources]
    templates = [
        _build_resource(suite, listed, uri, server)
        for listed, uri in ((listed, str(listed["uriTemplate"])) for listed in listing.templates)
        if all(part.isidentifier() for part in _PART.findall(uri))
    ]
    return (*plain, *templates)


def build_prompts(suite: str, listing: ServerListing, server: McpServer) -> tuple[Prompt, ...]:
    return tuple(_build_prompt(suite, listed, server) for listed in listing.prompts)


def _build_resource(suite: str, listed: Mapping[str, Any], uri: str, server: McpServer) -> Resource:
    async def read(parts: Mapping[str, str], context: Context) -> Content:
        del context
        filled = _PART.sub(lambda part: quote(parts[part[1]], safe=""), uri)
        contents = await server.read_resource(filled)
        if not contents:
            raise NotFound(f"the server has nothing at {filled[:200]!r}")
        return _build_content(contents, mime_type)

    def build_completer(name: str) -> Completer:
        async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
            del caller
            return await server.complete({"uri": uri}, name, text, chosen)

        return complete

    mime_type = str(listed.get("mimeType") or "text/plain")
    name = str(listed.get("name") or uri)
    return Resource(
        uri=to_own_uri(suite, uri.replace("://", ":", 1) if uri.startswith(("http://", "https://")) else uri),
        suite=suite,
        name=name,
        title=str(listed.get("title") or name),
        description=str(listed.get("description") or write_in_words(name)),
        read=read,
        mime_type=mime_type,
        complete={part: build_completer(part) for part in _PART.findall(uri)},
    )


def _build_content(contents: Sequence[Mapping[str, Any]], mime_type: str) -> Content:
    first = contents[0]
    found = str(first.get("mimeType") or mime_type)
    if mime_type == _JSON:
        return Content(data=_read_json(str(first.get("text", ""))))
    if "blob" in first:
        return Content(text="", blob=str(first["blob"]), mime_type=found)
    return Content(text="\n".join(str(content.get("text", "")) for content in contents), mime_type=found)


def _read_json(text: str) -> dict[str, Any]:
    """Return the object of a JSON resource; anything else stands under `value`."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = text
    return value if isinstance(value, dict) else {"value": value}


def _build_prompt(suite: str, listed: Mapping[str, Any], server: McpServer) -> Prompt:
    name = str(listed["name"])

    def build_argument(declared: Mapping[str, Any]) -> PromptArgument:
        argument = str(declared["name"])

        async def complete(text: str, chosen: Mapping[str, str], caller: Caller) -> list[str]:
            del caller
            return await server.complete({"prompt": name}, argument, text, chosen)

        description = str(declared.get("description") or write_in_words(argument))
        return PromptArgument(argument, description, required=bool(declared.get("required")), complete=complete)

    async def fetch(given: Mapping[str, str]) -> Sequence[PromptMessage]:
        messages = await server.get_prompt(name, given)
        return [PromptMessage(str(message["role"]), message["content"]) for message in messages]

    return Prompt(
        name=f"{suite}_{name}",
        suite=suite,
        title=str(listed.get("title") or write_in_words(name)),
        description=str(listed.get("description") or write_in_words(name)),
        arguments=tuple(map(build_argument, listed.get("arguments") or ())),
        fetch=fetch,
    )
