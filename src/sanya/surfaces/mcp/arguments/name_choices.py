"""Asks the person behind a client which of several things a name means, where the client can ask.

The modern era answers `input_required`, and the client calls again with what was chosen. The older era asks during the
call, which needs a connection that stays: stdin and stdout. The form names the argument and the name, so nothing has to
be remembered between the two calls. Who declines, or cannot ask, gets the answer that lists the candidates.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mcp import types

from sanya.kernel.calls.call import Answered, Outcome

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


def find_choices(outcome: Outcome, arguments: Mapping[str, Any]) -> list[NameChoice]:
    """Return the names of an answer or a refusal that several things have, as far as they stand in the arguments."""
    if outcome.tool is None or not outcome.tool.asks_about:
        return []
    told = outcome.body if isinstance(outcome, Answered) else outcome.fault.details
    choices = [_read_choice(name, arguments) for name in told.get(outcome.tool.asks_about, ())]
    return [choice for choice in choices if len(choice.candidates) > 1 and _can_apply(choice, arguments)][:_MAX_NAMES]


def _read_choice(name: Mapping[str, Any], arguments: Mapping[str, Any]) -> NameChoice:
    given = name.get("given") or name["name"]
    field = name.get("field") or next((key for key, text in arguments.items() if _has_name(text, given)), "")
    return NameChoice(field, given, [(item["id"], item["label"]) for item in name.get("candidates", ())])


def _has_name(text: Any, name: str) -> bool:
    return isinstance(text, str) and name.casefold() in text.casefold()


def _can_apply(choice: NameChoice, arguments: Mapping[str, Any]) -> bool:
    chosen = {f"{choice.field}{_SEPARATOR}{choice.given}": choice.candidates[0][0]}
    return apply_choices(arguments, chosen) != dict(arguments)


def build_form(choices: Sequence[NameChoice]) -> dict[str, Any]:
    """Build the parameters of `elicitation/create`."""
    named = ", ".join(choice.given for choice in choices)
    properties = {
        f"{choice.field}{_SEPARATOR}{choice.given}": {
            "type": "string",
            "title": choice.given,
            "oneOf": [{"const": id, "title": title} for id, title in _list_titles(choice.candidates)],
        }
        for choice in choices
    }
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"message": f"Which is meant? หมายถึงอะไร: {named}", "requestedSchema": schema}


def _list_titles(candidates: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return each id with its label. Species that share a label are told apart by their ids."""
    times = Counter(label for _, label in candidates)
    return [(id, label if times[label] == 1 else f"{label} ({id})") for id, label in candidates]


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
        if isinstance(id, str) and given:
            changed = _replace_name(changed, field.split("."), given, id)
    return changed


def _replace_name(value: Any, path: Sequence[str], given: str, id: str) -> Any:
    """Return the value with the name replaced: an entry of a list, or a part of a text that has it once."""
    if path:
        if not isinstance(value, dict) or path[0] not in value:
            return value
        return {**value, path[0]: _replace_name(value[path[0]], path[1:], given, id)}
    if isinstance(value, list):
        return [id if name == given else name for name in value]
    if isinstance(value, str) and value.casefold().count(given.casefold()) == 1:
        return re.sub(re.escape(given), lambda _: id, value, count=1, flags=re.IGNORECASE)
    return value


def _read_content(chosen: types.ElicitResult) -> Mapping[str, Any]:
    return chosen.content or {} if chosen.action == "accept" else {}
