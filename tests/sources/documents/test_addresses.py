"""Which files an address can reach: those below the owner's folders, whatever is tried."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from sanya.kernel.faults import Fault, Forbidden, InvalidArgument, NotFound, TooLarge
from sanya.sources.documents.addresses import open_document, parse_file_uri
from sanya.sources.documents.reader import open_reader
from sanya.suites.herbs.ingest.documents import ReadRequest
from tests.sources.documents.hostile_addresses import SECRET, hostile_addresses

_ENOUGH = 1024 * 1024


def opened_text(uri: str, roots: list[Path], closed: list[Path] | None = None) -> str:
    opened = open_document(uri, roots, closed or [], _ENOUGH)
    with os.fdopen(opened.descriptor, encoding="utf-8") as file:
        return file.read()


async def test_more_than_150_hostile_addresses_reach_nothing(inbox: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "canary.txt").write_text(SECRET, encoding="utf-8")
    for sibling in ("inbox2", "inbox-evil"):
        (tmp_path / sibling).mkdir()
        (tmp_path / sibling / "canary.txt").write_text(SECRET, encoding="utf-8")
    (inbox / "good.txt").write_text("good", encoding="utf-8")
    calls = 0

    def called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal calls
        calls += 1
        writer.close()

    async with await asyncio.start_server(called, "127.0.0.1", 0) as server:
        addresses = hostile_addresses(inbox, outside, server.sockets[0].getsockname()[1])
        assert len(set(addresses)) == len(addresses) >= 150
        reader = open_reader([inbox])
        for address in addresses:
            with pytest.raises(Fault) as refused:
                document = await reader.read(ReadRequest(address), lambda done, of: None)
                pytest.fail(f"{address!r} was read as {document}")
            assert isinstance(refused.value, Forbidden | InvalidArgument | NotFound), address
            assert SECRET not in refused.value.message
            assert str(outside) not in refused.value.message
    assert calls == 0
    assert opened_text((inbox / "good.txt").as_uri(), [inbox]) == "good"


def test_what_lies_outside_is_refused_alike_whether_it_is_there_or_not(inbox: Path, tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("x", encoding="utf-8")
    refusals = []
    for name in ("there.txt", "absent.txt"):
        with pytest.raises(Forbidden) as refused:
            opened_text((tmp_path / name).as_uri(), [inbox])
        refusals.append((refused.value.message, refused.value.hint))
    assert refusals[0] == refusals[1]


def test_names_in_any_script_and_links_that_stay_inside_are_read(inbox: Path) -> None:
    strange = inbox / "ตำรา ยา" / "50% #1?.txt"
    strange.parent.mkdir()
    strange.write_text("found", encoding="utf-8")
    (inbox / "link.txt").symlink_to(strange)
    assert opened_text(strange.as_uri(), [inbox]) == "found"
    assert opened_text((inbox / "link.txt").as_uri(), [inbox]) == "found"
    assert parse_file_uri(strange.as_uri()) == strange


def test_a_root_may_itself_be_a_link(inbox: Path, tmp_path: Path) -> None:
    (inbox / "a.txt").write_text("found", encoding="utf-8")
    (tmp_path / "link").symlink_to(inbox)
    assert opened_text((tmp_path / "link" / "a.txt").as_uri(), [tmp_path / "link"]) == "found"


def test_the_home_is_closed_even_below_a_root_but_its_inbox_is_open(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "inbox").mkdir(parents=True)
    (home / "sanya.toml").write_text("entrez_api_key = 'x'", encoding="utf-8")
    (home / "inbox" / "a.txt").write_text("found", encoding="utf-8")
    with pytest.raises(Forbidden):
        opened_text((home / "sanya.toml").as_uri(), [tmp_path], [home])
    with pytest.raises(Forbidden):
        opened_text((home / "inbox" / "a.txt").as_uri(), [tmp_path], [home])
    assert opened_text((home / "inbox" / "a.txt").as_uri(), [tmp_path, home / "inbox"], [home]) == "found"


def test_a_file_over_the_limit_is_refused_unread_and_nothing_stays_open(inbox: Path) -> None:
    (inbox / "large.txt").write_bytes(bytes(_ENOUGH + 1))
    lowest = os.dup(0)
    os.close(lowest)
    with pytest.raises(TooLarge, match="more than"):
        opened_text((inbox / "large.txt").as_uri(), [inbox])
    again = os.dup(0)
    os.close(again)
    assert again == lowest


def test_without_roots_nothing_is_read(inbox: Path) -> None:
    (inbox / "a.txt").write_text("x", encoding="utf-8")
    with pytest.raises(Forbidden, match="outside"):
        opened_text((inbox / "a.txt").as_uri(), [])
