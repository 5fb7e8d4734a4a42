from __future__ import annotations

from pathlib import Path

import pytest

from sanya.settings import BadSetting, Settings, find_default_home, list_settings, load_settings


def write_config(home: Path, text: str) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "sanya.toml").write_text(text, encoding="utf-8")


def test_the_command_line_beats_the_environment_beats_the_file_beats_the_default(tmp_path: Path) -> None:
    write_config(tmp_path, 'port = 1001\nhost = "127.0.0.2"\nlog_level = "debug"\n')
    environ = {"SANYA_HOME": str(tmp_path), "SANYA_PORT": "1002", "SANYA_HOST": "127.0.0.3"}
    settings = load_settings({"port": 1003}, environ)
    assert (settings.port, settings.host, settings.log_level) == (1003, "127.0.0.3", "debug")
    assert settings.time_zone == Settings.time_zone


def test_the_table_says_where_each_value_came_from(tmp_path: Path) -> None:
    write_config(tmp_path, 'time_zone = "Asia/Bangkok"\n')
    environ = {"SANYA_ALLOWED_HOSTS": "a.example, b.example"}
    rows = {row.name: row for row in list_settings({"home": tmp_path}, environ)}
    assert rows["time_zone"].source.endswith("sanya.toml")
    assert rows["allowed_hosts"].value == ("a.example", "b.example")
    assert (rows["allowed_hosts"].source, rows["port"].source) == ("environment", "default")
    assert all(row.help.endswith(".") for row in rows.values()), "every setting has a sentence"
    assert rows["database_url"].secret


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({"SANYA_PORT": "eighty"}, ["port", "number", "eighty", "environment"]),
        ({"SANYA_PORT": "-1"}, ["port", "at least 0"]),
        ({"SANYA_LOG_LEVEL": "loud"}, ["log_level", "debug | info | warning | error"]),
        ({"SANYA_REQUIRE_AUTH": "maybe"}, ["require_auth", "true | false"]),
    ],
)
def test_a_value_that_cannot_be_read_is_named_with_its_place(
    tmp_path: Path, environ: dict[str, str], says: list[str]
) -> None:
    with pytest.raises(BadSetting) as caught:
        load_settings({"home": tmp_path}, environ)
    for part in says:
        assert part in str(caught.value)


@pytest.mark.parametrize("text", ["prot = 1\n", "port = [\n", 'port = "x"\n'])
def test_a_bad_file_is_named(tmp_path: Path, text: str) -> None:
    write_config(tmp_path, text)
    with pytest.raises(BadSetting, match=r"sanya\.toml"):
        load_settings({"home": tmp_path}, {})


def test_the_home_is_where_the_platform_keeps_data() -> None:
    assert find_default_home({"XDG_DATA_HOME": "/data"}, "linux") == Path("/data/sanya")
    assert find_default_home({}, "linux") == Path.home() / ".local/share/sanya"
    assert find_default_home({}, "darwin") == Path.home() / "Library/Application Support/Sanya"
    assert find_default_home({"LOCALAPPDATA": "/appdata"}, "win32") == Path("/appdata/Sanya")
