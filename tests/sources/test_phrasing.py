"""The endpoint that phrases answers, well-behaved and not."""

from __future__ import annotations

import orjson
import pytest

from sanya.kernel.faults import UpstreamFailed
from sanya.sources.chat import Endpoint
from sanya.sources.phrasing import open_phraser
from tests.sources.chat import Chat, Say, saying, served

SPANS = ["one statement.", "another statement."]


async def test_it_is_asked_once_with_numbered_statements_and_no_freedom() -> None:
    chat = Chat(saying("One statement [1]."))
    async with served(chat) as url, open_phraser(Endpoint(url, "some-model", "secret")) as phraser:
        assert await phraser.phrase("why?", SPANS, "th", 2**64 - 1) == "One statement [1]."
    (request,) = chat.asked
    assert (request["model"], request["temperature"]) == ("some-model", 0)
    assert 0 <= request["seed"] < 2**63
    assert "[2] another statement." in request["messages"][1]["content"]
    assert "Thai" in request["messages"][0]["content"]
    assert "authorization: bearer secret" in chat.heads[0].lower()


@pytest.mark.parametrize(
    "say",
    [
        lambda _: (500, b"oops"),
        lambda _: (429, b""),
        lambda _: (200, b"not json"),
        lambda _: (200, b"[]"),
        lambda _: (200, orjson.dumps({"choices": []})),
        lambda _: (200, orjson.dumps({"choices": [{"message": {"content": None}}]})),
        lambda _: (200, orjson.dumps({"choices": [{"message": {"content": "   "}}]})),
        saying("x" * 9000),
        lambda _: (200, b" " * (2 * 1024 * 1024)),
        lambda _: (302, b""),
    ],
)
async def test_whatever_else_it_does_is_one_failure_of_the_outside(say: Say) -> None:
    async with served(Chat(say)) as url, open_phraser(Endpoint(url, "some-model")) as phraser:
        with pytest.raises(UpstreamFailed):
            await phraser.phrase("why?", SPANS, "en", 1)


async def test_an_endpoint_that_is_not_there_is_one_too() -> None:
    async with served(Chat(saying(""))) as url:
        pass
    async with open_phraser(Endpoint(url, "some-model")) as phraser:
        with pytest.raises(UpstreamFailed):
            await phraser.phrase("why?", SPANS, "en", 1)
