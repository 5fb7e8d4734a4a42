"""Abusive documents: each is refused cheaply, and the server keeps answering."""

from __future__ import annotations

from graphql import build_client_schema, get_introspection_query

from tests.surfaces.graphql.conftest import Ask

CODES = ("OVER_LIMIT", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED")
SAY = 'demo_say(text: "x") { said }'


def build_fragment_bomb(levels: int) -> str:
    """Build fragments that each spread the next one ten times: a short text that expands to very many fields."""
    spreads = [f"fragment F{n} on Query {{ {f'...F{n + 1} ' * 10} }}" for n in range(levels)]
    return " ".join(["{ ...F0 }", *spreads, f"fragment F{levels} on Query {{ __typename }}"])


ABUSES = {
    "deep nesting": "{ a " + "{ a " * 400 + "}" * 401,
    "very deep nesting": "{ a " * 20_000,
    "deep inline fragments": "{ " + "... { " * 100 + "__typename" + " }" * 101,
    "deep lists": "{ demo_say(text: " + "[" * 3000 + "]" * 3000 + ") { said } }",
    "ten thousand aliases": "{ " + " ".join(f"a{n}: {SAY}" for n in range(10_000)) + " }",
    "a hundred aliases": "{ " + " ".join(f"a{n}: __typename" for n in range(100)) + " }",
    "too many calls": "{ " + " ".join(f"a{n}: {SAY}" for n in range(11)) + " }",
    "a huge document": "{ " + "__typename " * 50_000 + "}",
    "a huge comment": "#" * 200_000 + "\n{ __typename }",
    "the same field very often": "{ " + "__typename " * 2_000 + "}",
    "a fragment that spreads itself": "{ ...A } fragment A on Query { ...A }",
    "fragments in a circle": "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
    "fragments that multiply": build_fragment_bomb(9),
    "a long chain of fragments": "{ ...F0 } "
    + " ".join(f"fragment F{n} on Query {{ ...F{n + 1} }}" for n in range(900)),
    "many operations": " ".join(f"query Q{n} {{ __typename }}" for n in range(200)),
    "the schema of the schema": "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
    "the types of the types": "{ __schema { types { possibleTypes { interfaces { fields { name } } } } } }",
    "many wide aliases": "{ __schema { " + " ".join(f"t{n}: types {{ name }}" for n in range(60)) + " } }",
    "many directives": "{ __typename " + "@skip(if: false) " * 3_000 + "}",
    "many variables": "query(" + " ".join(f"$v{n}: Int" for n in range(3_000)) + ") { __typename }",
    "a subscription": "subscription { __typename }",
    "a mutation": 'mutation { demo_write(text: "x") { said } }',
    "half a surrogate pair": '{ demo_say(text: "\\ud800") { said } }',
    "a number without end": '{ demo_say(text: "x", times: ' + "9" * 5000 + ") { said } }",
    "nothing": "",
    "only a comment": "# nothing",
    "binary": "\x00\x01\x02",
}


async def test_every_abuse_is_refused_and_the_next_query_is_answered(ask: Ask) -> None:
    for name, document in ABUSES.items():
        answer = await ask(document)
        assert "data" not in answer, name
        assert answer["errors"][0]["extensions"]["code"] in CODES, name
        assert len(answer["errors"]) <= 11, name
        assert (await ask("{ " + SAY + " }"))["data"] == {"demo_say": {"said": ["x"]}}, name


async def test_introspection_returns_the_whole_schema(ask: Ask) -> None:
    query = get_introspection_query(input_value_deprecation=True, specified_by_url=True)
    answer = await ask(query)
    assert await ask(query) == answer
    for number in range(6):
        told = await ask(f'{{ __type(name: "Stamp") {{ name{number}: name }} }}')
        assert told["data"] == {"__type": {f"name{number}": "Stamp"}}
    by_variable = "query($n: String!) { __type(name: $n) { name } }"
    for name in ("Stamp", "JSON"):
        assert (await ask(by_variable, variables={"n": name}))["data"] == {"__type": {"name": name}}
    schema = build_client_schema(answer["data"])
    assert schema.query_type is not None
    assert {"demo_say", "get_tasks", "resource"} <= schema.query_type.fields.keys()


async def test_variables_are_checked_against_their_types(ask: Ask) -> None:
    query = 'query($n: Int) { demo_say(text: "x", times: $n) { said } }'
    wrong = await ask(query, variables={"n": "two"})
    assert wrong["errors"][0]["extensions"]["code"] == "BAD_USER_INPUT"
    beyond = await ask(query, variables={"n": 6})
    assert beyond["errors"][0]["extensions"]["code"] == "INVALID_ARGUMENT"
    deep: object = "x"
    for _ in range(900):
        deep = [deep]
    assert "errors" in await ask(query, variables={"n": deep})
