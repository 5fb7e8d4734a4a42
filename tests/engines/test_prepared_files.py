from __future__ import annotations

from pathlib import Path

from sanya.engines.prepared_files import PreparedFiles


def test_what_was_written_is_read_for_its_key_and_its_code_alone(tmp_path: Path) -> None:
    files = PreparedFiles(tmp_path / "prepared", "code 1")
    assert files.read("names", "key") is None
    files.write("names", "key", b"content")
    assert files.read("names", "key") == b"content"
    assert files.read("names", "another key") is None
    assert PreparedFiles(tmp_path / "prepared", "code 2").read("names", "key") is None
    assert [path.name for path in (tmp_path / "prepared").iterdir()] == ["names"]


def test_a_damaged_file_is_as_none_and_is_replaced(tmp_path: Path) -> None:
    files = PreparedFiles(tmp_path, "code")
    files.write("names", "key", b"content")
    stored = (tmp_path / "names").read_bytes()
    for damaged in (b"", stored[:20], stored[:-1], stored[:-1] + b"?"):
        (tmp_path / "names").write_bytes(damaged)
        assert files.read("names", "key") is None
    files.write("names", "key", b"content")
    assert files.read("names", "key") == b"content"


def test_a_folder_that_cannot_be_written_costs_the_file_alone(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file stands where the folder should be")
    files = PreparedFiles(tmp_path / "home" / "prepared", "code")
    files.write("names", "key", b"content")
    assert files.read("names", "key") is None
