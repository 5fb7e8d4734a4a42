"""Models in the layout of the hub, with a tiny one that the test creates."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from sanya.engines.embedders.huggingface import open_huggingface
from sanya.kernel.faults import Fault, Unavailable
from sanya.retrieval.embedding import check_vectors
from tests.engines.embedders.tiny_model import DIM, WORDS, make_table, write_model

ODD = ["", " ", "\x00", "\ud800", "ก" * 30_000, "rice " * 5000, "😀", "่้"]


async def test_texts_get_normalised_vectors_in_their_order(tmp_path: Path) -> None:
    embedder = await open_huggingface(str(write_model(tmp_path)))
    texts = ["heart attack", "rice", "heart", *["rice heart"] * 40]
    rows = check_vectors(await embedder.embed(texts), texts, embedder.model)
    words = make_table()
    expected = (words[WORDS.index("heart")] + words[WORDS.index("attack")]) / 2
    assert np.allclose(rows[0], expected / np.linalg.norm(expected), atol=1e-5)
    assert embedder.model.dim == DIM
    embedder.close()


async def test_every_text_gets_a_vector_whatever_it_holds(tmp_path: Path) -> None:
    embedder = await open_huggingface(str(write_model(tmp_path)))
    assert (await embedder.embed(ODD)).shape == (len(ODD), DIM)
    embedder.close()


@pytest.mark.parametrize(
    ("said", "word"), [({"pooling_mode_cls_token": True}, "heart"), ({"pooling_mode_lasttoken": True}, "rice")]
)
async def test_a_model_is_pooled_as_it_says(tmp_path: Path, said: dict[str, bool], word: str) -> None:
    folder = write_model(tmp_path)
    plain = await open_huggingface(str(folder))
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(said))
    embedder = await open_huggingface(str(folder))
    row = (await embedder.embed(["heart attack rice"]))[0]
    expected = make_table()[WORDS.index(word)]
    assert np.allclose(row, expected / np.linalg.norm(expected), atol=1e-5)
    assert embedder.model.digest != plain.model.digest
    plain.close()
    embedder.close()


async def test_a_model_that_is_not_here_is_not_fetched_and_the_fault_says_how_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(Unavailable, match="sanya models install huggingface:nobody/nothing-of-the-sort"):
        await open_huggingface("nobody/nothing-of-the-sort")
    with pytest.raises(Unavailable, match="neither a folder nor"):
        await open_huggingface("not a name at all!")


@pytest.mark.parametrize("broken", ["onnx/model.onnx", "tokenizer.json", "1_Pooling/config.json"])
async def test_a_damaged_or_half_model_is_a_typed_fault(tmp_path: Path, broken: str) -> None:
    folder = write_model(tmp_path)
    (folder / broken).parent.mkdir(exist_ok=True)
    (folder / broken).write_text("{ torn")
    with pytest.raises(Fault):
        await open_huggingface(str(folder))
    (folder / "tokenizer.json").unlink()
    with pytest.raises(Unavailable, match="lacks tokenizer"):
        await open_huggingface(str(folder))


async def test_without_the_extra_the_fault_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sanya.engines.embedders.huggingface.find_spec", lambda _: None)
    with pytest.raises(Unavailable, match=r"pip install 'sanya\[huggingface\]'"):
        await open_huggingface("any")


async def test_a_runtime_that_would_end_the_process_is_refused_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "usearch", sys)
    monkeypatch.delitem(sys.modules, "onnxruntime")
    with pytest.raises(Unavailable, match="restart Sanya"):
        await open_huggingface(str(write_model(tmp_path)))
