"""The tests of the example. Run with `pytest`, after `pip install -e '.[test]'`."""

import pytest

import sanya


async def test_the_server_behind_converts_and_wrong_units_never_reach_it(tmp_path):
    async with sanya.open(tmp_path / "home") as app:
        assert await app.call("units.convert", {"value": 2, "fromUnit": "เส้น", "toUnit": "m"}) == {"value": 80}
        with pytest.raises(sanya.CallRefused, match="toUnit must be one of"):
            await app.call("units.convert", {"value": 2, "fromUnit": "m", "toUnit": "foot"})
