"""The tests of the example. Run with `pytest`, after `pip install -e '.[test]'`."""

import pytest

import sanya


async def test_a_term_is_stored_explained_and_listed(tmp_path):
    async with sanya.open(tmp_path / "home") as app:
        with pytest.raises(sanya.CallRefused, match="no term"):
            await app.call("glossary.define", {"term": "SLA"})
        await app.call("glossary.add", {"term": "SLA", "meaning": "service level agreement"})
        assert (await app.call("glossary.define", {"term": "SLA"}))["meaning"] == "service level agreement"
        assert await app.call("glossary.list_terms") == {"terms": ["SLA"]}
