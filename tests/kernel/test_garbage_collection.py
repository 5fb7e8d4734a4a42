from __future__ import annotations

import gc
import weakref

import pytest

from sanya.kernel.garbage_collection import paused_collection


def test_collecting_goes_on_afterwards_even_where_the_work_failed() -> None:
    with pytest.raises(ValueError, match="broken"), paused_collection():
        assert not gc.isenabled()
        raise ValueError("broken")
    assert gc.isenabled()


def test_who_had_turned_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with paused_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_a_server_set_apart_at_its_start_stays_apart() -> None:
    frozen = gc.get_freeze_count()
    assert frozen, "what pytest collected is set apart as well"
    with paused_collection():
        pass
    assert gc.get_freeze_count() == frozen


def test_cycles_made_meanwhile_are_young_and_soon_gone() -> None:
    class Part:
        other: Part | None = None

    with paused_collection():
        part = Part()
        part.other = Part()
        part.other.other = part
        seen = weakref.ref(part)
        del part
        assert seen() is not None
    gc.collect(0)
    assert seen() is None
