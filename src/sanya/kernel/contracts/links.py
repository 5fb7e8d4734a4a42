"""Links from an answer to the resources that it names, such as the memory behind a hit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote


class Link(NamedTuple):
    uri: str
    title: str


@dataclass(frozen=True, slots=True)
class ResourceLinks:
    """Finds links in a body: `objects` is the dotted path of the objects (`*` for list elements), `uri` a template over
    their fields, which lose `prefix`, and `title` the field that names the object."""

    objects: str
    uri: str
    title: str
    prefix: str = ""

    def find(self, body: Mapping[str, Any]) -> Iterator[Link]:
        for found in _find_objects(body, self.objects.split(".")):
            fields = {name: _write_part(value, self.prefix) for name, value in found.items() if _is_text(value)}
            try:
                uri = self.uri.format_map(fields)
            except KeyError:  # the object lacks the field that would name the resource
                continue
            yield Link(uri, str(found.get(self.title) or uri))


def find_links(patterns: tuple[ResourceLinks, ...], body: Mapping[str, Any], limit: int) -> list[Link]:
    """Return the first links of a body, each address once."""
    links: dict[str, Link] = {}
    for pattern in patterns:
        for link in pattern.find(body):
            links.setdefault(link.uri, link)
            if len(links) == limit:
                return list(links.values())
    return list(links.values())


def _write_part(value: str, prefix: str) -> str:
    """Return a field as part of an address. A field that is an address itself stays as it is."""
    return value if "://" in value else quote(value.removeprefix(prefix), safe=":")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _find_objects(value: Any, path: list[str]) -> Iterator[Mapping[str, Any]]:
    if not path:
        if isinstance(value, dict):
            yield value
    elif path[0] == "*":
        for item in value if isinstance(value, list) else ():
            yield from _find_objects(item, path[1:])
    elif isinstance(value, dict) and path[0] in value:
        yield from _find_objects(value[path[0]], path[1:])
