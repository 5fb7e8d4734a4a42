"""Resources as GraphQL and gRPC show them: an entry of the list, and the content of one."""

from __future__ import annotations

from typing import Any

from sanya.kernel.calls.call import Answered
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.suite import Resource

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
    """Build the content: either `json` or `text` is set, the other is None."""
    resource = catalogue.find_resource(uri)
    if resource is None or resource.mime_type == _JSON:
        return {"uri": uri, "mime_type": _JSON, "json": answered.body, "text": None}
    # Some dialects add a stamp to the body. Take only the text, since the stamp is not part of the resource.
    body = answered.body
    return {"uri": uri, "mime_type": body["mime_type"], "json": None, "text": body["text"]}
