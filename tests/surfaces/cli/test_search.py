from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sanya import app
from sanya.retrieval.documents import Document, DocumentText
from tests.engines.embedders.tiny_model import write_model

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


@pytest.fixture
def filled(begun_home: Path) -> Path:
    """Two documents in both languages, with vectors of the real models."""

    async def fill() -> None:
        async with app.open(begun_home) as opened:
            library = await opened.library()
            await library.declare("notes")
            english = Document("en", (DocumentText("The Carolina Panthers won the game."),))
            await library.add("notes", [english, Document("th", (DocumentText("ทีมแพนเธอร์สชนะการแข่งขัน"),))])

    asyncio.run(fill())
    return begun_home


def test_an_explanation_shows_terms_translations_and_the_sum(filled: Path, sanya: Run) -> None:
    shown = sanya("search", "explain", "ทีมแพนเธอร์สชนะ", "--in", "notes")
    assert shown.code == 0
    for words in ("language Thai", "by translation", "pnt (0.5)", "ชนะ → ", "multilingual vectors", "+ meaning"):
        assert words in shown.out
    found = sanya("search", "explain", "ทีมแพนเธอร์สชนะ", "--in", "notes", "--json").json
    assert [hit["id"] for hit in found["hits"]] == ["th", "en"]
    assert all(sum(hit["parts"].values()) == hit["score"] for hit in found["hits"])


def test_a_rebuilt_index_has_what_the_store_has(filled: Path, sanya: Run) -> None:
    assert sanya("search", "rebuild", "notes").out == "notes: rebuilt the index of 2 documents\n"


def test_a_namespace_changes_its_model_by_a_setting_and_a_command(filled: Path, sanya: Run, tmp_path: Path) -> None:
    assert sanya("search", "embed", "notes").out == "notes: embedded 0 documents\n"
    model = write_model(tmp_path / "model")
    (filled / "sanya.toml").write_text(f'embedder = "huggingface"\nembedder_model = "{model}"\n', encoding="utf-8")
    doctor = sanya("doctor")
    assert doctor.code == 1 and "Run: sanya search embed notes" in doctor.out
    assert sanya("search", "embed", "notes").out == "notes: embedded 2 documents\n"
    found = sanya("search", "explain", "Panthers", "--in", "notes", "--json").json
    assert {hit["id"] for hit in found["hits"]} == {"en", "th"}
    assert "search embed" not in sanya("doctor").out


def test_an_empty_namespace_is_said_to_be_empty(sanya: Run) -> None:
    shown = sanya("search", "explain", "anything", "--in", "nowhere")
    assert (shown.code, "nothing to search" in shown.out) == (0, True)


def test_a_wrong_alpha_is_refused_with_its_bounds(sanya: Run) -> None:
    shown = sanya("search", "explain", "x", "--alpha", "2")
    assert shown.code == 1 and "0 to 1" in shown.err
