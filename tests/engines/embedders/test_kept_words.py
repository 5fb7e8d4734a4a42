"""Words that one process has read are there for the next, and change no vector."""

from __future__ import annotations

from pathlib import Path

import pytest

from sanya.engines.embedders.kept_words import FILE_NAME, KeptWords
from sanya.engines.embedders.multilingual import AddedWords, Multilingual, PackedArrays, WordTable
from sanya.engines.embedders.offline import USE
from sanya.engines.prepared_files import PreparedFiles

TEXTS = ["turmeric with warfarin", "กินขมิ้นชันกับวาร์ฟารินได้ไหม"]
UNKNOWN = "an unrelated sentence about railway bridges"


def _load(kept: KeptWords) -> Multilingual:
    model = Multilingual(USE)
    kept.load(lambda: model)
    return model


@pytest.fixture
def files(tmp_path: Path) -> PreparedFiles:
    kept = KeptWords(PreparedFiles(tmp_path / "prepared", "code"))
    first = kept.load(lambda: Multilingual(USE))
    first.encode(first.tokenize(TEXTS))
    kept.save()
    return PreparedFiles(tmp_path / "prepared", "code")


def test_vectors_are_the_same_with_and_without_kept_words(files: PreparedFiles) -> None:
    plain, model = Multilingual(USE), _load(KeptWords(files))
    for text in (*TEXTS, UNKNOWN):
        ids = plain.tokenize([text])
        assert (model.encode(ids) == plain.encode(ids)).all()


def test_kept_words_are_read_without_unpacking_any(files: PreparedFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    model, unpacked = _load(KeptWords(files)), list[str]()
    unpack = PackedArrays.unpack

    def note_and_unpack(arrays: PackedArrays, name: str) -> bytes:
        unpacked.append(name)
        return unpack(arrays, name)

    monkeypatch.setattr(PackedArrays, "unpack", note_and_unpack)
    model.encode(model.tokenize(TEXTS))
    assert unpacked == []
    model.encode(model.tokenize([UNKNOWN]))
    assert unpacked != []


def test_nothing_is_written_where_no_new_word_was_read(files: PreparedFiles, tmp_path: Path) -> None:
    file = tmp_path / "prepared" / FILE_NAME
    before = file.stat()
    kept = KeptWords(files)
    again = kept.load(lambda: Multilingual(USE))
    again.encode(again.tokenize(TEXTS))
    kept.save()
    assert file.stat().st_ino == before.st_ino


def test_a_damaged_file_counts_as_none(files: PreparedFiles, tmp_path: Path) -> None:
    file = tmp_path / "prepared" / FILE_NAME
    file.write_bytes(file.read_bytes()[:-7])
    plain, model = Multilingual(USE), _load(KeptWords(files))
    ids = plain.tokenize(TEXTS)
    assert (model.encode(ids) == plain.encode(ids)).all()


def test_packed_words_are_read_back(files: PreparedFiles) -> None:
    content = files.read(FILE_NAME, USE.digest)
    assert content is not None
    words = AddedWords.from_bytes(content)
    assert words.to_bytes() == content
    assert (WordTable(Multilingual(USE).words._weights)[words.ids] == words.rows).all()  # type: ignore[arg-type]
