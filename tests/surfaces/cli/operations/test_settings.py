from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sanya.surfaces.setting_changes import UnsafeLayout, replace_setting

if TYPE_CHECKING:
    from tests.surfaces.cli.conftest import Run


def test_the_table_shows_where_each_value_came_from(home: Path, sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    home.mkdir()
    (home / "sanya.toml").write_text('time_zone = "Asia/Bangkok"\n', encoding="utf-8")
    monkeypatch.setenv("SANYA_PORT", "9001")
    rows = {row["name"]: row for row in sanya("settings", "--json").json}
    assert (rows["time_zone"]["value"], rows["time_zone"]["source"]) == ("Asia/Bangkok", str(home / "sanya.toml"))
    assert (rows["port"]["value"], rows["port"]["source"]) == (9001, "environment")
    assert (rows["home"]["value"], rows["home"]["source"]) == (str(home), "command line")
    assert (rows["host"]["value"], rows["host"]["source"]) == ("127.0.0.1", "default")


def test_a_secret_is_never_shown(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANYA_DATABASE_URL", "postgresql://me:hunter2@db/x")
    for words in (["settings"], ["settings", "--json"]):
        ran = sanya(*words)
        assert "hunter2" not in ran.out + ran.err
        assert "(hidden)" in ran.out


def test_a_bad_setting_is_one_sentence_and_a_fault(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANYA_PORT", "eighty")
    ran = sanya("settings")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "sanya: environment: port takes number, got 'eighty'\n"


def test_set_writes_the_file_and_makes_a_private_home(home: Path, sanya: Run) -> None:
    assert sanya("settings", "set", "time_zone", "Asia/Bangkok").code == 0
    assert sanya("settings", "set", "allowed_hosts", "a.example, b.example").code == 0
    assert (home / "sanya.toml").read_text(encoding="utf-8") == (
        'time_zone = "Asia/Bangkok"\nallowed_hosts = ["a.example", "b.example"]\n'
    )
    assert home.stat().st_mode & 0o077 == 0
    rows = {row["name"]: row for row in sanya("settings", "--json").json}
    assert rows["allowed_hosts"]["value"] == ["a.example", "b.example"]


@pytest.mark.parametrize(("name", "value", "code"), [("port", "x", 1), ("prot", "1", 1), ("home", "/x", 2)])
def test_set_refuses_what_could_not_be_read_again(home: Path, sanya: Run, name: str, value: str, code: int) -> None:
    ran = sanya("settings", "set", name, value)
    assert ran.code == code
    assert ran.err.startswith("sanya: ")
    assert not (home / "sanya.toml").exists()


def test_set_says_when_the_environment_still_wins(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANYA_PORT", "9001")
    assert "SANYA_PORT in the environment overrides this value" in sanya("settings", "set", "port", "9002").out


def test_set_keeps_every_other_line_and_the_comments() -> None:
    before = "# mine\nport = 1 # for tests\nhost = 'a # b' # c\n"
    assert replace_setting(before, "port", 2) == "# mine\nport = 2 # for tests\nhost = 'a # b' # c\n"
    assert replace_setting(before, "host", "x") == '# mine\nport = 1 # for tests\nhost = "x" # c\n'
    assert replace_setting("host = 'a # b'\n", "host", "x") == 'host = "x"\n'
    assert replace_setting("port = 1", "require_auth", True) == "port = 1\nrequire_auth = true\n"


def test_set_refuses_a_layout_that_it_would_spoil() -> None:
    with pytest.raises(UnsafeLayout, match="by hand"):
        replace_setting('allowed_hosts = [\n  "a",\n]\n', "allowed_hosts", ("b",))


def test_a_value_with_quotes_and_thai_is_read_back_as_it_was(sanya: Run) -> None:
    value = 'C:\\x "y" สัญญา'
    assert sanya("settings", "set", "phrasing_model", value).code == 0
    rows = {row["name"]: row for row in sanya("settings", "--json").json}
    assert rows["phrasing_model"]["value"] == value


def test_set_repairs_a_file_that_cannot_be_read(home: Path, sanya: Run) -> None:
    home.mkdir()
    (home / "sanya.toml").write_text('time_zone = "Bangkok/Asia"  # mine\nport = 9000\n', encoding="utf-8")
    ran = sanya("settings")
    assert (ran.code, "sanya.toml, line 1: time_zone takes an IANA name" in ran.err) == (1, True)
    assert sanya("settings", "set", "time_zone", "Asia/Bangkok").code == 0
    assert (home / "sanya.toml").read_text(encoding="utf-8") == 'time_zone = "Asia/Bangkok" # mine\nport = 9000\n'
    assert sanya("settings").code == 0


@pytest.mark.parametrize("name", ["tasks_database", "papers_synonyms", "ingest_roots"])
def test_set_refuses_a_path_that_is_not_there(home: Path, sanya: Run, tmp_path: Path, name: str) -> None:
    ran = sanya("settings", "set", name, str(tmp_path / "nothing"))
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"sanya: {name}: there is no ")
    assert not (home / "sanya.toml").exists()


@pytest.mark.parametrize(
    ("name", "value"), [("time_zone", "Bangkok/Asia"), ("port", "65536"), ("host", "http://a"), ("entrez_url", "a")]
)
def test_set_and_the_option_of_serve_refuse_with_the_same_words(sanya: Run, name: str, value: str) -> None:
    by_set, by_option = sanya("settings", "set", name, value), sanya("serve", f"--{name.replace('_', '-')}", value)
    assert by_set.err == by_option.err
    assert by_set.code == by_option.code == 1


def test_an_unknown_variable_is_told(sanya: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANYA_TIMEZONE", "Asia/Bangkok")
    ran = sanya("settings", "--json")
    assert ran.code == 0
    assert ran.err == "SANYA_TIMEZONE in the environment is no setting; did you mean SANYA_TIME_ZONE?\n"
    doctor = sanya("doctor")
    assert "SANYA_TIMEZONE is no setting" in doctor.out
