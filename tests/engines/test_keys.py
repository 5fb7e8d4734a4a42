from __future__ import annotations

import pytest

from sanya.engines.keys import CACHE_SECONDS, KeyStore
from sanya.kernel.calls.call import Caller
from sanya.kernel.faults import InvalidArgument, NotFound
from sanya.kernel.storage.database import Database


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def keys(database: Database, clock: Clock) -> KeyStore:
    return KeyStore(database, clock)


async def test_a_key_finds_its_caller_with_scopes_and_limit(keys: KeyStore) -> None:
    key = await keys.create("laptop", ["tasks:read", "funds:read"], 60)
    caller = await keys.find(key)
    assert caller is not None
    assert caller.scopes == {"tasks:read", "funds:read"}
    assert caller.calls_per_minute == 60
    assert caller == await keys.find(key)


async def test_every_key_is_a_caller_of_its_own(keys: KeyStore) -> None:
    first, second = await keys.create("a", ["*"]), await keys.create("a", ["*"])
    assert first != second
    callers = [await keys.find(first), await keys.find(second)]
    assert len({caller.id for caller in callers if caller}) == 2


async def test_neither_the_key_nor_its_secret_is_stored(database: Database, keys: KeyStore) -> None:
    key = await keys.create("laptop", ["*"])
    secret = key.split("_", 2)[2]
    stored = str(await database.fetch("SELECT * FROM keys"))
    assert secret not in stored


async def test_a_key_that_is_not_ours_finds_nobody(keys: KeyStore) -> None:
    key = await keys.create("laptop", ["*"])
    _, id, secret = key.split("_", 2)
    other = await keys.create("other", ["*"])
    swapped = f"sanya_{id}_{other.split('_', 2)[2]}"
    wrong = [
        swapped,
        f"sanya_{id}_{secret[:-1]}",
        f"sanya_{id}_",
        "",
        "sanya",
        key + " ",
        key.upper(),
        "ยา",
        "\ud800",
        "\0",
    ]
    assert [await keys.find(key) for key in wrong] == [None] * len(wrong)
    assert await keys.find(f"sanya_{'0' * 12}_{secret}") is None


async def test_a_revoked_key_finds_nobody_at_once_in_the_process_that_revoked_it(keys: KeyStore) -> None:
    key = await keys.create("laptop", ["*"])
    assert await keys.find(key) is not None
    await keys.revoke(key.split("_")[1])
    assert await keys.find(key) is None


async def test_a_revoked_key_finds_nobody_elsewhere_within_seconds(database: Database, clock: Clock) -> None:
    here, elsewhere = KeyStore(database, clock), KeyStore(database, clock)
    key = await here.create("laptop", ["*"])
    assert await elsewhere.find(key) is not None
    await here.revoke(key.split("_")[1])
    clock.now += CACHE_SECONDS
    assert await elsewhere.find(key) is None
    assert CACHE_SECONDS <= 10


async def test_revoking_what_is_not_in_force_says_so(keys: KeyStore) -> None:
    key = await keys.create("laptop", ["*"])
    id = key.split("_")[1]
    await keys.revoke(id)
    for missing in (id, "nobody"):
        with pytest.raises(NotFound, match="keys list"):
            await keys.revoke(missing)


async def test_keys_are_listed_with_what_is_known_of_them(keys: KeyStore) -> None:
    assert await keys.list() == []
    assert not await keys.has_active()
    first = await keys.create("laptop", ["tasks:read"], 60)
    second = await keys.create("phone", ["*"])
    await keys.find(first)
    await keys.revoke(second.split("_")[1])
    listed = {key.name: key for key in await keys.list()}
    assert listed["laptop"].last_used_at is not None
    assert listed["laptop"].revoked_at is None
    assert listed["laptop"].scopes == {"tasks:read"}
    assert listed["phone"].last_used_at is None
    assert listed["phone"].revoked_at is not None
    assert await keys.has_active()


async def test_no_key_is_active_when_the_last_one_was_revoked(keys: KeyStore) -> None:
    key = await keys.create("laptop", ["*"])
    await keys.revoke(key.split("_")[1])
    assert not await keys.has_active()


async def test_revoked_keys_keep_callers_without_credentials_out_until_access_is_opened(keys: KeyStore) -> None:
    assert not await keys.has_any()
    first, second = [await keys.create(name, ["*"]) for name in ("laptop", "phone")]
    await keys.revoke(first.split("_")[1])
    with pytest.raises(InvalidArgument, match="still active"):
        await keys.open_access()
    await keys.revoke(second.split("_")[1])
    assert await keys.has_any()
    await keys.open_access()
    assert not await keys.has_any()
    assert {key.name for key in await keys.list()} == {"laptop", "phone"}, "opening forgets no key"
    assert [await keys.find(first), await keys.find(second)] == [None, None], "and brings none back"
    with pytest.raises(NotFound, match="open already"):
        await keys.open_access()
    await keys.create("tablet", ["*"])
    assert await keys.has_any()


async def test_a_caller_by_key_is_told_from_the_owner(keys: KeyStore) -> None:
    found = await keys.find(await keys.create("owner", ["*"]))
    assert isinstance(found, Caller)
    assert found.id.startswith("key:")
