"""Secrets are found and taken out; long numbers that are no secrets stay."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sanya.suites.memory.secrets import redact_secrets
from sanya.text.personal_data import is_card_number, is_thai_id
from tests.long_form import often
from tests.suites.memory.memory_harness import MemoryHarness

SECRETS = [
    ("api_key", "AKIA" + "ABCDEFGHIJKLMNOP"),
    ("api_key", "sk-" + "proj-" + "abcdefghijklmnop1234"),
    ("token", "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"),
    ("token", "xoxb-" + "1234567890-abcdefghij"),
    ("token", "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".c2lnbmF0dXJl"),
    ("private_key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----"),
    ("card_number", "4111 1111 1111 1111"),
    ("card_number", "5500-0000-0000-0004"),
    ("thai_national_id", "1-1037-02071-81-1"),
]


def with_thai_check_digit(first: str) -> str:
    total = sum(int(digit) * weight for digit, weight in zip(first, range(13, 1, -1), strict=True))
    return first + str((11 - total % 11) % 10)


def with_luhn_digit(first: str) -> str:
    return next(first + str(last) for last in range(10) if is_card_number(first + str(last)))


@pytest.mark.parametrize(("kind", "secret"), SECRETS)
def test_a_secret_is_taken_out_and_named(kind: str, secret: str) -> None:
    if kind == "thai_national_id":
        secret = with_thai_check_digit("110370207181")
    found = redact_secrets(f"please keep {secret} for later")
    assert found.text == f"please keep [redacted: {kind}] for later"
    assert found.found == {kind: 1}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("password: hunter2hunter2", "password: [redacted: password]"),
        ("รหัสผ่านคือ ลับมากจริงๆ", "รหัสผ่านคือ [redacted: password]"),
        ("postgres://bob:s3cr3t@db/x", "postgres://bob:[redacted: password]@db/x"),
        ("Authorization: Bearer abcdefghijklmnop.qrstuv", "Authorization: Bearer [redacted: token]"),
    ],
)
def test_only_the_secret_of_a_phrase_is_taken_out(text: str, kept: str) -> None:
    assert redact_secrets(text).text == kept


@pytest.mark.parametrize(
    "text",
    [
        "The token of our friendship is a ring.",
        "Order 1234567890123456 was shipped.",
        "Call +66 2 123 4567 before 2026-03-01.",
        "ISBN 978-3-16-148410-0",
        "AC123 departed JFK at 09:00.",
        "ราคา 1,234,567,890,123 บาท",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact_secrets(text).text == text


@given(st.from_regex(r"[1-8][0-9]{11}", fullmatch=True))
@settings(max_examples=often(50, 200), deadline=None)
def test_every_thai_id_is_found_and_one_wrong_digit_makes_it_none(first: str) -> None:
    number = with_thai_check_digit(first)
    assert is_thai_id(number)
    assert "thai_national_id" in redact_secrets(f"บัตร {number} ครับ").found
    assert not is_thai_id(first + str((int(number[-1]) + 1) % 10))


@given(st.from_regex(r"[3-6][0-9]{14}", fullmatch=True).filter(lambda text: len(set(text)) > 3))
@settings(max_examples=often(50, 200), deadline=None)
def test_every_card_number_is_found_and_one_wrong_digit_makes_it_none(first: str) -> None:
    number = with_luhn_digit(first)
    assert redact_secrets(f"card {number}").found == {"card_number": 1}
    assert not is_card_number(first + str((int(number[-1]) + 1) % 10))


@given(st.text(max_size=200))
@settings(max_examples=often(50, 200), deadline=None)
def test_taking_out_twice_takes_out_nothing_more(text: str) -> None:
    once = redact_secrets(text)
    assert redact_secrets(once.text).text == once.text


async def test_a_secret_is_neither_stored_nor_found_and_the_sender_is_told(harness: MemoryHarness) -> None:
    secret = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
    body = await harness.call("send_memory", content=f"the deploy key is {secret}")
    assert body["redactions"] == [{"kind": "token", "count": 1}]
    (found,) = await harness.find("deploy key")
    assert found["content"] == "the deploy key is [redacted: token]"
    for table in ("memories", "retrieval_documents"):
        rows = await harness.parts.store.database.fetch(f"SELECT * FROM {table}")
        assert rows and secret not in repr(rows)
    assert all(secret not in row.entry.input for row in harness.ledger.rows)
