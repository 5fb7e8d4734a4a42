"""Which engines a shadow stands on, and whether what is there can be compared at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import sanya
from sanya.engines.database import open_database
from sanya.settings import BadSetting, load_settings
from sanya.shadow.pair import NotAShadow, check_state, derive_shadow_settings, name_trial
from sanya.shadow.wire import decode_settings, encode_settings
from tests.shadow.stage import moved, settings_of

URL = "postgresql://sanya:hunter2@db.internal/sanya"


@pytest.mark.parametrize(
    ("settings", "trial"),
    [
        ({"shadow": URL}, "SQLite, embedded | PostgreSQL, postgresql"),
        ({"shadow": URL, "shadow_index": "embedded"}, "SQLite, embedded | PostgreSQL, embedded"),
        ({"shadow_index": "weaviate"}, "SQLite, embedded | SQLite, weaviate"),
        ({"shadow": "/elsewhere", "database_url": URL}, "PostgreSQL, postgresql | SQLite, embedded"),
    ],
)
def test_a_shadow_has_engines_of_its_own_and_shares_nothing_else(
    home: Path, settings: dict[str, Any], trial: str
) -> None:
    ours = settings_of(home, redis_url="redis://cache", replica="east", otel_endpoint="http://otel", **settings)
    theirs = derive_shadow_settings(ours)
    assert theirs is not None
    assert name_trial(ours, theirs) == trial
    assert (theirs.redis_url, theirs.replica, theirs.otel_endpoint, theirs.has_shadow) == ("", "", "", False)
    assert theirs.ingest_roots == (str(home / "inbox"),)
    assert decode_settings(encode_settings(theirs, mirrors_writes=True)) == (theirs, True)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"shadow": URL, "database_url": URL}, "the home itself"),
        ({"shadow_index": "embedded"}, "already"),
        ({"shadow_index": "postgresql"}, "needs a PostgreSQL database"),
        ({"shadow_index": "postgresql", "database_url": URL}, "already"),
        ({"shadow": URL, "index": "weaviate"}, "the same Weaviate"),
        ({"shadow": "mysql://db/x"}, "begins with postgresql://, or a folder"),
    ],
)
def test_what_cannot_be_compared_is_refused(home: Path, settings: dict[str, Any], word: str) -> None:
    with pytest.raises(BadSetting, match=word):
        derive_shadow_settings(settings_of(home, **settings))
    assert derive_shadow_settings(load_settings({"home": home}, {})) is None


async def test_a_place_without_this_home_is_told_with_what_to_do(home: Path, tmp_path: Path) -> None:
    other, empty, here = tmp_path / "other", tmp_path / "empty", tmp_path / "moved"
    await moved(home, str(here))
    async with sanya.open(other), open_database("", empty):
        pass

    async def state(shadow: Path) -> list[str]:
        settings = settings_of(home, shadow=str(shadow))
        theirs = derive_shadow_settings(settings)
        assert theirs is not None
        async with open_database("", home) as primary:
            return await check_state(primary, settings, theirs)

    for place, word in ((tmp_path / "none", "no home"), (empty, "holds nothing"), (other, "another home")):
        with pytest.raises(NotAShadow, match=f"{word}.*sanya migrate --to"):
            await state(place)
    assert not (tmp_path / "none").exists()
    assert await state(here) == []
    async with open_database("", here) as shadow, shadow.transaction() as transaction:
        await transaction.execute("DELETE FROM task_changelogs")
    (uneven,) = await state(here)
    assert uneven.startswith("task_changelogs: ")
    assert uneven.endswith(" rows here, 0 in the shadow")
