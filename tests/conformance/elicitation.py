"""Fixtures that ask the client for input: with a request in the older era, with `input_required` in the modern one."""

from __future__ import annotations

import hmac
import json
from typing import Any

from mcp import MCPError, types
from mcp.server.context import HandlerResult

from tests.conformance.content import answer_with, text
from tests.conformance.extra_handlers import AnswerRequest, Context, ExtraHandler, build_prompt, build_tool

SEAL = b"only these fixtures know it"
MISSING_CAPABILITY = -32021
DEFAULTS: dict[str, Any] = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
TITLED = [{"const": f"value{number}", "title": f"{word} Option"} for number, word in enumerate(("First", "Second"), 1)]
OPTIONS = ["option1", "option2", "option3"]
ENUMS: dict[str, Any] = {
    "untitledSingle": {"type": "string", "enum": OPTIONS},
    "titledSingle": {"type": "string", "oneOf": TITLED},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
}


def form(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties) if required is None else required}


# Older era: the server sends a request during the call and continues with the client's response.


def elicits(properties: dict[str, Any], opening: str, *, required: list[str] | None = None) -> AnswerRequest:
    async def answer(ctx: Context) -> HandlerResult:
        message = (ctx.params or {}).get("arguments", {}).get("message", "Please fill this in.")
        given = await ctx.session.elicit(message, form(properties, required), related_request_id=ctx.request_id)
        return await answer_with(text(f"{opening}: action={given.action}, content={json.dumps(given.content)}"))(ctx)

    return answer


async def sample(ctx: Context) -> HandlerResult:
    wanted = types.TextContent(type="text", text=(ctx.params or {})["arguments"]["prompt"])
    message = types.SamplingMessage(role="user", content=wanted)
    given = await ctx.session.create_message([message], max_tokens=100, related_request_id=ctx.request_id)
    said = given.content.text if isinstance(given.content, types.TextContent) else "nothing"
    return await answer_with(text(f"LLM response: {said}"))(ctx)


# Modern era: the result asks for input, and the client calls again with it.


def asks_name(message: str = "What is your name?", key: str = "name") -> dict[str, Any]:
    schema = form({key: {"type": "string"}})
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def asks_model(question: str, max_tokens: int = 100) -> dict[str, Any]:
    messages = [{"role": "user", "content": text(question)}]
    return {"method": "sampling/createMessage", "params": {"messages": messages, "maxTokens": max_tokens}}


ASKS_ROOTS: dict[str, Any] = {"method": "roots/list", "params": {}}
ASKS_OK = {
    "method": "elicitation/create",
    "params": {"message": "Please confirm", "requestedSchema": form({"ok": {"type": "boolean"}})},
}


def needs(requests: dict[str, Any], state: str | None = None) -> HandlerResult:
    needed: dict[str, Any] = {"resultType": "input_required", "inputRequests": requests}
    return needed if state is None else {**needed, "requestState": sealed(state)}


def sealed(state: str) -> str:
    return f"{state}.{hmac.digest(SEAL, state.encode(), 'sha256').hex()}"


def unsealed(ctx: Context) -> str | None:
    """Verify the returned state; a client that changed it is refused."""
    given = (ctx.params or {}).get("requestState")
    if given is None:
        return None
    state, _, _ = str(given).rpartition(".")
    if not hmac.compare_digest(sealed(state), str(given)):
        raise MCPError(types.INVALID_PARAMS, "requestState is not one that this server gave")
    return state


def responses(ctx: Context) -> dict[str, Any]:
    given: dict[str, Any] = (ctx.params or {}).get("inputResponses") or {}
    return given


def asks_once(requests: dict[str, Any], *, state: str | None = None, done: str = "Thank you: {}") -> AnswerRequest:
    """Ask until every answer is given, then show them."""

    async def answer(ctx: Context) -> HandlerResult:
        given = responses(ctx)
        if unsealed(ctx) != state or not given.keys() >= requests.keys():
            return needs(requests, state)
        return await answer_with(text(done.format(json.dumps({key: given[key] for key in requests}))))(ctx)

    return answer


async def ask_in_rounds(ctx: Context) -> HandlerResult:
    state, given = unsealed(ctx), responses(ctx)
    if state == "round-2" and "step2" in given:
        return await answer_with(text("Both rounds are done."))(ctx)
    if state == "round-1" and "step1" in given:
        return needs({"step2": asks_name("Step 2: What is your favorite color?", "color")}, "round-2")
    return needs({"step1": asks_name("Step 1: What is your name?")}, "round-1")


async def ask_what_client_can(ctx: Context) -> HandlerResult:
    declared = ctx.session.client_capabilities or types.ClientCapabilities()
    requests = {}
    if declared.sampling is not None:
        requests["model"] = asks_model("What is the capital of France?")
    if declared.elicitation is not None:
        requests["person"] = asks_name()
    return needs(requests) if requests else await answer_with(text("There is nobody to ask."))(ctx)


async def need_sampling(ctx: Context) -> HandlerResult:
    declared = ctx.session.client_capabilities
    if declared is None or declared.sampling is None:
        raise MCPError(MISSING_CAPABILITY, "this tool needs sampling", {"requiredCapabilities": {"sampling": {}}})
    return await answer_with(text("The client can sample."))(ctx)


async def put_context(ctx: Context) -> HandlerResult:
    given = responses(ctx)
    if "user_context" not in given:
        return needs({"user_context": asks_name("What context should the prompt use?", "context")})
    message = {"role": "user", "content": text(f"Use this context: {json.dumps(given['user_context'])}")}
    return {"messages": [message], "resultType": "complete"}


def asking_tools() -> list[ExtraHandler]:
    name, capital = {"user_name": asks_name()}, {"capital_question": asks_model("What is the capital of France?")}
    many = {**name, "greeting": asks_model("Generate a greeting", 50), "client_roots": ASKS_ROOTS}
    confirm = {"confirm": ASKS_OK}
    person = {"username": {"type": "string"}, "email": {"type": "string"}}
    takes_message, takes_prompt = (form({key: {"type": "string"}}) for key in ("message", "prompt"))
    return [
        build_tool("test_sampling", sample, takes_prompt),
        build_tool("test_elicitation", elicits(person, "User response"), takes_message),
        build_tool("test_elicitation_sep1034_defaults", elicits(DEFAULTS, "Elicitation completed", required=[])),
        build_tool("test_elicitation_sep1330_enums", elicits(ENUMS, "Elicitation completed", required=[])),
        build_tool("test_missing_capability", need_sampling),
        build_tool("test_streaming_elicitation", asks_once(name)),
        build_tool("test_input_required_result_elicitation", asks_once(name)),
        build_tool("test_input_required_result_sampling", asks_once(capital)),
        build_tool("test_input_required_result_list_roots", asks_once({"client_roots": ASKS_ROOTS})),
        build_tool(
            "test_input_required_result_request_state", asks_once({"confirm": ASKS_OK}, state="s", done="state-ok {}")
        ),
        build_tool("test_input_required_result_multiple_inputs", asks_once(many, state="many")),
        build_tool("test_input_required_result_multi_round", ask_in_rounds),
        build_tool("test_input_required_result_tampered_state", asks_once(confirm, state="t")),
        build_tool("test_input_required_result_capabilities", ask_what_client_can),
    ]


def asking_prompts() -> list[ExtraHandler]:
    return [build_prompt("test_input_required_result_prompt", put_context)]
