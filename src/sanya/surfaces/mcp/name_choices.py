"""Asks the person behind a client which of several things a name means, where the client can ask.

The modern era answers `input_required`, and the client calls again with what was chosen. The older era asks during the
call, which needs a connection that stays: stdin and stdout. The form names the argument and the name, so nothing has to
be remembered between the two calls. Who declines, or cannot ask, gets the answer that lists the candidates.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mcp import types

from sanya.kernel.call import Answered, Outcome

FORM = "names"
"""Key of the request for input."""
ASK_TIMEOUT_S = 120.0
_MAX_NAMES = 3
_SEPARATOR = ":"


class NameChoice(NamedTuple):
    """A name in an argument, and the things that it may mean as (id, label)."""

    field: str
    given: str
    candidates: Sequence[tuple[str, str]]


def can_ask(capabilities: types.ClientCapabilities | None) -> bool:
    asking = None if capabilities is None else capabilities.elicitation
    return asking is not None and (asking.form is not None or asking.url is None)


def find_choices(outcome: Outcome) -> list[NameChoice]:
    """Return the names of an answer that several things have."""
    if not isinstance(outcome, Answered) or not outcome.tool.asks_about:
        return []
    choices = [
        NameChoice(name["field"], name["given"], [(item["id"], item["label"]) for item in name.get("candidates", ())])
        for name in outcome.body.get(outcome.tool.asks_about, ())
    ]
    return [choice for choice in choices if len(choice.candidates) > 1][:_MAX_NAMES]


def build_form(choices: Sequence[NameChoice]) -> dict[str, Any]:
    """Build the parameters of `elicitation/create`."""
    named = ", ".join(choice.given for choice in choices)
    properties = {
        f"{choice.field}{_SEPARATOR}{choice.given}": {
            "type": "string",
            "title": choice.given,
            "oneOf": [{"const": id, "title": label} for id, label in choice.candidates],
        }
        for choice in choices
    }
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"message": f"Which is meant? หมายถึงอะไร: {named}", "requestedSchema": schema}


def require_input(choices: Sequence[NameChoice]) -> dict[str, Any]:
    request = {"method": "elicitation/create", "params": build_form(choices)}
    return {"resultType": "input_required", "inputRequests": {FORM: request}}


def read_responses(responses: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return what was chosen in the modern era, nothing if it was declined."""
    given = (responses or {}).get(FORM)
    return _read_content(given) if isinstance(given, types.ElicitResult) else {}


async def ask_in_call(session: Any, choices: Sequence[NameChoice], request_id: Any) -> Mapping[str, Any]:
    """Ask during the call, as in the older era, and return what was chosen."""
    form = build_form(choices)
    try:
        async with asyncio.timeout(ASK_TIMEOUT_S):
            chosen = await session.elicit(form["message"], form["requestedSchema"], related_request_id=request_id)
    except TimeoutError:
        return {}
    return _read_content(chosen)


def apply_choices(arguments: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with the names replaced by what was chosen. Only names that were given are replaced."""
    changed = dict(arguments)
    for key, id in chosen.items():
        field, _, given = key.partition(_SEPARATOR)
        if isinstance(id, str) and isinstance(changed.get(field), list):
            changed[field] = [id if name == given else name for name in changed[field]]
    return changed


def _read_content(chosen: types.ElicitResult) -> Mapping[str, Any]:
    return chosen.content or {} if chosen.action == "accept" else {}
