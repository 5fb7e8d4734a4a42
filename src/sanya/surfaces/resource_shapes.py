"""A resource in the typed ways in: an entry of the list, and what was read."""

from __future__ import annotations

from typing import Any

from sanya.kernel.call import Answered
from sanya.kernel.catalogue import Catalogue
from sanya.kernel.suite import Resource

_JSON = "application/json"


def describe_resource(resource: Resource) -> dict[str, Any]:
    return {
        "uri": resource.uri,
        "suite": resource.suite,
        "name": resource.name,
        "title": resource.title,
        "description": resource.description,
        "mime_type": resource.mime_type,
        "is_template": resource.is_template,
    }


def build_content(catalogue: Catalogue, uri: str, answered: Answered) -> dict[str, Any]:
    """JSON as it is, or text with its type; the other of the two is None."""
    resource = catalogue.resource(uri)
    if resource is None or resource.mime_type == _JSON:
        return {"uri": uri, "mime_type": _JSON, "json": answered.body, "text": None}
    # Some dialects stamp the body; beside a text that is no part of what was read.
    body = answered.body
    return {"uri": uri, "mime_type": body["mime_type"], "json": None, "text": body["text"]}
