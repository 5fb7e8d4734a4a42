"""`GET /openapi.json`: the gateway as OpenAPI 3.1, generated from the catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sanya import __version__
from sanya.kernel.contracts.catalogue import Catalogue
from sanya.kernel.contracts.tool import Tool
from sanya.surfaces.http.gateway import MAX_ID_CHARS
from sanya.surfaces.tool_texts import LISTING_LANGUAGES

_LANGUAGE = {
    "name": "lang",
    "in": "query",
    "description": "Language of titles and descriptions",
    "schema": {"enum": list(LISTING_LANGUAGES), "default": "en"},
}
_EVERYWHERE = ("400", "403", "404", "405", "421", "429", "500", "503", "504")
"""Statuses of every path, whatever it serves."""
_ERRORS = {
    "400": "An argument, the envelope or the JSON is invalid.",
    "401": "Credentials are missing or invalid.",
    "403": "The caller lacks a scope, or the page's origin is not allowed.",
    "404": "No such tool, path or object.",
    "405": "The path has no such method; Allow lists its methods.",
    "408": "The body did not arrive in time.",
    "413": "The body is too large.",
    "415": "The body is not JSON.",
    "421": "The Host header names another server.",
    "429": "Too many calls; Retry-After says when to try again.",
    "500": "An internal error; the error id finds it in the server's log.",
    "502": "An external source failed.",
    "503": "An engine is unavailable.",
    "504": "The tool did not finish in time.",
}


def build_openapi(catalogue: Catalogue, *, needs_credentials: bool, issuer: str = "") -> dict[str, Any]:
    schemes = _build_security_schemes(issuer)
    security: list[dict[str, list[str]]] = [{name: []} for name in schemes]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sanya",
            "version": __version__,
            "summary": "Every tool of every suite in one envelope.",
        },
        "security": security if needs_credentials else [{}, *security],
        "tags": [{"name": suite.name, "description": suite.title} for suite in catalogue.suites],
        "paths": {
            **_describe_fixed_paths(catalogue),
            **{f"/tools/{tool.name}": _describe_tool_path(tool) for tool in catalogue.tools},
        },
        "components": {
            "schemas": {"Error": _ERROR, "Meta": _META, "Refused": _describe_answer({"type": "null"}, refused=True)},
            "responses": {f"E{status}": _describe_error_response(text) for status, text in _ERRORS.items()},
            "securitySchemes": schemes,
        },
    }


def _build_security_schemes(issuer: str) -> dict[str, Any]:
    schemes: dict[str, Any] = {
        "key": {"type": "http", "scheme": "bearer", "description": "A key made with `sanya keys create`."}
    }
    if issuer:
        url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        schemes["oauth"] = {"type": "openIdConnect", "openIdConnectUrl": url}
    return schemes


def _describe_tool_path(tool: Tool) -> dict[str, Any]:
    operation = {
        "operationId": tool.portable_name,
        "tags": [tool.suite],
        "summary": tool.title,
        "description": f"{tool.description}\n\nScopes: {', '.join(tool.required_scopes)}.",
        "requestBody": _describe_request_body(_describe_envelope(tool.input_schema), _list_examples(tool)),
        "responses": {
            "200": _describe_json_response("The answer.", _describe_answer(tool.answer_schema)),
            **_refer_to_errors(),
        },
        "x-sanya-effect": tool.effect,
        "x-sanya-scopes": list(tool.required_scopes),
    }
    contract = _describe_get(
        f"{tool.portable_name}_contract", f"The contract of {tool.name}", tag=tool.suite, cached=True
    )
    return {"get": contract, "post": operation}


def _list_examples(tool: Tool) -> dict[str, Any]:
    return {
        f"example_{number}": {"summary": example.title, "value": {"args": dict(example.arguments)}}
        for number, example in enumerate(tool.examples, 1)
    }


def _describe_fixed_paths(catalogue: Catalogue) -> dict[str, Any]:
    names = [tool.name for tool in catalogue.tools]
    generic = _describe_envelope(
        {"type": "object"}, tool={"type": "string", "enum": names} if names else {"type": "string"}
    )
    call = {
        "operationId": "call",
        "summary": "Call the tool that the body names",
        "requestBody": _describe_request_body(generic, {}),
        "responses": {
            "200": _describe_json_response("The answer.", _describe_answer({"type": "object"})),
            **_refer_to_errors(),
        },
    }
    listing = _describe_get("catalogue", "Every tool with its contract", cached=True)
    listing["parameters"] = [_LANGUAGE]
    return {
        "/tools": {"get": listing, "post": call},
        "/health": {"get": _describe_get("health", "Whether the server can work now", public=True)},
        "/health/live": {"get": _describe_get("live", "Whether the server runs", public=True)},
        "/metrics": {"get": _describe_get("metrics", "Counts and times for Prometheus", media="text/plain")},
        "/openapi.json": {"get": _describe_get("openapi", "This document", cached=True)},
    }


def _describe_get(
    operation: str,
    summary: str,
    *,
    media: str = "application/json",
    public: bool = False,
    tag: str = "",
    cached: bool = False,
) -> dict[str, Any]:
    """Describe a GET. A `cached` document has an ETag, and a client that has it gets 304."""
    schema = {"type": "object"} if media == "application/json" else {"type": "string"}
    responses: dict[str, Any] = {"200": {"description": summary, "content": {media: {"schema": schema}}}}
    if cached:
        responses["304"] = {"description": "The client has the document already (If-None-Match)."}
    return {
        "operationId": operation,
        "summary": summary,
        "responses": {**responses, **_refer_to_errors(_EVERYWHERE if public else (*_EVERYWHERE, "401"))},
        **({"tags": [tag]} if tag else {}),
        **({"security": [{}]} if public else {}),
    }


def _describe_request_body(schema: dict[str, Any], examples: dict[str, Any]) -> dict[str, Any]:
    media: dict[str, Any] = {"schema": schema}
    if examples:
        media["examples"] = examples
    return {"required": True, "content": {"application/json": media}}


def _describe_json_response(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _describe_error_response(description: str) -> dict[str, Any]:
    return _describe_json_response(description, {"$ref": "#/components/schemas/Refused"})


def _refer_to_errors(statuses: Iterable[str] = _ERRORS) -> dict[str, Any]:
    return {status: {"$ref": f"#/components/responses/E{status}"} for status in sorted(statuses)}


def _describe_envelope(arguments: dict[str, Any], tool: dict[str, Any] | None = None) -> dict[str, Any]:
    """Describe the request envelope. `tool` is required where the path names none."""
    name = {"type": ["string", "null"], "maxLength": MAX_ID_CHARS}
    context = {"type": ["object", "null"], "properties": {"session_id": name, "trace_id": name}}
    return {
        "type": "object",
        "properties": {
            "request_id": {**name, "description": "Chosen by the caller. A repeated id returns the first answer."},
            "tool": tool or name,
            "args": arguments,
            "context": {**context, "additionalProperties": False},
        },
        "required": [*(["tool"] if tool else []), *(["args"] if arguments.get("required") else [])],
        "additionalProperties": False,
    }


def _describe_answer(data: dict[str, Any], *, refused: bool = False) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "request_id": {"type": "string"},
            "tool": {"type": ["string", "null"] if refused else "string"},
            "ok": {"const": not refused},
            "data": data,
            "meta": {"$ref": "#/components/schemas/Meta"},
            "error": {"$ref": "#/components/schemas/Error"} if refused else {"type": "null"},
        },
        "required": ["request_id", "tool", "ok", "data", "meta", "error"],
        "additionalProperties": False,
    }


_ERROR: dict[str, Any] = {
    "type": "object",
    "description": "The error object of the tool's suite, or the gateway's own where no tool was reached.",
    "examples": [{"code": "INVALID_ARGUMENT", "message": "limit must be at most 500, got 501", "retry_after_ms": None}],
}

_META: dict[str, Any] = {
    "type": "object",
    "properties": {
        "duration_ms": {"type": "integer", "minimum": 0},
        "next_cursor": {
            "type": ["string", "null"],
            "description": "Pass it as the argument cursor for the next page.",
        },
        "audit": {
            "type": ["object", "null"],
            "description": "The stamp: hashes of the input and the answer, and the seed of the call.",
            "properties": {
                "in_hash": {"type": "string"},
                "out_hash": {"type": "string"},
                "latency_ms": {"type": "integer"},
                "seed": {"type": "integer"},
                "status": {"enum": ["ok", "error"]},
            },
        },
        "replayed": {"type": "boolean", "description": "True if this is the stored first answer to this request id."},
        "call_id": {"type": ["string", "null"], "description": "Finds the call in the ledger: `sanya audit show ID`."},
        "notes": {
            "type": "object",
            "description": "What the answer has no field for, by name. `search`: how well the best result fits.",
            "additionalProperties": {"type": "object"},
        },
    },
    "required": ["duration_ms", "next_cursor", "audit", "replayed", "call_id"],
}
