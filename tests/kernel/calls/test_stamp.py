from __future__ import annotations

from sanya.kernel.calls.stamp import derive_seed, serialise_hashed
from sanya.kernel.ledger.redaction import REDACTED, redact
from tests.kernel.conftest import House


def test_the_seed_is_the_first_sixteen_digits_as_an_unsigned_number() -> None:
    assert derive_seed("ff" * 32) == 2**64 - 1
    assert derive_seed("00" * 8 + "ff" * 24) == 0
    assert derive_seed("8000000000000000" + "0" * 48) == 2**63


def test_unhashed_paths_leave_nothing_behind() -> None:
    body = {"a": 1, "_meta": {"timestamp": "now", "x": 1}, "items": [{"id": 1, "at": 2}, {"id": 3, "at": 4}]}
    paths = (("_meta", "timestamp"), ("items", "*", "at"), ("absent", "deep"))
    assert serialise_hashed(body, paths) == b'{"_meta":{"x":1},"a":1,"items":[{"id":1},{"id":3}]}'
    assert body["_meta"] == {"timestamp": "now", "x": 1}, "the body itself stays whole"


def test_redaction_reaches_into_lists_and_says_that_it_did() -> None:
    given = {"keys": [{"secret": "a"}, {"secret": None}], "name": "n"}
    kept, changed = redact(b"unused", given, (("keys", "*", "secret"),))
    assert kept == f'{{"keys":[{{"secret":"{REDACTED}"}},{{"secret":null}}],"name":"n"}}'
    assert changed


def test_the_published_output_has_the_stamp_where_the_contract_has_it_in_the_body(house: House) -> None:
    inside, outside = house.kernel.catalogue.find_tool("stamped.echo"), house.kernel.catalogue.find_tool("demo.echo")
    assert inside is not None
    assert outside is not None
    assert "audit" in inside.output_schema["required"]
    assert "audit" not in outside.output_schema["properties"]
