from __future__ import annotations

import pytest

from sanya.kernel.calls.answer_size import check_answer_size
from sanya.kernel.calls.call import Answered, Call, Refused
from sanya.kernel.faults import InvalidArgument
from tests.kernel.conftest import House


def test_a_page_that_is_too_large_names_the_argument_and_a_value_that_fits(house: House) -> None:
    tool = house.kernel.catalogue.find_tool("demo.echo")
    assert tool is not None
    with pytest.raises(InvalidArgument) as caught:
        check_answer_size(1_000, 5_000, tool, {"search": "x", "limit": 100})
    assert caught.value.details == {"field": "limit", "answer_bytes": 5_000, "allowed_bytes": 1_000}
    assert "limit 18 or less" in caught.value.message


async def test_an_answer_too_large_for_its_way_is_refused_and_recorded_as_refused(house: House) -> None:
    outcome = await house.kernel.call(Call("demo.echo", {"text": "hi"}, max_answer_bytes=5))
    assert isinstance(outcome, Refused)
    assert outcome.error["code"] == "INVALID_ARGUMENT"
    assert "narrower" in outcome.message
    assert [row.status for row in await house.rows()] == ["error"]


async def test_a_write_that_has_happened_is_answered_however_large(house: House) -> None:
    assert isinstance(await house.kernel.call(Call("demo.write", {"text": "hi"}, max_answer_bytes=5)), Answered)
