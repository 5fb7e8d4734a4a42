from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import sanya as door
from sanya.kernel.calls.call import Caller

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run

pytestmark = pytest.mark.usefixtures("begun_home")


def holder(home: Path, key: str) -> Caller | None:
    async def find() -> Caller | None:
        async with door.open(home) as app:
            return await app.keys.find(key)

    return asyncio.run(find())


def test_a_key_is_shown_once_and_reads_by_default(home: Path, sanya: Run) -> None:
    ran = sanya("keys", "create", "laptop")
    key = ran.out.strip()
    assert "not shown again" in ran.err
    found = holder(home, key)
    assert found is not None
    assert "tasks:read" in found.scopes
    assert all(scope.endswith(":read") for scope in found.scopes)
    assert found.calls_per_minute == 6000
    listing = sanya("keys", "list")
    assert key.split("_")[1] in listing.out
    assert key.split("_", 2)[2] not in listing.out + sanya("keys", "list", "--json").out


def test_scopes_and_pace_can_be_chosen(home: Path, sanya: Run) -> None:
    key = sanya("keys", "create", "bot", "--scope", "*", "--calls-per-minute", "60").out.strip()
    found = holder(home, key)
    assert found is not None
    assert (found.scopes, found.calls_per_minute) == (frozenset({"*"}), 60)


def test_a_key_can_be_made_for_the_metrics_alone(home: Path, sanya: Run) -> None:
    key = sanya("keys", "create", "prometheus", "--scope", "metrics:read").out.strip()
    found = holder(home, key)
    assert found is not None
    assert found.scopes == {"metrics:read"}


def test_a_revoked_key_opens_nothing(home: Path, sanya: Run) -> None:
    key = sanya("keys", "create", "laptop").out.strip()
    id = sanya("keys", "list", "--json").json[0]["id"]
    assert sanya("keys", "revoke", id).code == 0
    assert holder(home, key) is None
    assert sanya("keys", "list", "--json").json[0]["revoked_at"]
    again = sanya("keys", "revoke", id)
    assert again.code == 1
    assert "sanya keys list" in again.err


def test_access_is_opened_again_only_by_a_command_that_says_so(home: Path, sanya: Run) -> None:
    sanya("keys", "create", "laptop")
    [key] = sanya("keys", "list", "--json").json
    refused = sanya("keys", "open")
    assert (refused.code, refused.out) == (1, "")
    assert "still active" in refused.err
    assert "sanya keys open" in sanya("keys", "revoke", key["id"]).err
    doctor = {found["check"]: found for found in sanya("doctor", "--json").json["findings"]}
    assert doctor["authentication"]["state"] == "bad"
    assert "sanya keys open" in doctor["authentication"]["advice"]
    opened = sanya("keys", "open")
    assert opened.code == 0
    assert "Restart" in opened.out
    assert sanya("audit", "list", "--limit", "1", "--json").json["tool"] == "keys.open"
    assert sanya("doctor").code == 0
    again = sanya("keys", "open")
    assert again.code == 1
    assert "open already" in again.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["create", "x", "--scope", "task:read"], "tasks:read"),
        (["create", "  "], "printable"),
        (["create", "a\x1b[31m"], "printable"),
        (["create", "x", "--calls-per-minute", "-1"], "whole number"),
        ([], "ACTION"),
    ],
)
def test_a_slip_of_the_hand_makes_no_key(words: list[str], says: str, sanya: Run) -> None:
    ran = sanya("keys", *words)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert sanya("keys", "list", "--json").json == []
