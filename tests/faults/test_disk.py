"""A disk that is full, fails or is read-only: the caller learns what to do, reads continue, nothing acknowledged is
lost, and work continues when there is space again."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from sanya.engines.disk import describe_disk
from sanya.kernel.faults import StoreUnavailable, Unavailable
from sanya.settings import Settings
from sanya.surfaces.http.health import Health
from sanya.transfer import back_up
from tests.faults.house import CallFailed, House, open_house
from tests.faults.places import Place
from tests.faults.trials import check_sound

SUITES = ("memory", "tasks")
ADVICE = ("free disk space", "check the disk")


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """Limit the size of files that this process writes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of a few megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("this user may not mount a disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def remount(disk: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(disk)], check=True)


def note(number: int) -> str:
    return f"Note {number}: " + " ".join(f"w{number}x{part}" for part in range(600))


async def send(house: House, number: int) -> str:
    sent = await house.call("send_memory", request_id=f"n-{number}", content=note(number))
    return str(sent["memory_id"])


async def send_until_refused(house: House) -> tuple[list[str], CallFailed]:
    acknowledged: list[str] = []
    for number in range(2000):
        try:
            acknowledged.append(await send(house, number))
        except CallFailed as refused:
            return acknowledged, refused
    raise AssertionError("the disk was never full")


async def list_memory_ids(house: House) -> list[str]:
    return [str(row[0]) for row in await house.engine.fetch("SELECT id FROM memories ORDER BY arrival")]


async def count_tasks(house: House) -> int:
    return len((await house.call("get_tasks", request_id=None, limit=5))["items"])


def check_advice(refused: CallFailed) -> None:
    assert refused.error["error_code"] == "storage_unavailable", refused.error
    assert any(advice in refused.error["message"] for advice in ADVICE), refused.error


async def test_a_full_disk_is_told_and_work_goes_on_when_there_is_room(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(1024 * 1024))
    place = Place(small_disk / "home", "")
    async with open_house(place, SUITES) as house:
        acknowledged, refused = await send_until_refused(house)
        check_advice(refused)
        assert await count_tasks(house) == 5
        assert set(acknowledged) <= set(await list_memory_ids(house))
        ballast.unlink()
        acknowledged.append(await send(house, len(acknowledged)))
        assert await list_memory_ids(house) == acknowledged
        await check_sound(house)
    async with open_house(place, SUITES) as house:
        assert await list_memory_ids(house) == acknowledged
        await check_sound(house)


async def test_a_full_disk_degrades_health_and_searches_advise_space(small_disk: Path) -> None:
    place = Place(small_disk / "home", "")
    async with open_house(place, SUITES) as house:
        await send(house, 0)
        health = Health(house.engine, house.ledger, describe_disk=lambda: describe_disk(place.home))
        fill(small_disk)
        await health.run_checks()
        [degraded] = await health.list_degraded()
        assert degraded["what"] == "disk" and "No space left" in degraded["message"]
        with pytest.raises(CallFailed) as failed:
            await house.call("get_memory", request_id=None, query="w0x17")
        assert "free disk space" in failed.value.error["message"]
        assert "rebuild" not in failed.value.error["message"]
        (small_disk / "ballast").unlink()
        found = await house.call("get_memory", request_id=None, query="w0x17")
        assert [memory["content"] for memory in found["memories"]] == [note(0)]


def fill(disk: Path) -> None:
    """Write until no byte fits any more."""
    with (disk / "ballast").open("wb", buffering=0) as ballast, suppress(OSError):
        while True:
            ballast.write(bytes(512))


@pytest.mark.parametrize("room", [0, 2 * 1024 * 1024])
async def test_a_disk_that_takes_no_writes_is_told_and_reads_go_on(tmp_path: Path, room: int) -> None:
    place = Place(tmp_path / "home", "")
    async with open_house(place, SUITES) as house:
        acknowledged = [await send(house, 10_000)]
        with files_up_to(room):
            more, refused = await send_until_refused(house)
            check_advice(refused)
            assert await count_tasks(house) == 5
            # The disk may be full between a write and its ledger row: then the refusal says that the write happened.
            has_happened = "the write happened" in refused.error["message"]
            stored = await list_memory_ids(house)
            assert stored[: 1 + len(more)] == [*acknowledged, *more]
            assert len(stored) == 1 + len(more) + has_happened
        acknowledged += [*more, await send(house, len(more))]
        assert await list_memory_ids(house) == acknowledged
        await check_sound(house)
    async with open_house(place, SUITES) as house:
        assert await list_memory_ids(house) == acknowledged
        await check_sound(house)


async def test_a_home_that_may_only_be_read_is_told_at_the_start(small_disk: Path) -> None:
    place = Place(small_disk / "home", "")
    async with open_house(place, SUITES) as house:
        first = await send(house, 0)
    remount(small_disk, "ro")
    with pytest.raises(StoreUnavailable, match=r"cannot be (used|written|opened)") as told:
        async with open_house(place, SUITES):
            pass
    assert "--home" in told.value.message or "permissions" in told.value.message
    remount(small_disk, "rw")
    async with open_house(place, SUITES) as house:
        assert await list_memory_ids(house) == [first]
        await check_sound(house)


@pytest.mark.skipif(os.getuid() == 0, reason="nothing is forbidden to this user")
async def test_a_home_of_somebody_else_is_told_at_the_start(tmp_path: Path) -> None:
    place = Place(tmp_path / "home", "")
    async with open_house(place, SUITES):
        pass
    place.home.chmod(0o500)
    (place.home / "sanya.db").chmod(0o400)
    with pytest.raises(StoreUnavailable, match="choose another with --home"):
        async with open_house(place, SUITES):
            pass


@pytest.mark.parametrize("room", [0, 4096])
async def test_a_search_whose_files_could_not_grow_finds_everything_when_there_is_room(
    tmp_path: Path, room: int
) -> None:
    async with open_house(Place(tmp_path / "home", ""), ("memory",)) as house:
        for number in range(5):
            await send(house, number)
        library = await house.opened.library()
        with files_up_to(room), pytest.raises(Unavailable, match=r"cannot be (written|opened)"):
            await library.rebuild("memory")
        await library.refresh()
        assert await library.count("memory") == 5
        found = await house.call("get_memory", request_id=None, query="w3x17")
        assert note(3) in [memory["content"] for memory in found["memories"]]


async def test_a_backup_that_does_not_fit_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path / "home", "")
    async with open_house(place, SUITES):
        pass
    file = tmp_path / "monday.sanya"
    for room in (0, 4096, 100_000, 400_000):
        with files_up_to(room), pytest.raises(StoreUnavailable):
            await back_up(Settings(home=place.home), file)
        assert [file.name for file in tmp_path.iterdir()] == ["home"]
    assert (await back_up(Settings(home=place.home), file)).tables["tasks"].rows > 0
