from __future__ import annotations

import gc

import pytest

from sanya.kernel.batches import without_collecting


def test_collecting_goes_on_afterwards_even_where_the_work_failed() -> None:
    with pytest.raises(ValueError, match="broken"), without_collecting():
        assert not gc.isenabled()
        raise ValueError("broken")
    assert gc.isenabled()


def test_who_had_turned_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with without_collecting():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
