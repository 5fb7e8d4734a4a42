"""Words that people use: the suite's, and those that an owner adds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import sanya.app
from sanya.settings import BadSetting
from sanya.suites.herbs.questions.people_words import BadWordList, load_people_words


def test_an_owner_adds_words_and_replaces_none(tmp_path: Path) -> None:
    file = tmp_path / "people_words.toml"
    file.write_text('[words]\n"icd10:R05" = ["แค็กๆ"]\n"my-node" = ["a word"]\n', encoding="utf-8")
    words = load_people_words(file)
    assert "แค็กๆ" in words["icd10:R05"]
    assert set(load_people_words()["icd10:R05"]) < set(words["icd10:R05"])
    assert words["my-node"] == ("a word",)


@pytest.mark.parametrize("content", ["[words", "words = 3", '[words]\n"icd10:R05" = "ไอ"', '[words]\n"a" = [""]'])
def test_a_broken_file_is_refused_with_its_name(tmp_path: Path, content: str) -> None:
    file = tmp_path / "people_words.toml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BadWordList, match=r"people_words\.toml"):
        load_people_words(file)


@pytest.mark.asyncio
async def test_a_word_of_the_owners_file_is_understood_in_a_question(indexed_home: Path, home: Path) -> None:
    shutil.copytree(indexed_home, home)
    (home / "herbs").mkdir(exist_ok=True)
    (home / "herbs" / "people_words.toml").write_text('[words]\n"icd10:R05" = ["แค็กแค็ก"]\n', encoding="utf-8")
    async with sanya.app.open(home) as app:
        body = await app.call("tool.rag_answer", {"question": "แค็กแค็กทั้งคืน ใช้สมุนไพรอะไรดี"})
    assert "ไอ" in body["answer"].splitlines()[0]


@pytest.mark.asyncio
async def test_a_home_with_a_broken_file_of_words_says_so_when_it_opens(home: Path) -> None:
    (home / "herbs").mkdir(parents=True, exist_ok=True)
    (home / "herbs" / "people_words.toml").write_text("[words", encoding="utf-8")
    with pytest.raises(BadSetting, match=r"people_words\.toml"):
        async with sanya.app.open(home):
            pass
