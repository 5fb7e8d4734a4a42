from __future__ import annotations

import re
import zoneinfo
from dataclasses import fields
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from sanya.setting_checks import find_unknown_variables
from sanya.settings import BadSetting, Settings, find_default_home, list_settings, load_settings, load_thai_help


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


def test_every_setting_has_a_thai_meaning_with_the_same_names_and_figures() -> None:
    english = {row.name: row.help for row in list_settings({}, {})}
    thai = load_thai_help()
    assert set(thai) == set(english)
    for name, text in english.items():
        assert re.search("[ก-๙]", thai[name]), name
        kept = set(re.findall(r"`[^`]+`|[a-z]+_[a-z_]+|https?://[^ ]*\w|\d+", text))
        assert kept <= set(re.findall(r"`[^`]+`|[a-z]+_[a-z_]+|https?://[^ ]*\w|\d+", thai[name])), name


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


BAD_VALUES = {
    "time_zone": ("Bangkok/Asia", "Asia", "../../etc/passwd", "UTC "),
    "port": ("65536", "-1", "80.5", "tcp://10.0.0.1:8787"),
    "grpc_port": ("70000",),
    "weaviate_grpc_port": ("0", "70000"),
    "host": ("http://127.0.0.1", "127.0.0.1/8", "a b"),
    "allowed_hosts": ("https://a.example", "a.example/path"),
    "allowed_origins": ("a.example", "https://a.example/path"),
    "entrez_url": ("eutils.ncbi.nlm.nih.gov", "ftp://a.example", "http://", "http://a:99999/"),
    "oauth_issuer": ("issuer", "https://"),
    "database_url": ("mysql://a/b", "sanya.db"),
    "redis_url": ("http://a:6379", "localhost:6379"),
    "answer_confidence": ("1.5", "-0.1", "nan", "60%"),
    "papers_uuid_namespace": ("1b2c",),
    "entrez_email": ("nobody",),
    "replica": ("UPPER", "a b"),
    "max_body_bytes": ("1", "4MB"),
    "require_auth": ("yes",),
}
GOOD_VALUES = {
    "time_zone": "Asia/Bangkok",
    "port": "65535",
    "host": "::1",
    "allowed_hosts": "a.example, *.b.example, [::1]:8787",
    "allowed_origins": "https://a.example, chrome-extension://abc",
    "entrez_url": "http://127.0.0.1:8080/entrez",
    "database_url": "postgresql:///sanya?host=/run/postgresql",
    "redis_url": "unix:///run/redis.sock",
    "answer_confidence": "1",
    "entrez_email": "a@b.example",
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in BAD_VALUES.items() for value in values])
def test_every_source_refuses_the_same_value_with_a_reason(tmp_path: Path, name: str, value: str) -> None:
    write_config(tmp_path, f"# a comment\n\n{name} = {value!r}\n")
    reasons = set()
    for overrides, environ in (
        ({"home": tmp_path}, {}),
        ({"home": tmp_path / "empty", name: value}, {}),
        ({"home": tmp_path / "empty"}, {f"SANYA_{name.upper()}": value}),
    ):
        with pytest.raises(BadSetting) as caught:
            load_settings(overrides, environ)
        place, reason = str(caught.value).split(f": {name} ", 1)
        reasons.add(reason)
        assert place in (f"{tmp_path / 'sanya.toml'}, line 3", "command line", "environment")
    assert len(reasons) == 1, reasons


def test_values_that_are_right_are_taken(tmp_path: Path) -> None:
    for name, value in GOOD_VALUES.items():
        load_settings({"home": tmp_path, name: value}, {})


def test_every_default_passes_its_own_check(tmp_path: Path) -> None:
    defaults = {setting.name: setting.default for setting in fields(Settings) if setting.name != "home"}
    assert load_settings({"home": tmp_path, **defaults}, {}).port == Settings.port


def test_every_zone_of_this_machine_is_taken(tmp_path: Path) -> None:
    for zone in sorted(zoneinfo.available_timezones())[::25]:
        assert load_settings({"home": tmp_path, "time_zone": zone}, {}).time_zone == zone


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"port = 1\nhost = [\n", "line 2"),
        (b'port = 1\nhost = "\xff"\n', "line 2"),
        (b"port = 1\n\nprot = 2\n", "line 3"),
        (b"# port = 0\nport = true\n", "line 2"),
        (b"port = 80.5\n", "line 1"),
        (b"allowed_hosts = 5\n", "line 1"),
        (b"allowed_hosts = [5]\n", "line 1"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line(tmp_path: Path, text: bytes, says: str) -> None:
    (tmp_path / "sanya.toml").write_bytes(text)
    with pytest.raises(BadSetting) as caught:
        load_settings({"home": tmp_path}, {})
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("database_url", "mysql://me:s3cret@a/b"), ("entrez_url", "ftp://me:s3cret@a"), ("redis_url", "s3cret")],
)
def test_a_refusal_shows_no_password(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(BadSetting) as caught:
        load_settings({"home": tmp_path, name: value}, {})
    assert "s3cret" not in str(caught.value)


def test_variables_that_are_no_setting_are_found_with_the_nearest_one() -> None:
    names = [setting.name for setting in fields(Settings)]
    environ = {
        "SANYA_HOEM": "/x", "SANYA_TIMEZONE": "UTC", "SANYA_WHATEVER_ELSE": "1", "SANYA_PORT": "1", "PATH": "/bin",
        "SANYA_SERVICE_HOST": "10.0.0.1", "SANYA_PORT_8787_TCP_ADDR": "10.0.0.1", "SANYA_LONG": "1",
    }  # fmt: skip
    environ["SANYA_WEATHER_CITY"] = "Chiang Mai"
    assert find_unknown_variables(environ, names, lambda: [EntryPoint("weather", "weather:SUITE", "sanya.suites")]) == {
        "SANYA_HOEM": "SANYA_HOME",
        "SANYA_TIMEZONE": "SANYA_TIME_ZONE",
        "SANYA_WHATEVER_ELSE": None,
    }
